#pragma once
/// \file Statics of bonds: what each carries where bodies rest as they lie.

#include <cstdint>
#include <vector>

#include "scree/world/world.hpp"

namespace scree {

/// What holds the bodies that hang together by bonds.
enum class Support : std::uint8_t {
  root,     ///< one bond to a body that does not move, and there is one way to it from everywhere: loads follow
  nothing,  ///< no bond to a body that does not move
  several,  ///< more of those than one
  ring      ///< there are two ways from one body to another
};

/// By bond of the World's, those that broke included.
struct BondLoads {
  std::vector<Wrench> load;      ///< on b's side at the joint, world axes; see BondBalance::balance() [N], [N m]
  std::vector<Support> support;  ///< of what the bond is part of; loads are 0 but for roots
};

/// Weights are all that acts. \param gravity [m/s^2]
SCREE_API BondLoads bond_loads(const World& world, const Vec3& gravity);

}  // namespace scree
