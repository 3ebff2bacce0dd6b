#include "scree/contacts/lists/space_blocks.hpp"

#include <algorithm>
#include <cmath>

#include "scree/base/parallel.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace {

/// Approximate number of pairs of a block where bodies are dense. Few enough for its data to stay in the second-level
/// cache and for threads to share the work evenly; enough for few bodies to be in several blocks.
constexpr double kPairsPerBlock = 2048;

/// Returns the median of finite radii [m]; 0 if there is none.
double median_radius(std::span<const double> radius) {
  std::vector<double> finite;
  for (const double r : radius)
    if (std::isfinite(r) && r > 0) finite.push_back(r);
  if (finite.empty()) return 0;
  const auto middle = finite.begin() + static_cast<std::ptrdiff_t>(finite.size() / 2);
  std::nth_element(finite.begin(), middle, finite.end());
  return *middle;
}

/// Returns L for cubes of 2^L cells. It assumes that bodies fill 0.6 of a cell's volume or 0.8 of its area, and have
/// four listed pairs each in space, three in the plane.
int level(int dimension, double width, double median) {
  if (median <= 0) return 0;
  const double ratio = width / (2 * median);
  const bool plane = dimension == 2;
  const double bodies = plane ? 1.02 * ratio * ratio : 1.15 * ratio * ratio * ratio;
  const double cells = kPairsPerBlock / ((plane ? 3 : 4) * bodies);
  return std::max(0, static_cast<int>(std::lround(std::log2(cells) / (plane ? 2 : 3))));
}

}  // namespace

SpaceBlocks::SpaceBlocks(const Bodies& bodies, const SpatialOrder& order, int dimension, double width)
    : width_(width), level_(level(dimension, width, median_radius(bodies.radius))) {
  const std::size_t n = order.cell.size();
  const int shift = 3 * level_;
  block_.resize(n);
  held_.resize(n);
  rank_.resize(n);
  parallel_for(static_cast<std::ptrdiff_t>(n), [&](std::ptrdiff_t at) {
    const auto i = static_cast<std::size_t>(at);
    block_[i] = shift < 64 ? order.cell[i] >> shift : 0;
    held_[i] = bodies.kind[i] != static_cast<std::uint32_t>(BodyKind::dynamic) || !std::isfinite(bodies.radius[i]);
    rank_[order.rows[i]] = static_cast<std::uint32_t>(i);
  });
  for (const std::uint32_t row : bodies.large) held_[row] = 1;
}

std::vector<SpaceBlocks::Stretch> SpaceBlocks::stretches(const SpatialOrder& order) const {
  std::vector<Stretch> found;
  for (std::uint32_t place = 0; place < order.rows.size(); ++place) {
    const std::uint32_t row = order.rows[place];
    if (found.empty() || found.back().block != block_[row]) found.push_back({place, 0, block_[row]});
    if (!held_[row]) ++found.back().homes;
  }
  return found;
}

}  // namespace scree
