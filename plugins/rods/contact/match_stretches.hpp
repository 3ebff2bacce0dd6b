#pragma once
/// \file Matching of contacts along a stretch from step to step. Each face, or the other body, has up to two: the
/// nearest one and that at the far end of the stretch.

#include "scree/detect/contact_match.hpp"

namespace scree::rods {

/// The payload of the nearest contact with this face; that of the far one is one more.
inline std::uint64_t first_payload(int face) { return 2 * static_cast<std::uint64_t>(face) + 1; }

/// By features, which name the ends of the stretch. A nearest contact that has come from the middle of the stretch to
/// an end, or left one, continues the nearest contact of before.
inline void match_stretches(const ContactMatch& m) {
  for (std::size_t i = 0; i < m.new_count; ++i) {
    std::int32_t same_feature = -1, same_payload = -1;
    for (std::size_t j = 0; j < m.old_count; ++j) {
      if (m.old_feature[j] == m.new_feature[i]) same_feature = static_cast<std::int32_t>(j);
      if (m.old_payload[j] == m.new_payload[i]) same_payload = static_cast<std::int32_t>(j);
    }
    const bool nearest = m.new_payload[i] % 2 == 1;
    m.source[i] = same_feature >= 0 || !nearest ? same_feature : same_payload;
  }
}

}  // namespace scree::rods
