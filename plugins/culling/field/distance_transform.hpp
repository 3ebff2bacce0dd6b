#pragma once
/// \file Exact Euclidean distances on a grid, axis by axis.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace scree::culling {

struct GridSize {
  std::array<std::size_t, 3> n{};  ///< voxels along x, y, z; x runs fastest
  std::size_t count() const { return n[0] * n[1] * n[2]; }
  std::size_t at(std::size_t x, std::size_t y, std::size_t z) const { return x + n[0] * (y + n[1] * z); }
};

/// Squared distances, in voxels, of each voxel's centre from the nearest centre of a voxel that is marked; kFar where
/// none is.
inline constexpr float kFar = 1e20f;
std::vector<float> squared_distances(const GridSize& size, std::span<const std::uint8_t> marked);

}  // namespace scree::culling
