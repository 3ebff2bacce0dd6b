#include "field/openvdb_distance.hpp"

#include <openvdb/tools/Morphology.h>
#include <openvdb/tree/LeafManager.h>

#include <algorithm>
#include <vector>

namespace scree::culling {

namespace {

using openvdb::BoolTree;
using openvdb::Coord;
using openvdb::Index;
using openvdb::Int32Tree;
using Leaf = Int32Tree::LeafNodeType;
using Leaves = openvdb::tree::LeafManager<Int32Tree>;

constexpr int kEdge = Leaf::DIM;

/// Leaves that a band has to each side of one.
int leaves_within(int reach) { return (reach + kEdge - 1) / kEdge; }

/// Leaves for all of matter that air may be near to, 0 in that air, which is the nearest to whatever matter there is.
Int32Tree sources(const BoolTree& matter, const openvdb::CoordBBox& box, int reach) {
  Int32Tree squares(kBeyond);
  openvdb::tree::ValueAccessor<Int32Tree> at(squares);
  const openvdb::tree::ValueAccessor<const BoolTree> matter_at(matter);
  const BoolTree rim = air_beside(matter, box);
  const int far = leaves_within(reach) * kEdge;
  for (auto leaf = rim.cbeginLeaf(); leaf; ++leaf) {
    if (leaf->onVoxelCount() == 0) continue;
    Leaf* const here = at.touchLeaf(leaf->origin());
    for (auto v = leaf->cbeginValueOn(); v; ++v) here->setValueOnly(v.pos(), 0);
    for (int x = -far; x <= far; x += kEdge)
      for (int y = -far; y <= far; y += kEdge)
        for (int z = -far; z <= far; z += kEdge)
          if (const Coord there = leaf->origin().offsetBy(x, y, z);
              matter_at.probeConstLeaf(there) || matter_at.isValueOn(there))
            at.touchLeaf(there);
  }
  return squares;
}

/// One pass of the transform: values become min over |o| <= reach of value(at o along the axis) + o^2.
/// \param step  between voxels of a leaf along the axis
void pass(Leaves& leaves, const Int32Tree& squares, int axis, Index step, int reach) {
  const int side = leaves_within(reach), size = kEdge * (2 * side + 1);
  leaves.foreach ([&](Leaf& leaf, std::size_t number) {
    const openvdb::tree::ValueAccessor<const Int32Tree> at(squares);
    std::int32_t* const out = leaves.getBuffer(number, 1).data();
    std::vector<std::int32_t> block(static_cast<std::size_t>(size));
    std::vector<const Leaf*> along;
    for (int k = -side; k <= side; ++k) {
      Coord there = leaf.origin();
      there[axis] += k * kEdge;
      along.push_back(at.probeConstLeaf(there));
    }
    for (Index line = 0; line < Leaf::SIZE; ++line) {
      if (line / step % kEdge != 0) continue;  // the first voxel of a line along the axis
      for (std::size_t k = 0; k < along.size(); ++k)
        for (Index n = 0; n < kEdge; ++n)
          block[k * kEdge + n] = along[k] ? along[k]->getValue(line + n * step) : kBeyond;
      std::int32_t best[kEdge];
      std::fill_n(best, kEdge, kBeyond);
      for (int o = -reach; o <= reach; ++o)
        for (int n = 0; n < kEdge; ++n)
          best[n] = std::min(best[n], block[static_cast<std::size_t>(side * kEdge + o + n)] + o * o);
      for (Index n = 0; n < kEdge; ++n) out[line + n * step] = best[n];
    }
  });
  leaves.swapLeafBuffer(1);
}

}  // namespace

openvdb::BoolTree air_beside(const BoolTree& matter, const openvdb::CoordBBox& box) {
  using namespace openvdb::tools;
  BoolTree rim(matter);
  dilateActiveValues(rim, 1, NN_FACE, PRESERVE_TILES);
  rim.topologyDifference(matter);
  for (auto leaf = rim.beginLeaf(); leaf; ++leaf)
    if (!box.isInside(leaf->getNodeBoundingBox()))
      for (auto v = leaf->beginValueOn(); v; ++v)
        if (!box.isInside(v.getCoord())) v.setValueOff();
  return rim;
}

/// Axis by axis, as for dense grids. No nearest air within reach is missed: what lies on the way from it along the axes
/// is in leaves of the band, being matter, or it would be nearer air.
Int32Tree squared_distances(const BoolTree& matter, const openvdb::CoordBBox& box, int reach) {
  Int32Tree squares = sources(matter, box, reach);
  Leaves leaves(squares, 1);
  const Index steps[3] = {kEdge * kEdge, kEdge, 1};
  for (int axis = 0; axis < 3; ++axis) pass(leaves, squares, axis, steps[axis], reach);
  return squares;
}

}  // namespace scree::culling
