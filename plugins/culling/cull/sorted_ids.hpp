#pragma once
/// \file Sets of ids as ascending vectors.

#include <algorithm>
#include <iterator>
#include <span>
#include <vector>

#include "scree/base/types.hpp"

namespace scree::culling {

using Ids = std::vector<Id>;

inline void sort_unique(Ids& ids) {
  std::sort(ids.begin(), ids.end());
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
}
inline bool has(std::span<const Id> ids, Id id) { return std::binary_search(ids.begin(), ids.end(), id); }
inline Ids united(std::span<const Id> a, std::span<const Id> b) {
  Ids sum;
  std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(sum));
  return sum;
}
inline Ids common(std::span<const Id> a, std::span<const Id> b) {
  Ids both;
  std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
  return both;
}
inline Ids without(std::span<const Id> a, std::span<const Id> b) {
  Ids rest;
  std::set_difference(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(rest));
  return rest;
}

}  // namespace scree::culling
