#include "request.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "film.hpp"
#include "scree/base/error.hpp"
#include "scree/base/text_lines.hpp"

namespace scree::render {

namespace po = boost::program_options;

namespace {

std::pair<double, double> parse_range(const std::string& text) {
  const std::size_t colon = text.find(':');
  const auto lowest = parse_number<double>(text.substr(0, colon)),
             highest = colon == std::string::npos ? std::nullopt : parse_number<double>(text.substr(colon + 1));
  if (!lowest || !highest || !std::isfinite(*lowest) || !std::isfinite(*highest) || *lowest >= *highest)
    throw InputError(
        fmt::format("scree render: --range is \"{}\"; give the lowest and the highest value, such as 0:0.5, "
                    "or --range=-1:1.",
                    text));
  return {*lowest, *highest};
}

double parse_zoom(const std::string& text) {
  constexpr double least = 0.1, most = 100;
  const auto zoom = parse_number<double>(text);
  if (!zoom || !(*zoom >= least && *zoom <= most))
    throw InputError(fmt::format("scree render: --zoom is \"{}\"; give a number from {} to {}.", text, least, most));
  return *zoom;
}

std::string parse_map(const std::string& text) {
  if (std::ranges::find(map_names(), text) == map_names().end())
    throw InputError(fmt::format("scree render: --map is \"{}\"; there are {}.", text, fmt::join(map_names(), ", ")));
  return text;
}

void check(const Request& request) {
  constexpr int narrowest = 100, widest = 8000;  // [pixels]: twice the widest is what graphics drivers draw at once
  if (request.width < narrowest || request.width > widest)
    throw InputError(
        fmt::format("scree render: --width is {}; {} to {} pixels are possible.", request.width, narrowest, widest));
  if (request.rate < 1 || request.rate > 50)
    throw InputError(fmt::format("scree render: --rate is {}; 1 to 50 frames per second are possible.", request.rate));
  if (request.film && (request.frame || request.all || request.output || request.style.transparent))
    throw InputError(
        "scree render: --film takes all frames and names its file; give it without --frame, --all, --output and "
        "--transparent.");
  if (request.film) check_film(*request.film);
  if (request.all && request.frame) throw InputError("scree render: --frame and --all exclude each other.");
  const bool states = request.stored || request.interface;
  if (request.stored && request.interface)
    throw InputError("scree render: --interface draws a mesh in place of stored granules; give it or --stored.");
  if (request.solid && (request.style.cut || states))
    throw InputError("scree render: --solid has no inside to show; give it without --cut, --stored and --interface.");
  if (request.rods && (request.solid || states))
    throw InputError("scree render: --solid, --stored and --interface draw no rods; give --rods without them.");
  if (request.style.column.value_or("speed") != "speed" && states)
    throw InputError("scree render: --stored and --interface have colours of their own; give --colour without them.");
  if (request.all && request.output && request.output->extension() == ".png")
    throw InputError("scree render: --all makes many pictures; give a folder to --output, not a file.");
}

}  // namespace

/// Returns the request, or nothing if only help was requested.
std::optional<Request> parse(const cli::Arguments& arguments) {
  cli::CommandLine line("scree render OUT [options]",
                        "Draws the result in the folder OUT as PNG pictures, coloured by what moves.", "OUT");
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
      "the column that sets the colours. By default speed, where bodies move; at rest what they differ in: group, "
      "material, shape or size, or else pebbles, a quiet colour for each. Grains of a continuum have colours of sand. "
      "A "
      "column of the particles; with --rods also one of theirs, as tension, bending_moment, curvature or twist, or "
      "strands: each in a shade of brown; with --solid fragment, a colour for each, damage or crack. More columns are "
      "written by the option \"columns\" of the writer vtk");
  add("map", po::value<std::string>()->value_name("NAME"),
      "colours of the values: dusk (default), dawn, ember, ocean, viridis, grey, or balance, which is light in the "
      "middle "
      "(default where values have both signs)");
  add("range", po::value<std::string>()->value_name("LOW:HIGH"),
      "values at both ends of the colours, in SI units (default: those of all frames drawn); --range=-1:1 where the "
      "first "
      "is negative");
  add("view", po::value<std::string>()->value_name("FROM"),
      "where the viewer is, in 3D: front, back, left, right, top, bottom, or a direction x,y,z from the middle; "
      "--view=-1,-2,1 where the first number is negative");
  add("zoom", po::value<std::string>()->value_name("N"), "the middle of the picture so many times larger");
  add("no-legend", "neither colour scale, time nor length");
  add("transparent", "no background");
  add("film", po::value<std::string>()->value_name("FILE"),
      "one film of all frames: .mp4 where ffmpeg is installed, .ogv (Ogg Theora) or .gif");
  add("rate", po::value<int>()->default_value(25)->value_name("N"), "frames of a film per second");
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
  if (line.has("cut")) request.style.cut = parse_cut(line.text("cut"));
  if (line.has("colour")) request.style.column = line.text("colour");
  if (line.has("map")) request.style.map = parse_map(line.text("map"));
  if (line.has("range")) request.style.range = parse_range(line.text("range"));
  if (line.has("view")) request.style.direction = parse_view(line.text("view"));
  if (line.has("zoom")) request.style.zoom = parse_zoom(line.text("zoom"));
  request.style.legend = !line.has("no-legend");
  request.style.transparent = line.has("transparent");
  if (line.has("film")) request.film = line.text("film");
  request.rate = line.value<int>("rate");
  request.width = line.value<int>("width");
  if (line.has("output")) request.output = line.text("output");
  check(request);
  return request;
}

}  // namespace scree::render
