#include <fmt/format.h>

#include <algorithm>

#include "scree/bonds/bond_loads.hpp"
#include "scree/bonds/bound_bonds.hpp"
#include "scree/model/environment.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

namespace {

/// Returns the reason why a load does not follow from statics, and a remedy.
const char* why_unknown(Support support) {
  switch (support) {
    case Support::root:
      return "";
    case Support::nothing:
      return "hangs on nothing that is fixed or has a motion. Hold one of its ends";
    case Support::several:
      return "is held at more than one place. Hold it at one end only";
    case Support::ring:
      return "is closed to a ring. Leave it open";
  }
  return "";
}

class Balance {
 public:
  Balance(const Scene& scene, Prepared& prepared)
      : scene_(scene),
        prepared_(prepared),
        world_(*prepared.world),
        found_(bond_loads(world_, gravity_at(prepared.methods.environment, world_.time))) {}

  void run(std::uint32_t entry, const BondGroup& group) {
    const Bonds& bonds = world_.bonds();
    BoundBonds bound;
    std::vector<std::uint32_t> which;
    std::vector<Wrench> loads;
    for (std::uint32_t k = 0; k < bonds.size(); ++k) {
      if (bonds.entry[k] != entry || !bonds.whole(k)) continue;
      if (found_.support[k] != Support::root) refuse(k);
      which.push_back(k);
      loads.push_back(found_.load[k]);
      bound.add(world_, {bonds.a[k], bonds.b[k], entry, bonds.section[k], bonds.branch[k], bonds.made_a[k],
                         bonds.made_b[k], bonds.joint[k]});
    }
    std::vector<double> memory(which.size() * static_cast<std::size_t>(group.traits.memory));
    const std::string fault = group.law->balance(bound.view(), loads, memory);
    if (!fault.empty()) throw InputError(fmt::format("{}: {}", where(entry), fault));
    world_.bonds().set_memory(which, memory);
  }

 private:
  std::string where(std::uint32_t entry) const { return scene_.where(scene_.bonds[entry].pointer + "/law"); }
  [[noreturn]] void refuse(std::uint32_t bond) const {
    const Bonds& bonds = world_.bonds();
    const std::uint32_t entry = bonds.entry[bond];
    throw InputError(fmt::format(
        "{}: bonds of law \"{}\" are to carry what hangs on them, but what they carry does not follow from statics: "
        "bodies {} and {} are part of what {}, or choose another rest.",
        where(entry), scene_.bonds[entry].law.type, bonds.a[bond], bonds.b[bond], why_unknown(found_.support[bond])));
  }

  const Scene& scene_;
  Prepared& prepared_;
  World& world_;
  BondLoads found_;
};

}  // namespace

void balance_bonds(const Scene& scene, Prepared& prepared) {
  const auto balances = [](const BondGroup& group) { return group.traits.balances; };
  const std::vector<BondGroup>& groups = prepared.methods.bonds;
  if (std::ranges::none_of(groups, balances)) return;
  Balance balance(scene, prepared);
  for (std::uint32_t k = 0; k < groups.size(); ++k)
    if (balances(groups[k])) balance.run(k, groups[k]);
}

}  // namespace scree
