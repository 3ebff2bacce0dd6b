#include "edge_tree.hpp"

#include <algorithm>

namespace scree::spheropolygon {

Box box_of(const Segment& e) {
  Box box;
  box.add(Vec2(e.mx - e.hx, e.my - e.hy));
  box.add(Vec2(e.mx + e.hx, e.my + e.hy));
  return box;
}

EdgeTree::EdgeTree(std::span<const Segment> edges) : edges_(edges.begin(), edges.end()) {
  if (edges.empty()) return;
  std::vector<Box> boxes;
  for (const Segment& e : edges) boxes.push_back(box_of(e));
  levels_.push_back(std::move(boxes));
  while (levels_.back().size() > kRun) {
    const std::vector<Box>& below = levels_.back();
    std::vector<Box> above((below.size() + kRun - 1) / kRun);
    for (std::size_t k = 0; k < below.size(); ++k) above[k / kRun].add(below[k]);
    levels_.push_back(std::move(above));
  }
}

void EdgeTree::find(const Box& box, std::vector<std::uint32_t>& found) const {
  if (!levels_.empty()) find(levels_.size() - 1, 0, box, found);
}

void EdgeTree::find(std::size_t level, std::size_t first, const Box& box, std::vector<std::uint32_t>& found) const {
  const std::vector<Box>& boxes = levels_[level];
  for (std::size_t k = first; k < std::min(first + kRun, boxes.size()); ++k) {
    if (!boxes[k].meets(box)) continue;
    if (level > 0)
      find(level - 1, k * kRun, box, found);
    else
      found.push_back(static_cast<std::uint32_t>(k));
  }
}

EdgeTree::Nearest EdgeTree::nearest(const Vec2& p) const {
  Nearest best;
  best.foot.d2 = std::numeric_limits<double>::infinity();
  nearest(levels_.size() - 1, 0, p, best);
  return best;
}

void EdgeTree::nearest(std::size_t level, std::size_t first, const Vec2& p, Nearest& best) const {
  const std::vector<Box>& boxes = levels_[level];
  for (std::size_t k = first; k < std::min(first + kRun, boxes.size()); ++k) {
    if (boxes[k].squared_distance(p) >= best.foot.d2) continue;
    if (level > 0) {
      nearest(level - 1, k * kRun, p, best);
      continue;
    }
    const Foot<double> foot = foot_on_segment(p.x(), p.y(), edges_[k]);
    if (foot.d2 < best.foot.d2) best = {static_cast<std::uint32_t>(k), foot};
  }
}

}  // namespace scree::spheropolygon
