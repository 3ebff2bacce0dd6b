#pragma once
/// \file Reading of points from voxels: the same bits from every back end.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <vector>

#include "field/distance_transform.hpp"
#include "field/solid_field.hpp"
#include "scree/base/types.hpp"

namespace scree::culling {

/// Voxels' centres lie at lower + edge (x, y, z).
struct VoxelGrid {
  Vec3 lower;   ///< [m]
  double edge;  ///< [m]
  GridSize size;

  Vec3 centre(std::size_t x, std::size_t y, std::size_t z) const {
    return lower + edge * Vec3(static_cast<double>(x), static_cast<double>(y), static_cast<double>(z));
  }
};

inline VoxelGrid voxel_grid(const FieldBox& box) {
  VoxelGrid grid{box.lower, box.voxel, {}};
  for (int k = 0; k < 3; ++k)
    grid.size.n[static_cast<std::size_t>(k)] =
        static_cast<std::size_t>(std::ceil((box.upper[k] - box.lower[k]) / box.voxel)) + 1;
  return grid;
}

/// Depth of a voxel's centre [m]. The surface lies half way between the centres of matter and of air.
/// \param square  squared distance from the nearest centre of air [voxels^2]; 0: this is air
inline float depth_of_voxel(float square, float edge) {
  return square > 0 ? edge * (std::sqrt(square) - 0.5f) : -0.5f * edge;
}

/// Trilinear between centres. \param value  double(x, y, z)
template <class Value>
double interpolated(const VoxelGrid& grid, const Vec3& point, const Value& value) {
  std::size_t cell[3];
  double part[3];
  for (int k = 0; k < 3; ++k) {
    const double most = static_cast<double>(grid.size.n[static_cast<std::size_t>(k)]) - 1;
    const double c = std::clamp((point[k] - grid.lower[k]) / grid.edge, 0.0, most);
    const double floor = std::min(std::floor(c), std::max(0.0, most - 1));
    cell[k] = static_cast<std::size_t>(floor), part[k] = c - floor;
  }
  double sum = 0;
  for (std::size_t corner = 0; corner < 8; ++corner) {
    double share = 1;
    std::size_t at[3];
    for (std::size_t k = 0; k < 3; ++k) {
      const std::size_t up = corner >> k & 1;
      share *= up ? part[k] : 1 - part[k];
      at[k] = std::min(cell[k] + up, grid.size.n[k] - 1);
    }
    sum += share * value(at[0], at[1], at[2]);
  }
  return sum;
}

/// Search for air near a point.
class AirSearch {
 public:
  /// \param depth  [m]  The surface lies half a voxel before the nearest air.
  AirSearch(const VoxelGrid& grid, double depth) : grid_(grid), reach_(depth / grid.edge + 0.5) {
    const auto n = static_cast<std::ptrdiff_t>(std::ceil(reach_)) + 1;
    const auto square = [](const Offset& o) { return o[0] * o[0] + o[1] * o[1] + o[2] * o[2]; };
    for (auto z = -n; z <= n; ++z)
      for (auto y = -n; y <= n; ++y)
        for (auto x = -n; x <= n; ++x)
          if (std::sqrt(static_cast<double>(square({x, y, z}))) < reach_ + 0.87) near_.push_back({x, y, z});
    std::ranges::stable_sort(near_, [&](const Offset& a, const Offset& b) { return square(a) > square(b); });
  }

  /// \param is_air  bool(x, y, z)
  template <class IsAir>
  bool finds(const Vec3& point, const IsAir& is_air) const {
    std::array<std::ptrdiff_t, 3> at;
    for (std::size_t a = 0; a < 3; ++a)
      at[a] = std::lround((point[static_cast<int>(a)] - grid_.lower[static_cast<int>(a)]) / grid_.edge);
    return std::ranges::any_of(near_, [&](const Offset& o) {
      const Offset v{at[0] + o[0], at[1] + o[1], at[2] + o[2]};
      for (std::size_t a = 0; a < 3; ++a)
        if (v[a] < 0 || v[a] >= static_cast<std::ptrdiff_t>(grid_.size.n[a])) return false;
      const auto x = static_cast<std::size_t>(v[0]), y = static_cast<std::size_t>(v[1]),
                 z = static_cast<std::size_t>(v[2]);
      return is_air(x, y, z) && (grid_.centre(x, y, z) - point).norm() < reach_ * grid_.edge;
    });
  }

 private:
  using Offset = std::array<std::ptrdiff_t, 3>;

  const VoxelGrid& grid_;
  double reach_;  ///< [voxels]
  /// Voxels that a point within the one in the middle may have nearer than that, the outermost first: air is found
  /// there soonest.
  std::vector<Offset> near_;
};

}  // namespace scree::culling
