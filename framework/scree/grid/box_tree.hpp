#pragma once
/// \file Broad phase for moving boxes: finds boxes that meet on their way.

#include <bit>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/lane_bits.hpp"
#include "scree/base/lanes.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Box with sides along the axes; every side moves at a constant speed from its first place to its second.
struct MovingBox {
  Vec3 low[2], high[2];  ///< [m]

  MovingBox shifted(const Vec3& by) const { return {{low[0] + by, low[1] + by}, {high[0] + by, high[1] + by}}; }
};

/// Moving boxes in a tree of eight branches per node, in their order along a space-filling curve. The box of a node
/// moves as the boxes below it, so boxes that move alike stay apart however fast they are. Takes O(n) memory. See S.
/// Saltenis et al., Indexing the positions of continuously moving objects, SIGMOD 2000.
class SCREE_API BoxTree {
 public:
  explicit BoxTree(std::span<const MovingBox> boxes);

  std::size_t size() const { return order_.size(); }
  /// Returns the k-th box along the curve, as an index into the boxes that the tree was made of.
  std::uint32_t at(std::size_t k) const { return order_[k]; }
  /// Returns the box around all boxes. \pre size() > 0
  MovingBox whole() const;

  /// Calls found(k) for each box that meets this one, from the k-th along the curve on, k ascending. Boxes meet unless
  /// an axis separates them both at the beginning and at the end.
  template <class Found>
  void find(const MovingBox& box, std::size_t from, Found&& found) const {
    if (levels_.empty()) return;
    const std::size_t top = levels_.size() - 1;
    for (std::size_t group = 0; kBranches * group < levels_[top].count; ++group) visit(top, group, box, from, found);
  }

 private:
  static constexpr std::size_t kBranches = 8;
  /// Sides of a level's boxes, eight by eight: low x, y, z at the beginning, then at the end, then high ones. Places
  /// behind the last box meet nothing.
  struct Level {
    std::size_t count = 0;
    std::vector<double> sides;
    double& side(std::size_t k, int number) {
      return sides[(k / kBranches * 12 + static_cast<std::size_t>(number)) * kBranches + k % kBranches];
    }
  };
  void add_level(std::span<const MovingBox> boxes);

  unsigned meets(const Level& level, std::size_t group, const MovingBox& box) const {
    const double* const sides = &level.sides[group * 12 * kBranches];
    const auto of = [&](int number) {
      return load_as<WideLanes>(sides + static_cast<std::size_t>(number) * kBranches);
    };
    auto apart = (of(0) > box.high[0][0]) & (of(3) > box.high[1][0]);
    apart |= (of(6) < box.low[0][0]) & (of(9) < box.low[1][0]);
    for (int k = 1; k < 3; ++k) {
      apart |= (of(k) > box.high[0][k]) & (of(3 + k) > box.high[1][k]);
      apart |= (of(6 + k) < box.low[0][k]) & (of(9 + k) < box.low[1][k]);
    }
    return bits_of(~apart);
  }

  template <class Found>
  void visit(std::size_t level, std::size_t group, const MovingBox& box, std::size_t from, Found& found) const {
    for (unsigned bits = meets(levels_[level], group, box); bits != 0; bits &= bits - 1) {
      const std::size_t k = kBranches * group + static_cast<std::size_t>(std::countr_zero(bits));
      if (((k + 1) << (3 * level)) <= from) continue;  // all boxes below it come before `from`
      if (level == 0)
        found(k);
      else
        visit(level - 1, k, box, from, found);
    }
  }

  std::vector<std::uint32_t> order_;
  std::vector<Level> levels_;  ///< levels of the tree: the boxes, then nodes, the coarsest last
};

}  // namespace scree
