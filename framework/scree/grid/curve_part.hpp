#pragma once
/// \file Part of the space-filling curve, as a region of space.

#include <cstdint>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Consecutive cubes along the curve of SpatialOrder. Cubes are 2^level cells wide.
class SCREE_API CurvePart {
 public:
  /// Makes a part of the curve.
  /// \param width  width of a cell [m]
  /// \param first, end  numbers of cubes: numbers of cells without their lowest 3 level bits
  CurvePart(double width, int level, std::uint64_t first, std::uint64_t end)
      : width_(width), level_(level), first_(first), end_(end) {}

  /// Checks whether one of the cubes has a point within `far` [m] of x along each axis. A point that rounding puts just
  /// beyond counts too.
  bool near(const Vec3& x, double far) const;

 private:
  double width_;
  int level_;
  std::uint64_t first_, end_;
};

}  // namespace scree
