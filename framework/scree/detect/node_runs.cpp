#include "scree/detect/node_runs.hpp"

#include <vector>

namespace scree {

namespace {

struct Bond {
  std::uint32_t shared = 0;  ///< 0 = none found
  std::size_t now = 0, old = 0;
};

bool continues(const ContactMatch& m, std::size_t old) {
  for (std::size_t i = 0; i < m.new_count; ++i)
    if (m.source[i] == static_cast<std::int32_t>(old)) return true;
  return false;
}

/// The strongest bond between a contact without source and an old contact that nothing continues yet.
Bond strongest_bond(const ContactMatch& m) {
  Bond best;
  for (std::size_t o = 0; o < m.old_count; ++o) {
    if (continues(m, o)) continue;
    for (std::size_t i = 0; i < m.new_count; ++i) {
      if (m.source[i] >= 0) continue;
      const std::uint32_t shared = shared_length(m.new_payload[i], m.old_payload[o]);
      const bool tie = shared == best.shared && shared > 0;
      if (shared > best.shared || (tie && m.old_feature[o] < m.old_feature[best.old])) best = {shared, i, o};
    }
  }
  return best;
}

/// The contact of now with which an old one shares most of its outlines (ties: the first), or -1.
std::int32_t nearest_now(const ContactMatch& m, std::size_t old) {
  std::int32_t best = -1;
  std::uint32_t most = 0;
  for (std::size_t i = 0; i < m.new_count; ++i) {
    const std::uint32_t shared = shared_length(m.new_payload[i], m.old_payload[old]);
    if (shared > most) most = shared, best = static_cast<std::int32_t>(i);
  }
  return best;
}

}  // namespace

void match_runs(const ContactMatch& m) {
  std::fill_n(m.source, m.new_count, -1);
  const std::size_t most = std::min(m.new_count, m.old_count);
  for (std::size_t k = 0; k < most; ++k) {
    const Bond bond = strongest_bond(m);
    if (bond.shared == 0) break;
    m.source[bond.now] = static_cast<std::int32_t>(bond.old);
  }
  for (std::size_t i = 0; i < m.new_count; ++i) {
    m.new_feature[i] = m.source[i] >= 0 ? m.old_feature[m.source[i]] : unused_feature(m, i);
  }
  if (!m.successor) return;
  for (std::size_t o = 0; o < m.old_count; ++o)
    if (!continues(m, o)) m.successor[o] = nearest_now(m, o);
}

}  // namespace scree
