#include "cull/groups.hpp"

#include <algorithm>

#include "cull/sorted_ids.hpp"
#include "scree/base/disjoint_sets.hpp"

namespace scree::culling {

namespace {

constexpr int kMostTries = 8;

/// Numbers of granules, then of aggregates.
class Joiner {
 public:
  Joiner(const Ledger& ledger, const Granules& granules) : granules_(granules) {
    for (const auto& [owner, aggregate] : ledger.aggregates) node_[owner] = granules.size() + node_.size();
  }
  std::size_t nodes() const { return granules_.size() + node_.size(); }
  /// Members stand for their aggregate.
  std::uint32_t node(std::uint32_t k) const {
    return granules_.free(k) ? k : static_cast<std::uint32_t>(node_.at(granules_.owner[k]));
  }

 private:
  const Granules& granules_;
  std::map<Id, std::size_t> node_;
};

/// Groups without their motion, by smallest number among what is new in them.
std::vector<Group> connected(const Ledger& ledger, const Granules& granules, const Touching& touching,
                             const std::vector<char>& candidates) {
  const Joiner joiner(ledger, granules);
  DisjointSets sets(joiner.nodes());
  std::vector<char> taken(granules.size(), 0);
  for (std::uint32_t k = 0; k < granules.size(); ++k) {
    if (!candidates[k]) continue;
    taken[k] = 1;
    for (const std::uint32_t n : touching.of(k)) taken[n] = 1, sets.join(joiner.node(k), joiner.node(n));
  }
  std::map<std::uint32_t, std::size_t> of_set;
  std::vector<Group> groups;
  for (std::uint32_t k = 0; k < granules.size(); ++k) {
    if (!taken[k]) continue;
    const auto [at, is_new] = of_set.try_emplace(sets.find(joiner.node(k)), groups.size());
    if (is_new) groups.emplace_back();
    Group& group = groups[at->second];
    if (candidates[k]) group.store.push_back(k);
    if (granules.free(k) && !candidates[k]) group.lock.push_back(k);
    if (!granules.free(k)) group.aggregates.push_back(granules.owner[k]);
  }
  for (Group& g : groups) {
    std::sort(g.aggregates.begin(), g.aggregates.end());
    g.aggregates.erase(std::unique(g.aggregates.begin(), g.aggregates.end()), g.aggregates.end());
  }
  return groups;
}

std::size_t stored_in(const Ledger& ledger, const Group& group) {
  std::size_t sum = group.store.size();
  for (const Id owner : group.aggregates) sum += ledger.aggregates.at(owner).stored.size();
  return sum;
}

/// All parts of a group by id, those of aggregates included.
std::vector<RigidBody> all_parts(const World& world, const Ledger& ledger, const Granules& granules,
                                 const Group& group) {
  std::vector<std::pair<Id, RigidBody>> parts;
  for (const auto* list : {&group.store, &group.lock})
    for (const std::uint32_t k : *list)
      if (granules.free(k)) parts.emplace_back(granules.id[k], part_of(world, granules.row[k]));
  for (const Id owner : group.aggregates) {
    const Aggregate& a = ledger.aggregates.at(owner);
    const Ids ids = united(a.stored.ids(), a.members);
    const std::vector<RigidBody> of_aggregate = parts_of(world, a);
    for (std::size_t k = 0; k < ids.size(); ++k) parts.emplace_back(ids[k], of_aggregate[k]);
  }
  std::sort(parts.begin(), parts.end(), [](const auto& p, const auto& q) { return p.first < q.first; });
  std::vector<RigidBody> sorted;
  sorted.reserve(parts.size());
  for (auto& [id, part] : parts) sorted.push_back(part);
  return sorted;
}

/// Takes out candidates that would lock what moves apart. \return whether there are any
bool refuse(const World& world, const Ledger& ledger, const Granules& granules, const Touching& touching,
            const Group& group, double speed, std::vector<char>& candidates) {
  const auto moves_apart = [&](const Vec3& place, const Vec3& velocity) {
    return (velocity - velocity_at(group.whole.frame.position, group.whole.twist, place)).norm() > speed;
  };
  bool any = false;
  const auto drop = [&](std::uint32_t k) {
    any = any || candidates[k];
    candidates[k] = 0;
  };
  for (const auto* list : {&group.store, &group.lock})
    for (const std::uint32_t k : *list) {
      const std::size_t i = granules.row[k];
      if (!moves_apart(world.position.read()[i], world.velocity.read()[i])) continue;
      drop(k);
      for (const std::uint32_t n : touching.of(k)) drop(n);
    }
  for (const Id owner : group.aggregates)
    for (const Id member : ledger.aggregates.at(owner).members) {
      const std::size_t i = *world.row(member);
      if (!moves_apart(world.position.read()[i], world.velocity.read()[i])) continue;
      for (const std::uint32_t k : group.store) drop(k);
      return any;
    }
  return any;
}

}  // namespace

std::vector<Group> form_groups(const World& world, const Ledger& ledger, const Granules& granules,
                               const Touching& touching, std::vector<char> candidates, const GroupRule& rule) {
  std::vector<Group> accepted;
  for (int tries = 0; tries < kMostTries; ++tries) {
    accepted.clear();
    bool again = false;
    for (Group& group : connected(ledger, granules, touching, candidates)) {
      if (stored_in(ledger, group) < rule.smallest) continue;
      group.whole = rigid_sum(all_parts(world, ledger, granules, group));
      if (refuse(world, ledger, granules, touching, group, rule.speed, candidates))
        again = true;
      else
        accepted.push_back(std::move(group));
    }
    if (!again) break;
  }
  return accepted;
}

}  // namespace scree::culling
