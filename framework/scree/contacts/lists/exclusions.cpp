#include "scree/contacts/lists/exclusions.hpp"

#include <algorithm>

#include "scree/world/fragments.hpp"

namespace scree {

Exclusions::Exclusions(const World& world, const Methods& methods) : ids_(world.id.read()) {
  const Bonds& bonds = world.bonds();
  if (bonds.alive() == 0) return;
  const auto allows_contact = [&](std::uint32_t k) { return methods.bonds[bonds.entry[k]].self_contact; };
  for (std::uint32_t k = 0; k < bonds.size(); ++k)
    if (bonds.whole(k) && allows_contact(k) && !methods.bonds[bonds.entry[k]].beside_contact)
      bonded_.emplace_back(bonds.a[k], bonds.b[k]);
  std::ranges::sort(bonded_);
  fragment_ =
      detail::fragments_by(world, [&](std::uint32_t k) { return bonds.whole(k) && !allows_contact(k); }).smallest();
}

bool Exclusions::exclude(std::uint32_t i, std::uint32_t j) const {
  if (fragment_.empty()) return false;
  if (fragment_[i] == fragment_[j]) return true;
  if (bonded_.empty()) return false;
  return std::ranges::binary_search(bonded_, std::pair(std::min(ids_[i], ids_[j]), std::max(ids_[i], ids_[j])));
}

bool Exclusions::exclude_all(std::span<const std::uint32_t> rows) const {
  return !rows.empty() && !fragment_.empty() &&
         std::ranges::all_of(rows, [&](std::uint32_t i) { return fragment_[i] == fragment_[rows[0]]; });
}

}  // namespace scree
