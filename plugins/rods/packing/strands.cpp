#include "packing/strands.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <numbers>

#include "packing/polyline.hpp"
#include "packing/strand_file.hpp"
#include "scree/plugin/plugin.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

namespace {

/// Root of a strand with its frame: joint frames have the axis of the rod as third vector in 3D, as first in 2D.
struct Root {
  Vec3 position;
  Quat frame;
};

Quat frame_of_roots(const Options& roots, int dimension) {
  const Vec3 normal = roots.vector("normal");
  if (!(normal.norm() > 0)) throw OptionError("/roots/normal", "has no length; it must be a direction.");
  return frame_along(normal, dimension);
}

/// Places spread evenly over a disc, each with the same area (Vogel's spiral); in 2D over a line.
std::vector<Root> roots_on_disc(const Options& disc, std::size_t count, int dimension) {
  const Vec3 centre = disc.vector("centre");
  const Quat frame = frame_of_roots(disc, dimension);
  const double radius = disc.number("radius"), golden = std::numbers::pi * (3 - std::sqrt(5.0));
  std::vector<Root> roots;
  for (std::size_t k = 0; k < count; ++k) {
    const double share = (static_cast<double>(k) + 0.5) / static_cast<double>(count);
    const double r = radius * std::sqrt(share), angle = golden * static_cast<double>(k);
    const Vec3 across =
        dimension == 2 ? Vec3(0, radius * (2 * share - 1), 0) : Vec3(r * std::cos(angle), r * std::sin(angle), 0);
    roots.push_back({centre + frame * across, frame});
  }
  return roots;
}

std::vector<Root> roots_of(const Options& options, int dimension) {
  const Options given = options.object("roots");
  if (given.has("count")) return roots_on_disc(given, static_cast<std::size_t>(given.integer("count")), dimension);
  const Quat frame = frame_of_roots(given, dimension);
  std::vector<Root> roots;
  for (const Options& place : given.objects("positions")) {
    const std::vector<double> x = place.as_numbers();
    roots.push_back({Vec3(x[0], x[1], x.size() > 2 ? x[2] : 0), frame});
  }
  return roots;
}

/// Frames of a strand's segments relative to that of its root.
std::vector<Quat> frames_of(const Options& options, int dimension, double length, std::size_t segments) {
  const Vec3 axis = axis_of(dimension);
  if (options.has("points")) return frames_along(options.objects("points"), axis, length, segments);
  const std::vector<double> curvature = options.numbers("curvature");
  if (dimension == 2 && curvature.size() != 1)
    throw OptionError("/curvature", fmt::format("has {} numbers; a 2D scene takes one.", curvature.size()));
  const Vec3 u = dimension == 2 ? Vec3(0, 0, curvature[0])
                                : Vec3(curvature[0], curvature.size() > 1 ? curvature[1] : 0, options.number("twist"));
  const double turn = u.norm() * length;
  // From the root to the middle of the first segment the rod turns by half as much.
  const auto turned = [&](double by) {
    return turn > 0 ? Quat(Eigen::AngleAxisd(by * turn, u.normalized())) : Quat(Quat::Identity());
  };
  std::vector<Quat> frames{turned(0.5)};
  while (frames.size() < segments) frames.push_back((frames.back() * turned(1)).normalized());
  return frames;
}

const Segment& segment_of(const PackingContext& context) {
  const auto* const segment = context.shapes.size() == 1 ? facet<Segment>(*context.shapes[0].shape) : nullptr;
  if (!segment)
    throw OptionError("",
                      fmt::format("makes strands of one shape with a segment; the entry has {}. Give it one shape of "
                                  "type \"capsule\".",
                                  context.shapes.size() == 1 ? "\"" + context.shapes[0].name + "\", which has none"
                                                             : fmt::format("{} shapes", context.shapes.size())));
  return *segment;
}

/// Adds a strand, joined by faces of this area [m^2]. \param along  from end to end of a segment, in its own frame [m]
void add_strand(Packed& packed, const Root& root, const std::vector<Quat>& frames, const Vec3& along, double area) {
  const auto first = static_cast<std::uint32_t>(packed.places.size());
  Vec3 joint = root.position;
  for (const Quat& frame : frames) {
    const auto k = static_cast<std::uint32_t>(packed.places.size());
    Placement place;
    place.orientation = (root.frame * frame).normalized();
    const Vec3 way = *place.orientation * along;
    place.position = joint + way / 2;
    joint += way;
    if (k > first) packed.shared_faces.push_back({k - 1, k, area});
    packed.places.push_back(place);
  }
  packed.strands.push_back({first, static_cast<std::uint32_t>(frames.size())});
}

/// Checks the options that place strands: a file, or roots and a number of segments.
void check_options(const Options& options) {
  for (const char* key : {"segments", "roots"}) {
    if (!options.has("file") && !options.has(key))
      throw OptionError("", fmt::format("needs \"segments\" and \"roots\", or \"file\"; \"{}\" is missing.", key));
  }
  for (const char* key : {"segments", "roots", "points"}) {
    if (options.has("file") && options.has(key))
      throw OptionError(fmt::format("/{}", key), "is not used where \"file\" says where strands lie. Remove one.");
  }
}

}  // namespace

Packed pack_strands(const Options& options, const PackingContext& context) {
  const Segment& segment = segment_of(context);
  check_options(options);
  const double scale = context.size ? context.size(0) : 1;
  const double length = 2 * scale * segment.half_length(), radius = scale * segment.radius();
  const double area = std::numbers::pi * radius * radius;
  const Vec3 along = length * axis_of(context.dimension);
  Packed packed;
  if (options.has("file")) {
    const std::filesystem::path file = options.file("file");
    std::ifstream in(file);
    for (const FileStrand& strand : read_strands(in, file.string(), context.dimension, length, radius))
      add_strand(packed, {strand.root, Quat::Identity()}, strand.frames, along, area);
  } else {
    const std::vector<Root> roots = roots_of(options, context.dimension);
    const auto segments = static_cast<std::size_t>(options.integer("segments"));
    const std::vector<Quat> frames = frames_of(options, context.dimension, length, segments);
    for (const Root& root : roots) add_strand(packed, root, frames, along, area);
  }
  for (std::size_t k = 0; context.size && k < packed.places.size(); ++k) {
    if (context.size(k) != scale)
      throw OptionError(
          "", "makes all segments of one size; the entry's \"scale\" gives several. Take it away or give a number.");
  }
  return packed;
}

}  // namespace scree::rods
