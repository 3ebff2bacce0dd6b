#pragma once
/// \file Poses of bodies: current ones, those at the last rebuild, or those of a saved run.

#include <span>

#include "scree/base/types.hpp"
#include "scree/world/periodic_cell.hpp"

namespace scree {

/// Poses of bodies by row.
struct BodyPoses {
  std::span<const Vec3> position;     ///< [m]
  std::span<const Quat> orientation;  ///< rotation from body to world
  const PeriodicCell& cell;
};

}  // namespace scree
