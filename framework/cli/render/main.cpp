/// \file Program scree-render: pictures of a result. `scree render` starts it.

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <vtkCellData.h>
#include <vtkPointData.h>
#include <vtkPolyData.h>

#include <algorithm>
#include <cstdio>
#include <optional>
#include <set>

#include "cli/command_line.hpp"
#include "cli/helper_program.hpp"
#include "display.hpp"
#include "drawing.hpp"
#include "page/write_page.hpp"
#include "result.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

struct Request {
  fs::path out;
  std::optional<std::uint64_t> frame;  ///< unset: the last one
  bool all = false, contacts = false, solid = false, stored = false, interface = false, rods = false;
  std::optional<Cut> cut;
  std::optional<std::string>
      colour;        ///< column that sets the colours; by default speed, but grains of sand have their own
  int width = 1200;  ///< [pixels]
  std::optional<fs::path> output;
};

/// Returns the request, or nothing if only help was requested.
std::optional<Request> parse(const cli::Arguments& arguments) {
  cli::CommandLine line("scree render OUT [options]",
                        "Draws the result in the folder OUT as PNG pictures, coloured by speed or another column.",
                        "OUT");
  auto add = line.options();
  add("frame", po::value<std::uint64_t>()->value_name("N"), "the frame to draw, by its number (default: the last)");
  add("all", "draw every frame, with one view and colour scale");
  add("contacts", "draw the contact forces: lines, thicker where the force is larger");
  add("rods", "draw rods, hair and cables as smooth tubes in place of their segments");
  add("solid", "draw bonded tetrahedra as the solid they make up (of the writer fracture-surface)");
  add("cut", po::value<std::string>()->value_name("PLANE"),
      "cut the picture open: y=0.1 leaves out bodies whose centre lies before this place [m], which is above it for x "
      "and z and below it for y, and walls there; --cut=nx,ny,nz,d leaves out those at n.x > d. Shows what is stored "
      "inside, as --stored does, where there is any");
  add("stored",
      "draw granules that granular-culling has stored (of the writer culling-ledger), and colour by state in place of "
      "speed");
  add("interface",
      "draw the mesh about stored granules in grey, cut open where the picture is, and no stored granules");
  add("colour", po::value<std::string>()->value_name("NAME"),
      "the column that sets the colours (default: speed; grains of a continuum have colours of sand): one of the "
      "particles, for instance group, the entry of bodies, where the "
      "writer vtk has "
      "\"columns\": [\"group\"]; with --rods also one of theirs, as tension, bending_moment, curvature or twist, or "
      "strands: each in a shade of brown; with --solid fragment, a colour for each, damage or crack");
  add("width", po::value<int>()->default_value(1200)->value_name("N"), "width of the pictures in pixels");
  add("output", po::value<std::string>()->value_name("PATH"),
      "a file .png, or a folder (default: OUT/pictures/particles_NNNNNN.png, with --solid solid_NNNNNN.png)");
  if (!line.parse(arguments)) return std::nullopt;
  Request request;
  request.out = line.required();
  if (line.has("frame")) request.frame = line.value<std::uint64_t>("frame");
  request.all = line.has("all");
  request.contacts = line.has("contacts");
  request.solid = line.has("solid");
  request.rods = line.has("rods");
  request.stored = line.has("stored");
  request.interface = line.has("interface");
  if (line.has("cut")) request.cut = parse_cut(line.text("cut"));
  if (line.has("colour")) request.colour = line.text("colour");
  request.width = line.value<int>("width");
  if (line.has("output")) request.output = line.text("output");
  return request;
}

void check(const Request& request) {
  constexpr int narrowest = 100, widest = 8000;  // [pixels]: twice the widest is what graphics drivers draw at once
  if (request.width < narrowest || request.width > widest)
    throw InputError(
        fmt::format("scree render: --width is {}; {} to {} pixels are possible.", request.width, narrowest, widest));
  if (request.all && request.frame) throw InputError("scree render: --frame and --all exclude each other.");
  const bool states = request.stored || request.interface;
  if (request.stored && request.interface)
    throw InputError("scree render: --interface draws a mesh in place of stored granules; give it or --stored.");
  if (request.solid && (request.cut || states))
    throw InputError("scree render: --solid has no inside to show; give it without --cut, --stored and --interface.");
  if (request.rods && (request.solid || states))
    throw InputError("scree render: --solid, --stored and --interface draw no rods; give --rods without them.");
  if (request.colour.value_or("speed") != "speed" && states)
    throw InputError("scree render: --stored and --interface have colours of their own; give --colour without them.");
  if (request.all && request.output && request.output->extension() == ".png")
    throw InputError("scree render: --all makes many pictures; give a folder to --output, not a file.");
}

std::vector<FrameFile> chosen_frames(const Request& request) {
  const std::string series = request.solid ? "fracture" : "particles";
  const std::vector<FrameFile> frames = read_series(request.out, series);
  if (frames.empty())
    throw IoError(
        fmt::format("{}: has no frames to draw: {}.pvd is missing or empty. Give the output folder of a "
                    "run whose scene has the writer \"{}\".",
                    request.out.string(), series, request.solid ? "fracture-surface" : "vtk"));
  if (request.all) return frames;
  if (!request.frame) return {frames.back()};
  for (const FrameFile& frame : frames)
    if (frame.frame == *request.frame) return {frame};
  throw InputError(fmt::format("scree render: {} has no frame {}; it has {} to {}.", request.out.string(),
                               *request.frame, frames.front().frame, frames.back().frame));
}

/// Reads frames of related series.
class Reader {
 public:
  explicit Reader(const Request& request)
      : out_(request.out),
        solid_(request.solid),
        colour_(request.colour.value_or("speed")),
        cut_(request.cut),
        walls_(read_series(out_, "walls")),
        grains_(read_series(out_ / "tables", "grains")) {
    if (request.contacts)
      contacts_ = series_or_error("contacts", "Set \"contacts\": true in the options of the writer \"vtk\".");
    if (request.stored)
      stored_ =
          series_or_error("stored", "Give the output folder of a run whose scene has the writer \"culling-ledger\".");
    if (request.interface)
      interface_ = series_or_error("interface",
                                   "Give the output folder of a run whose scene has the writer \"culling-ledger\".");
    if (request.rods)
      rods_ = series_or_error("rods",
                              "Give the output folder of a run with bonds between capsules, whose scene has the writer "
                              "\"vtk\" without \"rods\": false.");
    if (request.cut && colour_ == "speed" && !request.rods && !request.interface) stored_ = read_series(out_, "stored");
  }
  Subject read(const FrameFile& frame) const {
    if (solid_) {
      const auto surface = read_data(frame.file);
      const Subject subject{.particles = surface,
                            .walls = without_bodies_of(*surface, read_same_frame(walls_, frame.frame)),
                            .contacts = read_same_frame(contacts_, frame.frame),
                            .time = frame.time};
      check_column(subject);
      return subject;
    }
    const auto contacts = read_same_frame(contacts_, frame.frame), rods = read_same_frame(rods_, frame.frame);
    const std::set<double> of_rods = rods ? bodies_of(*rods) : std::set<double>();
    const auto walls = without_bodies(read_same_frame(walls_, frame.frame), of_rods);
    const auto mesh = read_same_frame(interface_, frame.frame);
    const Subject subject{.particles = read_particles(out_, frame, cut_, of_rods),
                          .walls = walls && cut_ ? opened(*walls, *cut_) : walls,
                          .contacts = contacts && cut_ ? without_front(*contacts, *cut_) : contacts,
                          .rods = rods && cut_ ? without_front(*rods, *cut_) : rods,
                          .stored = stored(frame.frame),
                          .interface = mesh && cut_ ? opened(*mesh, *cut_) : mesh,
                          .time = frame.time};
    check_column(subject);
    return subject;
  }
  /// Reads a frame with data that only the picture needs.
  Subject read_all(const FrameFile& frame) const {
    Subject subject = read(frame);
    if (solid_) return subject;
    subject.grains = read_same_frame(grains_, frame.frame);
    if (subject.grains && cut_) subject.grains = without_front(*subject.grains, *cut_);
    return subject;
  }

 private:
  void check_column(const Subject& subject) const {
    if (subject.rods && colour_ == kStrands) return;
    const auto particles = columns_of(*subject.particles->GetCellData());
    const auto rods = subject.rods ? columns_of(*subject.rods->GetPointData()) : std::vector<std::string>();
    if (std::ranges::find(particles, colour_) != particles.end() || std::ranges::find(rods, colour_) != rods.end())
      return;
    throw InputError(fmt::format(
        "scree render: --colour is \"{}\"; particles have {}{}. More are written by \"columns\" of the writer \"vtk\".",
        colour_, fmt::join(particles, ", "), rods.empty() ? "" : fmt::format(", rods have {}", fmt::join(rods, ", "))));
  }
  std::vector<FrameFile> series_or_error(const std::string& name, const std::string& remedy) const {
    auto series = read_series(out_, name);
    if (!series.empty()) return series;
    throw IoError(fmt::format("{}: has no {} to draw: {}.pvd is missing or empty. {}", out_.string(),
                              name == "stored"      ? "stored granules"
                              : name == "interface" ? "mesh about stored granules"
                                                    : name,
                              name, remedy));
  }
  vtkSmartPointer<vtkPolyData> stored(std::uint64_t frame) const {
    const auto it = std::ranges::find(stored_, frame, &FrameFile::frame);
    return it == stored_.end() ? nullptr : read_particles(out_, *it, cut_);
  }

  fs::path out_;
  bool solid_;
  std::string colour_;
  std::optional<Cut> cut_;
  std::vector<FrameFile> walls_, contacts_, stored_, interface_, rods_, grains_;
};

fs::path picture_file(const Request& request, const FrameFile& frame) {
  if (request.output && request.output->extension() == ".png") return *request.output;
  const fs::path folder = request.output.value_or(request.out / "pictures");
  return folder / fmt::format("{}_{:06}.png", request.solid ? "solid" : "particles", frame.frame);
}

void draw_all(const Request& request) {
  const std::vector<FrameFile> frames = chosen_frames(request);
  const Reader reader(request);
  View view;
  view.cut = request.cut;
  view.column = request.colour.value_or("speed");
  view.as_sand = !request.colour;
  for (const FrameFile& frame : frames) view.include(reader.read(frame));
  if (request.cut && !view.particles.IsValid())
    throw InputError("scree render: --cut leaves nothing to draw: all bodies lie before the plane.");
  for (const FrameFile& frame : frames) {
    const fs::path file = picture_file(request, frame);
    if (file.has_parent_path()) prepare_folder(file.parent_path());
    write_atomically(file, draw(reader.read_all(frame), view, request.width));
    fmt::print("{}\n", file.string());
    std::fflush(stdout);
  }
}

/// Writes one page, for `scree view`.
int write_pages(const cli::Arguments& arguments) {
#ifdef SCREE_HAS_PAGES
  cli::CommandLine line("scree view OUT [options]",
                        "Writes one HTML file that shows the result in the folder OUT in any browser, without a "
                        "network: bodies in their shapes, coloured, with a time slider.",
                        "OUT");
  auto add = line.options();
  const PageRequest defaults;
  add("output", po::value<std::string>()->value_name("FILE"), "the page (default: OUT/view.html)");
  add("colour", po::value<std::string>()->default_value(defaults.column)->value_name("NAME"),
      "the column that sets the colours: one of the particles, as for scree render");
  add("frames", po::value<int>()->default_value(static_cast<int>(defaults.frames))->value_name("N"),
      "at most this many frames, evenly spaced; more make the page larger");
  if (!line.parse(arguments)) return 0;
  PageRequest request{.out = line.required(), .column = line.text("colour")};
  const int frames = line.value<int>("frames");
  if (frames < 1) throw InputError(fmt::format("scree view: --frames is {}; at least 1 is possible.", frames));
  request.frames = static_cast<std::size_t>(frames);
  request.file = line.has("output") ? fs::path(line.text("output")) : request.out / "view.html";
  const std::size_t size = write_page(request);
  fmt::print("{} ({:.1f} MB)\n", request.file.string(), 1e-6 * static_cast<double>(size));
  return 0;
#else
  static_cast<void>(arguments);
  throw InputError("scree view: this scree was built without three.js. Install libjs-three and build again.");
#endif
}

int run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--page") return write_pages({argv + 2, argv + argc});
  const auto request = parse({argv + 1, argv + argc});
  if (!request) return 0;
  check(*request);
  chosen_frames(*request);  // faults of the result are reported before a display is searched
  ensure_display(argv, "scree render");
  draw_all(*request);
  return 0;
}

}  // namespace

}  // namespace scree::render

int main(int argc, char** argv) {
  return scree::cli::helper_program([&] { return scree::render::run(argc, argv); });
}
