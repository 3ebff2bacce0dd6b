#include "packing/polyline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "scree/base/error.hpp"

namespace scree::rods {

namespace {

/// Returns the part of the way from `a` to `b` at which the sphere about `centre` is left, or nothing.
std::optional<double> leaves_sphere(const Vec3& centre, double radius, const Vec3& a, const Vec3& b) {
  const Vec3 way = b - a, from = a - centre;
  const double square = way.squaredNorm(), half = from.dot(way) / square;
  const double root = half * half - (from.squaredNorm() - radius * radius) / square;
  if (!(square > 0) || root < 0) return {};
  const double part = -half + std::sqrt(root);
  if (part < 0 || part > 1) return {};
  return part;
}

std::vector<Vec3> places_of(const std::vector<Options>& points) {
  std::vector<Vec3> places;
  for (const Options& point : points) {
    const std::vector<double> x = point.as_numbers();
    places.emplace_back(x[0], x[1], x.size() > 2 ? x[2] : 0);
    if (places.size() > 1 && places.back() == places[places.size() - 2])
      throw OptionError(fmt::format("/points/{}", places.size() - 1), "repeats the point before it. Take it away.");
  }
  return places;
}

}  // namespace

Vec3 axis_of(int dimension) { return dimension == 2 ? Vec3::UnitX() : Vec3::UnitZ(); }

Quat frame_along(const Vec3& direction, int dimension) {
  if (dimension == 2) return Quat(Eigen::AngleAxisd(std::atan2(direction.y(), direction.x()), Vec3::UnitZ()));
  if (direction.normalized().z() < -1 + 1e-12) return Quat(0, 1, 0, 0);  // about x
  return Quat::FromTwoVectors(Vec3::UnitZ(), direction);
}

SegmentsOnLine fit_segments(const std::vector<Vec3>& line, const Quat& start, const Vec3& axis, double length,
                            std::size_t most) {
  SegmentsOnLine on;
  Quat frame = start;
  Vec3 joint = line.front();
  std::size_t edge = 0;
  Vec3 from = joint;
  while (on.frames.size() < most) {
    std::optional<double> part;
    while (edge + 1 < line.size() && !(part = leaves_sphere(joint, length, from, line[edge + 1]))) from = line[++edge];
    if (!part) break;
    const Vec3 next = from + *part * (line[edge + 1] - from);
    frame = Quat::FromTwoVectors(frame * axis, next - joint) * frame;
    on.frames.push_back(frame.normalized());
    on.edges.push_back(edge);
    joint = from = next;
  }
  return on;
}

std::vector<Quat> frames_along(const std::vector<Options>& points, const Vec3& axis, double length,
                               std::size_t segments) {
  SegmentsOnLine on = fit_segments(places_of(points), Quat::Identity(), axis, length, segments);
  if (on.frames.size() < segments)
    throw OptionError("/points", fmt::format("are a line on which {} segments of {:g} m find place; {} are asked for. "
                                             "Lengthen the line or lower \"segments\".",
                                             on.frames.size(), length, segments));
  return std::move(on.frames);
}

}  // namespace scree::rods
