#include "packing/polyline.hpp"

#include <fmt/format.h>

#include <cmath>
#include <optional>

#include "scree/base/error.hpp"

namespace scree::rods {

namespace {

/// Where the sphere about `centre` is left on the way from `a` to `b`: part of the way, or nothing.
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

std::vector<Quat> frames_along(const std::vector<Options>& points, const Vec3& axis, double length,
                               std::size_t segments) {
  const std::vector<Vec3> line = places_of(points);
  std::vector<Quat> frames;
  Quat frame = Quat::Identity();
  Vec3 joint = line.front();
  std::size_t edge = 0;
  Vec3 from = joint;
  while (frames.size() < segments) {
    std::optional<double> part;
    while (edge + 1 < line.size() && !(part = leaves_sphere(joint, length, from, line[edge + 1]))) from = line[++edge];
    if (!part)
      throw OptionError("/points",
                        fmt::format("are a line on which {} segments of {:g} m find place; {} are asked for. "
                                    "Lengthen the line or lower \"segments\".",
                                    frames.size(), length, segments));
    const Vec3 next = from + *part * (line[edge + 1] - from);
    frame = Quat::FromTwoVectors(frame * axis, next - joint) * frame;
    frames.push_back(frame.normalized());
    joint = from = next;
  }
  return frames;
}

}  // namespace scree::rods
