#pragma once
/// \file Matching of current contacts with the contacts of the last step that they continue. Host and device.

#include <cstddef>
#include <cstdint>

#include "scree/base/api.hpp"

namespace scree {

/// Contacts of one pair in the last committed step and in the current one, for passing on history.
struct ContactMatch {
  std::size_t old_count, new_count;
  const std::uint32_t* old_feature;
  const std::uint64_t* old_payload;
  std::uint32_t* new_feature;  ///< features as pushed by detect(); match() makes them distinct
  const std::uint64_t* new_payload;
  std::int32_t* source;  ///< (new_count) out: old contact whose history is inherited, or -1; several may copy one
  /// Contacts that take over the impulse of rigid contact, which, unlike a spring, must not be copied: (old_count) or
  /// null, comes in as -1. The default is the contact with the same feature, else the first whose source it is. match()
  /// names a current contact for old ones that have neither; several may share one.
  std::int32_t* successor = nullptr;
};

/// Returns the smallest feature that neither an old contact nor one of the first `numbered` new ones has, for match().
SCREE_HD inline std::uint32_t unused_feature(const ContactMatch& m, std::size_t numbered) {
  const auto in_use = [&](std::uint32_t feature) {
    bool found = false;
    for (std::size_t j = 0; j < m.old_count; ++j) found = found || m.old_feature[j] == feature;
    for (std::size_t i = 0; i < numbered; ++i) found = found || m.new_feature[i] == feature;
    return found;
  };
  std::uint32_t feature = 0;
  while (in_use(feature)) ++feature;
  return feature;
}

}  // namespace scree
