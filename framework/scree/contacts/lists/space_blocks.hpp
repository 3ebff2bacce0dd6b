#pragma once
/// \file Cubes of space whose contacts are summed together, so that no sum depends on bodies elsewhere.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/grid/curve_part.hpp"
#include "scree/grid/spatial_order.hpp"

namespace scree {

/// Gives each body the cube that it stands in, and each pair the body at whose cube it counts: its home. Cubes are 2^L
/// cells of the Z-order curve wide, cells are as wide as the largest body. A function of reference positions, radii and
/// ids alone: bodies elsewhere change nothing but, if they change the largest radius or the median, the size of cubes.
class SCREE_API SpaceBlocks {
 public:
  struct Bodies {
    std::span<const double> radius;             ///< [m]; infinite ones have no cube
    std::span<const std::uint32_t> kind;        ///< BodyKind: fixed and prescribed bodies are no pair's home
    std::span<const std::uint32_t> large = {};  ///< rows of bodies that are no pair's home either
  };
  SpaceBlocks() = default;
  /// \param order  of reference positions, in cells of this width [m]
  SpaceBlocks(const Bodies& bodies, const SpatialOrder& order, int dimension, double width);

  /// The home of a pair, then the other one: the first of both along the curve, but one that is held only if both are.
  std::pair<std::uint32_t, std::uint32_t> home_first(std::uint32_t i, std::uint32_t j) const {
    if (held_[i] != held_[j]) return held_[i] ? std::pair(j, i) : std::pair(i, j);
    return rank_[i] < rank_[j] ? std::pair(i, j) : std::pair(j, i);
  }
  /// Place of a row along the curve.
  std::uint32_t rank(std::uint32_t row) const { return rank_[row]; }
  std::uint64_t block(std::uint32_t row) const { return block_[row]; }
  /// Whether a body is no pair's home but where the other one is not either.
  bool held(std::uint32_t row) const { return held_[row] != 0; }

  /// A block as it lies along the curve.
  struct Stretch {
    std::uint32_t first_place;
    std::uint32_t homes;  ///< bodies that are not held
    std::uint64_t block;
  };
  /// All blocks that bodies stand in. \param order  that the blocks were made with
  std::vector<Stretch> stretches(const SpatialOrder& order) const;
  /// Blocks as a region of space. \param first, end  numbers of blocks
  CurvePart part(std::uint64_t first, std::uint64_t end) const { return {width_, level_, first, end}; }

 private:
  double width_ = 1;  ///< of a cell [m]
  int level_ = 0;
  std::vector<std::uint64_t> block_;  ///< by row
  std::vector<std::uint32_t> rank_;   ///< by row
  std::vector<std::uint8_t> held_;    ///< by row: 1 for no pair's home, unless both bodies are so
};

}  // namespace scree
