#pragma once
/// \file Walls on voxels, block by block.

#include <array>
#include <cmath>
#include <span>
#include <vector>

#include "field/voxel_reading.hpp"

namespace scree::culling {

inline constexpr std::size_t kBlock = 8;  ///< voxels along the edge of a block
inline constexpr std::size_t kBlockVoxels = kBlock * kBlock * kBlock;
using FirstVoxel = std::array<std::size_t, 3>;  ///< first voxel of a block

/// Centres of the voxels of a block; z runs fastest.
inline void add_centres(const VoxelGrid& grid, const FirstVoxel& first, std::vector<Vec3>& points) {
  for (std::size_t x = 0; x < kBlock; ++x)
    for (std::size_t y = 0; y < kBlock; ++y)
      for (std::size_t z = 0; z < kBlock; ++z) points.push_back(grid.centre(first[0] + x, first[1] + y, first[2] + z));
}

/// Blocks that reach into a wall: whole(first) for one that lies in it, part(first, distances of its voxels) for one
/// that its boundary may go through. Blocks stand out of the grid on its upper sides.
/// \param exact  the distance changes by at most the way a point goes, so that a block's middle tells of all of it
template <class Whole, class Part>
void for_blocks_of(const DistanceOf& wall, bool exact, const VoxelGrid& grid, const Whole& whole, const Part& part) {
  const double half = static_cast<double>(kBlock - 1) / 2 * grid.edge, half_diagonal = std::sqrt(3.0) * half;
  const auto& n = grid.size.n;
  for (std::size_t x = 0; x < n[0]; x += kBlock) {
    std::vector<FirstVoxel> blocks, near;
    std::vector<Vec3> points;
    for (std::size_t y = 0; y < n[1]; y += kBlock)
      for (std::size_t z = 0; z < n[2]; z += kBlock) {
        blocks.push_back({x, y, z});
        points.push_back(grid.centre(x, y, z) + Vec3::Constant(half));
      }
    std::vector<double> distance(points.size());
    wall(points, distance);
    for (std::size_t k = 0; k < blocks.size(); ++k)
      if (!exact || !(std::abs(distance[k]) > half_diagonal))
        near.push_back(blocks[k]);
      else if (distance[k] < 0)
        whole(blocks[k]);
    points.clear();
    for (const FirstVoxel& first : near) add_centres(grid, first, points);
    distance.resize(points.size());
    wall(points, distance);
    for (std::size_t k = 0; k < near.size(); ++k)
      part(near[k], std::span<const double>(distance).subspan(k * kBlockVoxels, kBlockVoxels));
  }
}

}  // namespace scree::culling
