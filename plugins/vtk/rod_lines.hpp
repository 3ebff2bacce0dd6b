#pragma once
/// \file Rods among bodies: chains of segments that bonds hold together end to end.

#include <cstdint>
#include <optional>
#include <vector>

#include "scree/world/world.hpp"

namespace scree::vtk {

/// A body with the facet Segment/1 within a line. The line runs along its axis, or against it.
struct RodSegment {
  std::uint32_t row;
  bool against;
};

/// A chain from end to end.
struct RodLine {
  std::vector<RodSegment> segments;
  /// Before the first segment, between two, and behind the last: the bond that holds there, by row of World::bonds().
  /// Of a ring the last is the first.
  std::vector<std::optional<std::uint32_t>> bonds;
  bool closed = false;
};

/// Checks whether any bond, whole or broken, joins a body with a segment.
bool has_rods(const World& world);

/// All bodies with a segment for which a bond was ever made, each in one line, in order of the lowest id. A line ends
/// where the bond is broken, where the other body has no segment, and where three or more ends meet.
std::vector<RodLine> rod_lines(const World& world);

}  // namespace scree::vtk
