#pragma once
/// \file Broad phase in periodic space: pairs of bodies and of their images.

#include <span>
#include <vector>

#include "scree/grid/pair_finder.hpp"
#include "scree/world/periodic_cell.hpp"

namespace scree {

/// Two rows, the second one in an image: x_j + cell.shift(image) comes close to x_i.
struct ImagePair {
  std::uint32_t i, j;
  Image image;
};

/// Pair search in a periodic cell. Bodies near the lower side of the cell's box are copied beyond its upper side;
/// PairFinder then finds pairs as in open space. Only one of two bodies is copied along each direction, so every pair
/// and image is found once.
class SCREE_API PeriodicPairs {
 public:
  /// Finds all pairs that come close, with the parameters of PairFinder::find(). Positions may lie outside the cell.
  /// Bodies may be of any size; one may meet another in several images, but not itself.
  void find(const PeriodicCell& cell, std::span<const Vec3> position, std::span<const double> radius,
            std::span<const std::uint32_t> rows, double reach, std::vector<ImagePair>& out);

 private:
  struct Copy {
    std::uint32_t row;
    Vec3 position = Vec3::Zero();  ///< [m]
    Image image = Image::Zero();   ///< image of the body's own place
    Image above = Image::Zero();   ///< number of boxes that it lies above the cell's, along each axis
  };
  void copy(const PeriodicCell& cell, double reach, int axis, Copy body);

  PairFinder finder_;
  std::vector<Copy> copies_;
  std::vector<Vec3> position_;
  std::vector<double> radius_;
  std::vector<std::uint32_t> rows_;
  std::vector<RowPair> found_;
};

}  // namespace scree
