/// \file Which bodies bonds keep from touching each other: pairs of them are not listed.

#include <algorithm>
#include <utility>

#include "scree/contacts/detail/pipeline_parts.hpp"
#include "scree/world/fragments.hpp"

namespace scree {

/// Who does not touch: bodies joined by a bond, and, unless their bonds allow it, those that hang together by many.
void ContactPipeline::find_fragments() {
  const Bonds& bonds = world_.bonds();
  bonds_ = bonds.version();
  bonded_.clear();
  fragment_.clear();
  if (bonds.alive() == 0) return;
  const auto allows_contact = [&](std::uint32_t k) { return methods_.bonds[bonds.entry[k]].self_contact; };
  for (std::uint32_t k = 0; k < bonds.size(); ++k)
    if (bonds.whole(k) && allows_contact(k)) bonded_.emplace_back(bonds.a[k], bonds.b[k]);
  std::ranges::sort(bonded_);
  fragment_ =
      detail::fragments_by(world_, [&](std::uint32_t k) { return bonds.whole(k) && !allows_contact(k); }).smallest();
}

/// Whether two of these bodies may touch at all: not where no law is for any two, or all hang together.
bool ContactPipeline::anyone_may_touch(const std::vector<std::uint32_t>& rows) const {
  if (methods_.channels.empty()) return false;
  return rows.empty() || fragment_.empty() ||
         !std::ranges::all_of(rows, [&](std::uint32_t i) { return fragment_[i] == fragment_[rows[0]]; });
}

bool ContactPipeline::held_together(std::uint32_t i, std::uint32_t j) const {
  if (fragment_.empty()) return false;
  if (fragment_[i] == fragment_[j]) return true;
  if (bonded_.empty()) return false;
  const auto ids = world_.id.read();
  return std::ranges::binary_search(bonded_, std::pair(std::min(ids[i], ids[j]), std::max(ids[i], ids[j])));
}

}  // namespace scree
