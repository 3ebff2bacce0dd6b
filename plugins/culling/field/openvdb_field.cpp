#include <fmt/format.h>
#include <omp.h>
#include <openvdb/openvdb.h>
#include <openvdb/tools/LevelSetUtil.h>
#include <openvdb/tools/Morphology.h>
#include <tbb/task_arena.h>

#include <algorithm>
#include <cmath>

#include "field/openvdb_cavities.hpp"
#include "field/openvdb_distance.hpp"
#include "field/solid_field.hpp"
#include "field/surface_net.hpp"
#include "field/voxel_reading.hpp"
#include "field/wall_blocks.hpp"
#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

namespace scree::culling {

namespace {

using openvdb::BoolTree;
using openvdb::Coord;
using openvdb::CoordBBox;
using openvdb::Int32Tree;

constexpr double kMostBlocks = 6e8;  // of 8 x 8 x 8 voxels, a byte each where cavities are looked for
constexpr int kLeaf = BoolTree::LeafNodeType::DIM;
static_assert(kLeaf == kBlock);

/// Matter as active voxels and tiles, depth as a narrow band below its surface. OpenVDB works on as many threads as
/// OpenMP has, or fewer. Trees need no openvdb::initialize(), which registers types for files.
class OpenVdbField final : public SolidField {
 public:
  OpenVdbField(const FieldBox& box, double deepest)
      : grid_(voxel_grid(box)), band_(static_cast<int>(std::ceil(deepest / box.voxel)) + 2) {
    check_size();
    const auto& n = grid_.size.n;
    box_ = CoordBBox({0, 0, 0}, coord(n[0] - 1, n[1] - 1, n[2] - 1));
  }

  void add(std::span<const Ball> balls) override {
    for (const Ball& ball : balls)
      for_each_in(ball, matter_, [](auto& leaf, openvdb::Index v) { leaf.setValueOn(v, true); });
    squares_.reset();
  }
  void subtract(std::span<const Ball> balls) override {
    for (const Ball& ball : balls)
      for (BoolTree* const tree : {&matter_, &wall_})
        for_each_in(ball, *tree, [](auto& leaf, openvdb::Index v) { leaf.setValueOff(v); });
    squares_.reset();
  }
  void add_wall(const DistanceOf& wall, bool exact) override;
  void close(double r) override {
    arena_.execute([&] { close_voxels(r / grid_.edge); });
    squares_.reset();
  }
  void fill_cavities() override {
    arena_.execute([&] { fill_closed_air(); });
    squares_.reset();
  }
  void depth(std::span<const Vec3> points, std::span<double> depth) override {
    if (!squares_)
      arena_.execute([&] { squares_ = std::make_unique<Int32Tree>(squared_distances(matter_, box_, band_)); });
    const auto edge = static_cast<float>(grid_.edge);
    parallel_for(static_cast<std::ptrdiff_t>(points.size()), [&](std::ptrdiff_t k) {
      const openvdb::tree::ValueAccessor<const Int32Tree, false> at(*squares_);
      const openvdb::tree::ValueAccessor<const BoolTree, false> matter_at(matter_);
      depth[k] = interpolated(grid_, points[k], [&](std::size_t x, std::size_t y, std::size_t z) {
        const Coord v = coord(x, y, z);
        const auto square = static_cast<float>(matter_at.isValueOn(v) ? at.getValue(v) : 0);
        return static_cast<double>(depth_of_voxel(square, edge));
      });
    });
  }
  void shallower(std::span<const Vec3> points, double than, std::span<char> is) override {
    const AirSearch search(grid_, than);
    parallel_for(
        static_cast<std::ptrdiff_t>(points.size()),
        [&](std::ptrdiff_t k) {
          const openvdb::tree::ValueAccessor<const BoolTree, false> at(matter_);
          is[k] = search.finds(
              points[k], [&](std::size_t x, std::size_t y, std::size_t z) { return !at.isValueOn(coord(x, y, z)); });
        },
        100);
  }
  std::size_t components() override {
    std::vector<BoolTree::Ptr> pieces;
    arena_.execute([&] { openvdb::tools::segmentActiveVoxels(matter_, pieces); });
    return pieces.size();
  }
  Triangles surface() override;

 private:
  static Coord coord(std::size_t x, std::size_t y, std::size_t z) {
    return {static_cast<int>(x), static_cast<int>(y), static_cast<int>(z)};
  }

  /// change(leaf, offset of a voxel in it) for all voxels in a ball.
  template <class Change>
  void for_each_in(const Ball& ball, BoolTree& tree, const Change& change) const {
    const Vec3 c = (ball.centre - grid_.lower) / grid_.edge;
    const double r = ball.radius / grid_.edge;
    const auto corner = [](const Vec3& v) {
      return Coord(static_cast<int>(v.x()), static_cast<int>(v.y()), static_cast<int>(v.z()));
    };
    CoordBBox about(corner((c.array() - r).ceil()), corner((c.array() + r).floor()));
    about.intersect(box_);
    if (about.empty()) return;
    const double most = ball.radius * ball.radius;
    const auto square = [&](int axis, int voxel) {
      const double away = grid_.lower[axis] + grid_.edge * voxel - ball.centre[axis];
      return away * away;
    };
    for (auto block = CoordBBox(about.min() >> 3, about.max() >> 3).begin(); block; ++block) {
      BoolTree::LeafNodeType* const leaf = tree.touchLeaf(*block << 3);
      CoordBBox part = leaf->getNodeBoundingBox();
      part.intersect(about);
      for (int x = part.min().x(); x <= part.max().x(); ++x)
        for (int y = part.min().y(); y <= part.max().y(); ++y) {
          const double of_x = square(0, x), of_y = square(1, y);
          for (int z = part.min().z(); z <= part.max().z(); ++z)
            if (of_x + (of_y + square(2, z)) <= most) change(*leaf, BoolTree::LeafNodeType::coordToOffset({x, y, z}));
        }
    }
  }

  void close_voxels(double r);
  BoolTree surface_voxels() const;
  void check_size() const;
  void fill_closed_air();

  VoxelGrid grid_;
  CoordBBox box_;
  int band_;  ///< [voxels]
  BoolTree matter_{false}, wall_{false};
  std::unique_ptr<Int32Tree> squares_;  ///< squared distances from air [voxels^2]; nullptr: not measured
  tbb::task_arena arena_{std::min(omp_get_max_threads(), tbb::this_task_arena::max_concurrency())};
};

void OpenVdbField::check_size() const {
  double blocks = 1;
  for (const std::size_t n : grid_.size.n) blocks *= std::ceil(static_cast<double>(n) / kLeaf);
  if (blocks < kMostBlocks) return;
  throw NumericalError(fmt::format(
      "granular-culling: granules spread over a box of {:.3g} voxels, more than {:.3g}. Use a coarser voxel "
      "or keep them together with walls.",
      blocks * kLeaf * kLeaf * kLeaf, kMostBlocks * kLeaf * kLeaf * kLeaf));
}

/// Blocks are leaves of OpenVDB, with the same order of voxels.
void OpenVdbField::add_wall(const DistanceOf& wall, bool exact) {
  openvdb::tree::ValueAccessor<BoolTree> at(wall_);
  const auto set = [&](const FirstVoxel& first, const auto& is_in) {
    BoolTree::LeafNodeType& leaf = *at.touchLeaf(coord(first[0], first[1], first[2]));
    for (openvdb::Index n = 0; n < kBlockVoxels; ++n)
      if (is_in(n) && box_.isInside(leaf.offsetToGlobalCoord(n))) leaf.setValueOn(n, true);
  };
  for_blocks_of(
      wall, exact, grid_,
      [&](const FirstVoxel& first) {
        const Coord origin = coord(first[0], first[1], first[2]);
        if (box_.isInside(CoordBBox::createCube(origin, kLeaf)))
          at.addTile(1, origin, true, true);
        else
          set(first, [](openvdb::Index) { return true; });
      },
      [&](const FirstVoxel& first, std::span<const double> distance) {
        set(first, [&](openvdb::Index n) { return distance[n] <= 0; });
      });
  matter_.topologyUnion(wall_);
  squares_.reset();
}

/// Matter that shares a face with air.
BoolTree OpenVdbField::surface_voxels() const {
  BoolTree surface = air_beside(matter_, box_);
  openvdb::tools::dilateActiveValues(surface, 1, openvdb::tools::NN_FACE, openvdb::tools::PRESERVE_TILES);
  surface.topologyIntersection(matter_);
  return surface;
}

/// Air within r of matter, but not within r of what is then left of the air. \param r  [voxels]
void OpenVdbField::close_voxels(double r) {
  const auto reach = static_cast<float>(r * r);
  const int wide = static_cast<int>(std::ceil(r)) + 1;
  BoolTree wider(matter_);
  openvdb::tree::ValueAccessor<BoolTree> at(wider);
  const BoolTree surface = surface_voxels();
  for (auto v = surface.cbeginValueOn(); v; ++v)
    for (int x = -wide; x <= wide; ++x)
      for (int y = -wide; y <= wide; ++y)
        for (int z = -wide; z <= wide; ++z)
          if (const Coord there = v.getCoord().offsetBy(x, y, z);
              static_cast<float>(x * x + y * y + z * z) <= reach && box_.isInside(there))
            at.setValueOn(there, true);
  const Int32Tree squares = squared_distances(wider, box_, wide);
  for (auto leaf = squares.cbeginLeaf(); leaf; ++leaf)
    for (auto v = leaf->cbeginValueAll(); v; ++v)
      if (static_cast<float>(v.getValue()) <= reach) at.setValueOff(v.getCoord());
  matter_.topologyUnion(wider);
}

/// Air beside a wall is no cavity.
void OpenVdbField::fill_closed_air() {
  using namespace openvdb::tools;
  BoolTree beside(wall_);
  dilateActiveValues(beside, 1, NN_FACE, PRESERVE_TILES);
  beside.topologyDifference(wall_);
  culling::fill_cavities(matter_, box_, beside);
}

/// Tiles are walls or filled cavities, which have no surface.
Triangles OpenVdbField::surface() {
  SurfaceNet net(grid_);
  const openvdb::tree::ValueAccessor<const BoolTree> at(matter_), at_wall(wall_);
  const auto number = [](int n) { return static_cast<std::size_t>(n); };
  for (auto leaf = matter_.cbeginLeaf(); leaf; ++leaf)
    for (auto voxel = leaf->cbeginValueOn(); voxel; ++voxel) {
      const Coord v = voxel.getCoord();
      if (at_wall.isValueOn(v)) continue;
      for (int k = 0; k < 3; ++k)
        for (const bool up : {false, true}) {
          Coord beside = v;
          beside[k] += up ? 1 : -1;
          if (!at.isValueOn(beside)) net.add(number(v.x()), number(v.y()), number(v.z()), k, up);
        }
    }
  return net.triangles();
}

}  // namespace

bool has_openvdb() { return true; }

std::unique_ptr<SolidField> make_openvdb_field(const FieldBox& box, double deepest) {
  return std::make_unique<OpenVdbField>(box, deepest);
}

}  // namespace scree::culling
