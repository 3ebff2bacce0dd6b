#include "scree/world/bonded_bodies.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/shape/segment.hpp"
#include "scree/shape/segment_distance.hpp"

namespace scree {

namespace {

/// Segment of a body in world axes; half length 0 for a body without segment.
struct Placed {
  Vec3 centre, axis;
  double half_length = 0, radius = 0;
  bool is_segment = false;

  Placed(const World& world, std::size_t row)
      : centre(world.position.read()[row]), axis(Vec3::UnitX()), radius(world.radius.read()[row]) {
    const auto* const segment = facet<Segment>(*world.shapes()[world.shape.read()[row]].shape);
    if (!segment) return;
    const double scale = world.scale.read()[row];
    is_segment = true;
    half_length = scale * segment->half_length();
    radius = scale * segment->radius();
    const Vec3 along = world.dimension() == 2 ? Vec3::UnitX() : Vec3::UnitZ();
    axis = world.orientation.read()[row] * along;
  }
  Vec3 end(int side) const { return centre + side * half_length * axis; }
};

/// Two bodies, the second one in its image that is nearest to the first.
struct PlacedPair {
  Placed a, b;
  PlacedPair(const World& world, std::size_t i, std::size_t j) : a(world, i), b(world, j) {
    if (world.cell.any()) b.centre = a.centre + world.cell.shortest(b.centre - a.centre);
  }
};

/// The nearest two of all ends of two segments.
struct Ends {
  Vec3 a, b;
  Ends(const Placed& first, const Placed& second) {
    double least = std::numeric_limits<double>::infinity();
    for (const int side_a : {-1, 1})
      for (const int side_b : {-1, 1}) {
        const double d = (second.end(side_b) - first.end(side_a)).squaredNorm();
        if (d >= least) continue;
        least = d;
        a = first.end(side_a);
        b = second.end(side_b);
      }
  }
};

}  // namespace

Vec3 segment_end(const World& world, std::size_t row, int side) { return Placed(world, row).end(side); }

Vec3 joint_place(const World& world, std::size_t i, std::size_t j) {
  const auto [a, b] = PlacedPair(world, i, j);
  const Ends ends(a, b);
  if (a.is_segment && b.is_segment) return (ends.a + ends.b) / 2;
  if (a.is_segment) return ends.a;
  if (b.is_segment) return ends.b;
  if (!std::isfinite(a.radius)) return b.centre;
  if (!std::isfinite(b.radius)) return a.centre;
  return a.centre + a.radius / (a.radius + b.radius) * (b.centre - a.centre);
}

double overlap_of(const World& world, std::size_t i, std::size_t j) {
  const auto [a, b] = PlacedPair(world, i, j);
  const SegmentPair pair{b.centre - a.centre, a.axis, b.axis, a.half_length, b.half_length};
  return std::max(0.0, a.radius + b.radius - std::sqrt(nearest_points(pair).square));
}

JointDistance joint_distance(const World& world, std::size_t i, std::size_t j) {
  const auto [a, b] = PlacedPair(world, i, j);
  const Ends ends(a, b);
  return {(ends.b - ends.a).norm(), a.is_segment && b.is_segment ? 0 : a.radius + b.radius};
}

double section_radius(const World& world, std::size_t row) { return Placed(world, row).radius; }

}  // namespace scree
