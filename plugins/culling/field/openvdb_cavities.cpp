#include "field/openvdb_cavities.hpp"

#include <vector>

namespace scree::culling {

namespace {

using openvdb::BoolTree;
using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::Index;

constexpr int kLeafEdge = BoolTree::LeafNodeType::DIM;

/// Flood of air from outside. A block is what a leaf of OpenVDB has: 8 x 8 x 8 voxels. Blocks of air alone are one step
/// each; the others are walked voxel by voxel.
class Flood {
 public:
  Flood(const BoolTree& matter, const CoordBBox& box)
      : box_(box), blocks_(block_of(box.max()).offsetBy(1)), matter_(matter), at_(matter_), reached_at_(reached_) {
    kind_.assign(static_cast<std::size_t>(blocks_.x()) * static_cast<std::size_t>(blocks_.y()) *
                     static_cast<std::size_t>(blocks_.z()),
                 kAir);
    for (auto leaf = matter.cbeginLeaf(); leaf; ++leaf)
      if (box_.hasOverlap(leaf->getNodeBoundingBox()))
        kind(block_of(leaf->origin())) = leaf->getValueMask().isOn() ? kSolid : kMixed;
    auto tile = matter.cbeginValueOn();
    tile.setMaxDepth(BoolTree::ValueOnCIter::LEAF_DEPTH - 1);
    for (; tile; ++tile) {
      CoordBBox solid = tile.getBoundingBox();
      solid.intersect(box_);
      if (!solid.empty()) for_each_block(solid, [&](const Coord& b) { kind(b) = kSolid; });
    }
    for_each_block(box_, [&](const Coord& b) {  // those that the box cuts
      if (kind(b) == kAir && !box_.isInside(voxels_of(b))) kind(b) = kMixed;
    });
  }

  void from_sides() {
    for_each_block(box_, [&](const Coord& b) {
      bool beside = false;
      for (int k = 0; k < 3; ++k) beside = beside || b[k] == 0 || b[k] + 1 == blocks_[k];
      if (!beside || kind(b) == kSolid) return;
      for_each_voxel(voxels_of(b), [&](const Coord& v) {
        for (int k = 0; k < 3; ++k)
          if (v[k] == box_.min()[k] || v[k] == box_.max()[k]) return reach(v);
      });
    });
    spread();
  }
  void from(const BoolTree& open) {
    for (auto leaf = open.cbeginLeaf(); leaf; ++leaf)
      for (auto v = leaf->cbeginValueOn(); v; ++v) reach(v.getCoord());
    spread();
  }

  /// Air that was not reached becomes matter.
  void fill_rest(BoolTree& matter) {
    openvdb::tree::ValueAccessor<BoolTree> at(matter);
    for_each_block(box_, [&](const Coord& b) {
      if (kind(b) == kAir) at.addTile(1, voxels_of(b).min(), true, true);
      if (kind(b) == kMixed)
        for_each_voxel(voxels_of(b), [&](const Coord& v) {
          if (box_.isInside(v) && !at.isValueOn(v) && !reached_at_.isValueOn(v)) at.setValueOn(v, true);
        });
    });
  }

 private:
  enum Kind : std::uint8_t { kAir, kMixed, kSolid, kReached };
  struct Step {
    Coord at;
    bool whole;  ///< a block of air, of which this is the first voxel
  };

  static Coord block_of(const Coord& v) { return v >> 3; }
  static CoordBBox voxels_of(const Coord& block) { return CoordBBox::createCube(block << 3, kLeafEdge); }
  std::uint8_t& kind(const Coord& b) {
    const auto number = [](int n) { return static_cast<std::size_t>(n); };
    return kind_[number(b.z()) + number(blocks_.z()) * (number(b.y()) + number(blocks_.y()) * number(b.x()))];
  }
  template <class Act>
  static void for_each_voxel(const CoordBBox& in, const Act& act) {
    for (auto v = in.begin(); v; ++v) act(*v);
  }
  template <class Act>
  static void for_each_block(const CoordBBox& voxels, const Act& act) {
    for_each_voxel({block_of(voxels.min()), block_of(voxels.max())}, act);
  }

  void reach(const Coord& v) {
    if (!box_.isInside(v)) return;
    const Coord b = block_of(v);
    std::uint8_t& of_block = kind(b);
    if (of_block == kAir) {
      of_block = kReached;
      open_.push_back({voxels_of(b).min(), true});
    } else if (of_block == kMixed && !at_.isValueOn(v) && !reached_at_.isValueOn(v)) {
      reached_at_.setValueOn(v, true);
      open_.push_back({v, false});
    }
  }
  void spread() {
    while (!open_.empty()) {
      const Step step = open_.back();
      open_.pop_back();
      for (int axis = 0; axis < 3; ++axis)
        for (const int way : {-1, 1}) {
          Coord next = step.at;
          if (step.whole) {
            next[axis] += way < 0 ? -1 : kLeafEdge;
            reach_side(next, axis);
          } else {
            next[axis] += way;
            reach(next);
          }
        }
    }
  }
  /// All voxels of a block that lie beside one of air. \param first  of them
  void reach_side(const Coord& first, int axis) {
    if (!box_.isInside(first)) return;
    if (kind(block_of(first)) != kMixed) return reach(first);
    Coord last = first.offsetBy(kLeafEdge - 1);
    last[axis] = first[axis];
    for_each_voxel({first, last}, [&](const Coord& v) { reach(v); });
  }

  CoordBBox box_;
  Coord blocks_;  ///< number of blocks along each axis
  const BoolTree& matter_;
  openvdb::tree::ValueAccessor<const BoolTree> at_;
  std::vector<std::uint8_t> kind_;
  BoolTree reached_{false};  ///< in mixed blocks
  openvdb::tree::ValueAccessor<BoolTree> reached_at_;
  std::vector<Step> open_;
};

}  // namespace

void fill_cavities(BoolTree& matter, const CoordBBox& box, const BoolTree& open) {
  Flood flood(matter, box);
  flood.from_sides();
  flood.from(open);
  flood.fill_rest(matter);
}

}  // namespace scree::culling
