#include "scree/bonds/bond_loads.hpp"

#include <limits>
#include <span>
#include <utility>

namespace scree {

namespace {

constexpr std::uint32_t kNone = std::numeric_limits<std::uint32_t>::max();

/// Bonds as edges of a graph: each tree is walked from its root outwards, and summed up on the way back.
class Statics {
 public:
  Statics(const World& world, const Vec3& gravity)
      : world_(world), bonds_(world.bonds()), gravity_(gravity), fragment_(world.size(), kNone) {
    list_ends();
    found_.load.assign(bonds_.size(), Wrench{});
    found_.support.assign(bonds_.size(), Support::root);
  }

  BondLoads run() {
    for (const bool held : {true, false})
      for (std::uint32_t k = 0; k < bonds_.size(); ++k)
        if (bonds_.whole(k)) begin(k, held);
    for (std::uint32_t k = 0; k < bonds_.size(); ++k)
      if (const std::uint32_t f = fragment_of(k); f != kNone) found_.support[k] = support_[f];
    sum_up();
    return std::move(found_);
  }

 private:
  struct Visit {
    std::uint32_t body, bond, parent;  ///< rows, index in the World's bonds; kNone without support
  };

  std::uint32_t row(Id id) const { return static_cast<std::uint32_t>(*world_.row(id)); }
  bool moves(std::uint32_t body) const { return world_.inverse_mass.read()[body] > 0; }
  std::pair<std::uint32_t, std::uint32_t> ends(std::uint32_t bond) const {
    return {row(bonds_.a[bond]), row(bonds_.b[bond])};
  }
  std::uint32_t fragment_of(std::uint32_t bond) const {
    if (!bonds_.whole(bond)) return kNone;
    const auto [a, b] = ends(bond);
    return moves(a) ? fragment_[a] : fragment_[b];
  }

  /// Lists the bonds of each body, in their order.
  void list_ends() {
    first_.assign(world_.size() + 1, 0);
    const auto for_each_end = [&](auto&& act) {
      for (std::uint32_t k = 0; k < bonds_.size(); ++k) {
        if (!bonds_.whole(k)) continue;
        const auto [a, b] = ends(k);
        act(a, k), act(b, k);
      }
    };
    for_each_end([&](std::uint32_t body, std::uint32_t) { ++first_[body + 1]; });
    for (std::size_t i = 0; i < world_.size(); ++i) first_[i + 1] += first_[i];
    ends_.resize(first_.back());
    std::vector<std::uint32_t> next(first_.begin(), first_.end() - 1);
    for_each_end([&](std::uint32_t body, std::uint32_t k) { ends_[next[body]++] = k; });
  }

  /// Walks the fragment of a bond from its root or, if there is none, from any bond.
  void begin(std::uint32_t bond, bool held) {
    const auto [a, b] = ends(bond);
    if (held ? moves(a) == moves(b) : !moves(a)) return;
    const std::uint32_t body = moves(a) ? a : b;
    if (fragment_[body] != kNone) return;
    const auto fragment = static_cast<std::uint32_t>(support_.size());
    support_.push_back(held ? Support::root : Support::nothing);
    fragment_[body] = fragment;
    std::size_t next = visits_.size();
    visits_.push_back(held ? Visit{body, bond, body == a ? b : a} : Visit{body, kNone, kNone});
    for (; next < visits_.size(); ++next) go_on(visits_[next], fragment);
  }

  void go_on(const Visit from, std::uint32_t fragment) {
    for (const std::uint32_t bond :
         std::span(ends_).subspan(first_[from.body], first_[from.body + 1] - first_[from.body])) {
      if (bond == from.bond) continue;
      const auto [a, b] = ends(bond);
      const std::uint32_t other = a == from.body ? b : a;
      if (!moves(other)) {
        support_[fragment] = Support::several;
      } else if (fragment_[other] != kNone) {
        if (support_[fragment] == Support::root) support_[fragment] = Support::ring;
      } else {
        fragment_[other] = fragment;
        visits_.push_back({other, bond, from.body});
      }
    }
  }

  /// Sums up loads. Moments of `carried_` are about the centres of bodies.
  void sum_up() {
    const auto x = world_.position.read();
    const auto mass = world_.mass.read();
    std::vector<Wrench> carried(world_.size(), Wrench{});
    for (std::size_t n = visits_.size(); n-- > 0;) {
      const Visit& visit = visits_[n];
      if (visit.bond == kNone || support_[fragment_[visit.body]] != Support::root) continue;
      Wrench& own = carried[visit.body];
      own.force += mass[visit.body] * gravity_;
      const auto [a, b] = ends(visit.bond);
      const Vec3 joint = x[a] + bonds_.joint[visit.bond];
      const Vec3 moment = own.torque + (x[visit.body] - joint).cross(own.force);
      const double side = visit.body == b ? 1 : -1;
      found_.load[visit.bond] = {side * own.force, side * moment};
      carried[visit.parent].force += own.force;
      carried[visit.parent].torque += moment + (joint - x[visit.parent]).cross(own.force);
    }
  }

  const World& world_;
  const Bonds& bonds_;
  const Vec3 gravity_;
  std::vector<std::uint32_t> first_, ends_;  ///< (bodies + 1), bonds of all bodies one after the other
  std::vector<std::uint32_t> fragment_;      ///< fragment of each body that moves and has bonds
  std::vector<Support> support_;             ///< support of each fragment
  std::vector<Visit> visits_;                ///< parents before children
  BondLoads found_;
};

}  // namespace

BondLoads bond_loads(const World& world, const Vec3& gravity) { return Statics(world, gravity).run(); }

}  // namespace scree
