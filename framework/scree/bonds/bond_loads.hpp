#pragma once
/// \file Statics of bonds: the load of each if bodies rest as they lie.

#include <cstdint>
#include <vector>

#include "scree/world/world.hpp"

namespace scree {

/// Support of the bodies that are connected by bonds.
enum class Support : std::uint8_t {
  root,     ///< one bond to a body that does not move, and one path to it from everywhere: loads follow
  nothing,  ///< no bond to a body that does not move
  several,  ///< several bonds to bodies that do not move
  ring      ///< two paths from one body to another
};

/// Loads by bond of the World, broken ones included.
struct BondLoads {
  std::vector<Wrench> load;      ///< wrench on b's side at the joint, world axes; see BondLaw::balance() [N], [N m]
  std::vector<Support> support;  ///< support of the fragment that the bond is part of; loads are 0 except for roots
};

/// Computes the loads of bonds from weights only. \param gravity  [m/s^2]
SCREE_API BondLoads bond_loads(const World& world, const Vec3& gravity);

}  // namespace scree
