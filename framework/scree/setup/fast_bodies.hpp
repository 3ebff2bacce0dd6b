#pragma once
/// \file Bodies so fast that they can pass through others between two steps.

#include <optional>

#include "scree/base/api.hpp"
#include "scree/world/world.hpp"

namespace scree {

struct FastBody {
  Id id = 0;
  double way = 0;       ///< in one step [m]
  double diameter = 0;  ///< of its bounding sphere [m]
};

/// The body that goes farthest in one step, in units of its own diameter; empty if none goes farther than its diameter.
/// Bodies fixed, without bound or attached to others do not count. \param dt  [s]
SCREE_API std::optional<FastBody> find_fast_body(const World& world, double dt);

/// In which it goes a tenth of its diameter [s]. \param dt  in which it goes its way [s]
inline double step_for(const FastBody& body, double dt) { return dt * body.diameter / (10 * body.way); }

}  // namespace scree
