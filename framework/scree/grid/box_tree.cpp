#include "scree/grid/box_tree.hpp"

#include <algorithm>
#include <limits>

#include "scree/grid/detail/curve.hpp"

namespace scree {

namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();

MovingBox nothing() {
  const Vec3 far = Vec3::Constant(kInfinity);
  return {{far, far}, {-far, -far}};
}

void join(MovingBox& box, const MovingBox& other) {
  for (int t = 0; t < 2; ++t) {
    box.low[t] = box.low[t].cwiseMin(other.low[t]);
    box.high[t] = box.high[t].cwiseMax(other.high[t]);
  }
}

Vec3 middle(const MovingBox& box) { return 0.25 * (box.low[0] + box.high[0] + box.low[1] + box.high[1]); }

/// Returns the indices of boxes, ordered by their middles along a curve through 2^63 cells of the space they fill.
std::vector<std::uint32_t> order_of(std::span<const MovingBox> boxes) {
  Vec3 low = Vec3::Constant(kInfinity), high = -low;
  for (const MovingBox& box : boxes) {
    low = low.cwiseMin(middle(box));
    high = high.cwiseMax(middle(box));
  }
  const double width = std::max((high - low).maxCoeff() / double(detail::kCells - 1), 1e-300);
  std::vector<std::pair<std::uint64_t, std::uint32_t>> keys(boxes.size());
  for (std::uint32_t i = 0; i < keys.size(); ++i)
    keys[i] = {detail::along_curve(detail::cell_of(middle(boxes[i]), low, width)), i};
  std::sort(keys.begin(), keys.end());
  std::vector<std::uint32_t> order;
  for (const auto& [key, i] : keys) order.push_back(i);
  return order;
}

}  // namespace

void BoxTree::add_level(std::span<const MovingBox> boxes) {
  Level& level = levels_.emplace_back();
  level.count = boxes.size();
  const std::size_t places = (boxes.size() + kBranches - 1) / kBranches * kBranches;
  level.sides.resize(12 * places);
  for (std::size_t k = 0; k < places; ++k) {
    const MovingBox box = k < boxes.size() ? boxes[k] : nothing();
    for (int t = 0; t < 2; ++t)
      for (int axis = 0; axis < 3; ++axis) {
        level.side(k, 3 * t + axis) = box.low[t][axis];
        level.side(k, 6 + 3 * t + axis) = box.high[t][axis];
      }
  }
}

BoxTree::BoxTree(std::span<const MovingBox> boxes) : order_(order_of(boxes)) {
  std::vector<MovingBox> of_level;
  for (const std::uint32_t i : order_) of_level.push_back(boxes[i]);
  while (!of_level.empty()) {
    add_level(of_level);
    if (of_level.size() <= kBranches) break;
    std::vector<MovingBox> nodes((of_level.size() + kBranches - 1) / kBranches, nothing());
    for (std::size_t k = 0; k < of_level.size(); ++k) join(nodes[k / kBranches], of_level[k]);
    of_level = std::move(nodes);
  }
}

MovingBox BoxTree::whole() const {
  MovingBox all = nothing();
  Level top = levels_.back();
  for (std::size_t k = 0; k < top.count; ++k)
    for (int t = 0; t < 2; ++t)
      for (int axis = 0; axis < 3; ++axis) {
        all.low[t][axis] = std::min(all.low[t][axis], top.side(k, 3 * t + axis));
        all.high[t][axis] = std::max(all.high[t][axis], top.side(k, 6 + 3 * t + axis));
      }
  return all;
}

}  // namespace scree
