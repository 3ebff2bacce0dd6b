#pragma once
/// \file Moments of a surface: the area or volume that it encloses, and second moments.

#include <optional>

#include "scree/shape/surface.hpp"

namespace scree::conformance {

struct SurfaceMoments {
  double size = 0;             ///< enclosed area [m^2], in 3D volume [m^3]; < 0 if cells face inward
  Vec3 centre = Vec3::Zero();  ///< [m]
  Vec3 moment = Vec3::Zero();  ///< moments of inertia about the origin for density 1; in 2D only z, per thickness
  double product = 0;          ///< largest product of inertia, over the largest moment
};

/// Returns the moments, or nothing if the surface does not enclose one piece. Faults are several outlines, an open one,
/// cells that do not meet others along each edge exactly once in the other direction, or parts that are not joined.
std::optional<SurfaceMoments> moments_of(const Surface& surface, int dimension);

}  // namespace scree::conformance
