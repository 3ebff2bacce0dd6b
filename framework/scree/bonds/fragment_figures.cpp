#include "scree/bonds/fragment_figures.hpp"

#include <algorithm>
#include <utility>
#include <vector>

#include "scree/world/fragments.hpp"

namespace scree {

namespace {

/// Names of the metrics of fragments among bodies that bonds were made for: their number, the number of those of one
/// body, and the mass of the heaviest [kg].
constexpr const char *kFragments = "fragments", *kSingle = "fragments_of_one_body", *kHeaviest = "heaviest_fragment_kg";

/// Bonds of each body: how many were made for it, and how many of them broke.
struct BondCounts {
  std::vector<std::uint32_t> made, broken;  ///< by row

  explicit BondCounts(const World& world) : made(world.size()), broken(world.size()) {
    const Bonds& bonds = world.bonds();
    for (std::uint32_t k = 0; k < bonds.size(); ++k)
      for (const Id id : {bonds.a[k], bonds.b[k]})
        if (const auto row = world.row(id)) ++made[*row], broken[*row] += !bonds.whole(k);
  }
};

}  // namespace

FragmentFigures::FragmentFigures(World& world)
    : world_(world), fragment_(world.column<Id>("fragment")), damage_(world.column<double>("damage")) {
  count();
}

/// Sums run in the order of ids: the same bits whatever the order of rows.
void FragmentFigures::count() {
  const Bonds& bonds = world_.bonds();
  const auto id = world_.id.read();
  DisjointSets fragments = detail::fragments_by(world_, [&](std::uint32_t k) { return bonds.whole(k); });
  const BondCounts counts(world_);
  std::vector<std::pair<Id, std::uint32_t>> rows;
  for (std::uint32_t i = 0; i < world_.size(); ++i) rows.emplace_back(id[i], i);
  std::ranges::sort(rows);
  std::vector<double> mass(world_.size());
  std::vector<std::uint32_t> bodies(world_.size());
  std::vector<Id> smallest(world_.size(), kNewId);
  {
    const auto fragment = fragment_.write();
    const auto damage = damage_.write();
    for (const auto& [body, i] : rows) {
      const std::uint32_t set = fragments.find(i);
      fragment[i] = smallest[set] = std::min(smallest[set], body);
      damage[i] = counts.made[i] > 0 ? static_cast<double>(counts.broken[i]) / counts.made[i] : 0;
      if (counts.made[i] > 0) mass[set] += world_.mass.read()[i], ++bodies[set];
    }
  }
  world_.metric(kFragments) = static_cast<double>(std::ranges::count_if(bodies, [](auto n) { return n > 0; }));
  world_.metric(kSingle) = static_cast<double>(std::ranges::count(bodies, 1U));
  world_.metric(kHeaviest) = mass.empty() ? 0 : std::ranges::max(mass);
}

}  // namespace scree
