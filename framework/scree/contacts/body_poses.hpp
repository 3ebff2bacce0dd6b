#pragma once
/// \file How bodies lie: now, as they were when lists were made, or in a saved run.

#include <span>

#include "scree/base/types.hpp"
#include "scree/world/periodic_cell.hpp"

namespace scree {

/// By row.
struct BodyPoses {
  std::span<const Vec3> position;     ///< [m]
  std::span<const Quat> orientation;  ///< body to world
  const PeriodicCell& cell;
};

}  // namespace scree
