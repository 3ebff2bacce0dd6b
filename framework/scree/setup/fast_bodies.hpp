#pragma once
/// \file Fast bodies, which can pass through others between two steps.

#include <optional>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Body that moves farther than its diameter in one step.
struct FastBody {
  Id id = 0;
  double way = 0;       ///< displacement in one step [m]
  double diameter = 0;  ///< diameter of its bounding sphere [m]
};

/// Returns the body that moves farthest in one step, in units of its own diameter; empty if none moves farther than its
/// diameter. Fixed, unbounded and attached bodies do not count. \param dt  [s]
SCREE_API std::optional<FastBody> find_fast_body(const World& world, double dt);

/// Returns the step in which the body moves a tenth of its diameter [s]. \param dt  step in which it moves
/// FastBody::way [s]
inline double step_for(const FastBody& body, double dt) { return dt * body.diameter / (10 * body.way); }

}  // namespace scree
