#pragma once
/// \file Groups of granules that become one rigid body: interior granules by contact, with their interface.

#include <map>
#include <vector>

#include "ledger/ledger.hpp"
#include "solid/granules.hpp"

namespace scree::culling {

/// Granules that are to be one aggregate from now on; numbers of Granules, ascending.
struct Group {
  std::vector<std::uint32_t> store;  ///< leave the World
  std::vector<std::uint32_t> lock;   ///< free until now, become interface
  std::vector<Id> aggregates;        ///< aggregates that they join, ascending by owner
  RigidBody whole;                   ///< rigid sum of all of them
};

struct GroupRule {
  std::size_t smallest = 50;  ///< stored granules
  double speed = 0;           ///< largest difference of a part's motion from the motion of the whole [m/s]
};

/// Groups by union-find over contacts of the candidates: a candidate joins all it touches, and through members the
/// aggregates these belong to. Those too small are left out. A candidate next to a part that does not move with the
/// whole is left out too, so that nothing is locked that moves apart.
/// \param candidates  (granules) may be stored: deep, solid, and so are all they touch
/// \return by smallest id
std::vector<Group> form_groups(const World& world, const Ledger& ledger, const Granules& granules,
                               const Touching& touching, std::vector<char> candidates, const GroupRule& rule);

}  // namespace scree::culling
