#pragma once
/// \file The segments of a chunk's bodies in world axes: what all detectors of this plugin look at.

#include <fmt/format.h>

#include <span>
#include <vector>

#include "scree/base/error.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/body_view.hpp"

namespace scree::rods {

/// Segments by index of the shape; null where a shape has none.
inline std::vector<const Segment*> segments_of(std::span<const Shape* const> shapes) {
  std::vector<const Segment*> segments;
  for (const Shape* shape : shapes) segments.push_back(facet<Segment>(*shape));
  return segments;
}

struct PlacedSegment {
  Vec3 middle, axis;           ///< [m], unit
  double half_length, radius;  ///< [m]
};

/// \pre the body's shape has a segment; 3D
inline PlacedSegment placed(const BodyView& bodies, std::uint32_t row, const Segment& segment) {
  const double scale = bodies.scale_of(row);
  return {bodies.row[row].position, bodies.row[row].orientation * Vec3::UnitZ(), scale * segment.half_length(),
          scale * segment.radius()};
}

/// All segments of a chunk, by row; one thread's working memory.
inline const std::vector<PlacedSegment>& all_placed(const BodyView& bodies, std::span<const Segment* const> segments) {
  thread_local std::vector<PlacedSegment> rows;
  rows.resize(bodies.size);
  for (std::uint32_t i = 0; i < bodies.size; ++i)
    if (const Segment* const segment = segments[bodies.shape[i]]) rows[i] = placed(bodies, i, *segment);
  return rows;
}

/// The contact normal of two axes that meet in a point.
[[noreturn]] inline void axes_meet(const BodyView& bodies, std::uint32_t a, std::uint32_t b) {
  throw NumericalError(
      fmt::format("the axes of bodies {} and {} meet: they have passed halfway through each other, and "
                  "have no contact normal. Lower /integrator/dt or raise the stiffness.",
                  bodies.row[a].id, bodies.row[b].id));
}

}  // namespace scree::rods
