#include "scree/grid/close_pairs.hpp"

#include <algorithm>
#include <utility>

#include "scree/grid/periodic_pairs.hpp"

namespace scree {

std::vector<RowPair> close_pairs(const World& world, std::span<const std::uint32_t> rows, double reach) {
  std::vector<RowPair> pairs;
  const auto x = world.position.read();
  const auto r = world.radius.read();
  if (!world.cell.any()) {
    PairFinder().find(x, r, rows, reach, pairs);
    return pairs;
  }
  std::vector<ImagePair> images;
  PeriodicPairs().find(world.cell, x, r, rows, reach, images);
  for (const ImagePair& p : images) pairs.push_back({std::min(p.i, p.j), std::max(p.i, p.j)});
  const auto key = [](const RowPair& p) { return std::pair(p.i, p.j); };
  std::ranges::sort(pairs, {}, key);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

}  // namespace scree
