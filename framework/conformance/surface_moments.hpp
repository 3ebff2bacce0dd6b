#pragma once
/// \file Area or volume that a surface encloses, and its second moments.

#include <optional>

#include "scree/shape/surface.hpp"

namespace scree::conformance {

struct SurfaceMoments {
  double size = 0;             ///< enclosed area [m^2], in 3D volume [m^3]; < 0 where cells face inward
  Vec3 centre = Vec3::Zero();  ///< [m]
  Vec3 moment = Vec3::Zero();  ///< of inertia about the origin for density 1; in 2D z alone, per thickness
  double product = 0;          ///< largest product of inertia, beside the largest moment
};

/// \return nothing where the surface does not enclose one piece: several outlines, an open one, cells that meet others
///         along edges not exactly once the other way round, or parts that are not joined
std::optional<SurfaceMoments> moments_of(const Surface& surface, int dimension);

}  // namespace scree::conformance
