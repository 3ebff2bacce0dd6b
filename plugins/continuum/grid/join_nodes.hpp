#pragma once
/// \file Nodes that have given their mass to others.

#include <algorithm>
#include <array>
#include <cstdint>
#include <span>

#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

/// Names in a row the nodes that have the mass, each of them once, with the sum of what belongs to it.
/// \param value   value of each place
/// \param target  (nodes) the node that has the mass of each: itself, or another one; empty: itself
template <std::size_t N, class Value>
void join_nodes(std::array<std::uint32_t, N>& node, std::array<Value, N>& value,
                std::span<const std::uint32_t> target) {
  if (target.empty()) return;
  for (std::size_t n = 0; n < N; ++n) {
    if (node[n] == kNoNode || target[node[n]] == node[n]) continue;
    const std::uint32_t to = target[node[n]];
    const auto found = std::ranges::find(node, to);
    if (found == node.end()) {
      node[n] = to;
    } else {
      value[static_cast<std::size_t>(found - node.begin())] += value[n];
      node[n] = kNoNode;
    }
  }
}

}  // namespace scree::continuum
