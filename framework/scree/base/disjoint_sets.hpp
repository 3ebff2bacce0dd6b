#pragma once
/// \file Connected pieces by union-find. The name of a set is its smallest member, whatever the order of the joins.

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <utility>
#include <vector>

namespace scree {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) { std::iota(parent_.begin(), parent_.end(), 0u); }

  std::uint32_t find(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = find(i), j = find(j);
    if (i > j) std::swap(i, j);
    parent_[j] = i;
  }
  /// Returns, for each member, the smallest member of its set.
  std::vector<std::uint32_t> smallest() {
    for (std::uint32_t i = 0; i < parent_.size(); ++i) parent_[i] = find(i);
    return parent_;
  }

 private:
  std::vector<std::uint32_t> parent_;  ///< never above the index itself
};

}  // namespace scree
