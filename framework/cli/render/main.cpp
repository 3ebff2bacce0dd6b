/// \file Program scree-render: pictures of a result. `scree render` starts it.

#include <fmt/format.h>

#include <cstdio>

#include "cli/command_line.hpp"
#include "cli/helper_program.hpp"
#include "display.hpp"
#include "drawing.hpp"
#include "film.hpp"
#include "page/live.hpp"
#include "page/write_page.hpp"
#include "reader.hpp"
#include "request.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::render {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

fs::path picture_file(const Request& request, const FrameFile& frame) {
  if (request.output && request.output->extension() == ".png") return *request.output;
  const fs::path folder = request.output.value_or(request.out / "pictures");
  return folder / fmt::format("{}_{:06}.png", request.solid ? "solid" : "particles", frame.frame);
}

/// Draws a frame. In a film all have one size, which is even.
Bitmap drawn(const Request& request, const Reader& reader, const FrameFile& frame, const View& view) {
  return draw(reader.read_all(frame), view, request.film ? request.width / 2 * 2 : request.width);
}

void write_film(const Request& request, const Reader& reader, const std::vector<FrameFile>& frames, const View& view) {
  constexpr std::size_t samples = 4;
  std::vector<Bitmap> some;
  for (std::size_t k = 0; k < samples; ++k)
    some.push_back(drawn(request, reader, frames[(frames.size() - 1) * k / (samples - 1)], view));
  if (request.film->has_parent_path()) prepare_folder(request.film->parent_path());
  const auto film = begin_film(*request.film, request.rate, some);
  for (const FrameFile& frame : frames) film->add(drawn(request, reader, frame, view));
  film->finish();
  fmt::print("{} ({} frames, {:.1f} s, {:.1f} MB)\n", request.film->string(), frames.size(),
             static_cast<double>(frames.size()) / request.rate,
             1e-6 * static_cast<double>(fs::file_size(*request.film)));
}

void draw_all(const Request& request) {
  const std::vector<FrameFile> frames = chosen_frames(request);
  const Reader reader(request);
  View view(request.style);
  for (const FrameFile& frame : frames) view.include(reader.read(frame));
  if (request.style.cut && view.is_empty())
    throw InputError("scree render: --cut leaves nothing to draw: all bodies lie before the plane.");
  if (request.style.direction && view.is_flat())
    throw InputError("scree render: --view turns pictures of runs in three dimensions; this run has two.");
  view.choose_colours();
  if (request.film) return write_film(request, reader, frames, view);
  for (const FrameFile& frame : frames) {
    const fs::path file = picture_file(request, frame);
    if (file.has_parent_path()) prepare_folder(file.parent_path());
    write_atomically(file, png_of(drawn(request, reader, frame, view), request.style.transparent));
    fmt::print("{}\n", file.string());
    std::fflush(stdout);
  }
}

/// Writes one page, for `scree view`, or serves one.
int write_pages(const cli::Arguments& arguments) {
  cli::CommandLine line("scree view OUT [options]",
                        "Writes one HTML file that shows the result in the folder OUT in any browser, without a "
                        "network: bodies in their shapes, a time slider, curves of metrics.csv.",
                        "OUT");
  auto add = line.options();
  add("output", po::value<std::string>()->value_name("FILE"), "the page (default: OUT/view.html)");
  add("colour", po::value<std::string>()->value_name("NAME"),
      "the column that sets the colours at first (default: speed where bodies move, else what parts them); the page "
      "has "
      "all columns");
  add("frames", po::value<int>()->value_name("N"),
      "at most this many frames, evenly spaced (default: 200, and fewer of many bodies, which keeps the page below "
      "some "
      "20 MB)");
  add("live", "serve the page to browsers of this machine and follow the run, which may not have begun");
  add("port", po::value<int>()->value_name("N"), "with --live: the port on 127.0.0.1 (default: any that is free)");
  if (!line.parse(arguments)) return 0;
  PageRequest request{.out = line.required(), .file = {}, .colour = {}, .frames = {}};
  if (line.has("colour")) request.colour = line.text("colour");
  if (line.has("frames")) {
    const int frames = line.value<int>("frames");
    if (frames < 1) throw InputError(fmt::format("scree view: --frames is {}; at least 1 is possible.", frames));
    request.frames = static_cast<std::size_t>(frames);
  }
  const int port = line.has("port") ? line.value<int>("port") : 0;
  if (port < 0 || port > 65535)
    throw InputError(fmt::format("scree view: --port is {}; 0 to 65535 are possible.", port));
  if (line.has("port") && !line.has("live")) throw InputError("scree view: --port goes with --live.");
  if (line.has("live") && line.has("output"))
    throw InputError("scree view: --live writes no file; give it without --output.");
  if (line.has("live")) follow(request, port);
  request.file = line.has("output") ? fs::path(line.text("output")) : request.out / "view.html";
  const std::size_t size = write_page(request);
  fmt::print("{} ({:.1f} MB)\n", request.file.string(), 1e-6 * static_cast<double>(size));
  return 0;
}

int run(int argc, char** argv) {
  if (argc > 1 && std::string_view(argv[1]) == "--page") return write_pages({argv + 2, argv + argc});
  const auto request = parse({argv + 1, argv + argc});
  if (!request) return 0;
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
