#pragma once
/// \file The surface of voxels as triangles.

#include <array>
#include <vector>

#include "field/voxel_reading.hpp"

namespace scree::culling {

/// Squares between matter and air, two triangles each. Their corners are drawn to the mean of the squares that meet
/// there, which smooths steps. Every edge is run through as often one way as the other where squares enclose all
/// matter. \source S. F. F. Gibson: Constrained elastic surface nets, MICCAI 1998, without relaxation
class SurfaceNet {
 public:
  explicit SurfaceNet(const VoxelGrid& grid) : grid_(grid) {}
  /// A square of the voxel of matter (x, y, z), across an axis. \param up  on its upper side
  void add(std::size_t x, std::size_t y, std::size_t z, int axis, bool up);
  /// Returns the triangles, independent of the order of squares.
  Triangles triangles();

 private:
  struct Square {
    std::array<std::size_t, 3> voxel;
    int axis;
    bool up;
    auto operator<=>(const Square&) const = default;
  };
  VoxelGrid grid_;
  std::vector<Square> squares_;
};

}  // namespace scree::culling
