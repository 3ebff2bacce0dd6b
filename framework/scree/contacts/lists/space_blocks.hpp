#pragma once
/// \file Blocks of space: cubes whose contacts are summed together, so that no sum depends on bodies elsewhere.

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/grid/curve_part.hpp"
#include "scree/grid/spatial_order.hpp"

namespace scree {

/// Blocks of space, and the home of each pair: the body whose block the pair counts in.
///
/// The wrench on a body is a sum over its contacts, and a sum of rounded numbers depends on its order. Results must not
/// depend on threads, ranks, the order of rows or a restart. So the order of the sum is tied to space:
///
///        block 7            block 8
///   +------------------+------------------+     block 7 has the pairs a-b and b-c: b, the home of b-c, stands there
///   |  a --- b ------- | -- c --- d       |     block 8 has the pair c-d
///   +------------------+------------------+
///   slots:  a  b  c              c  d           wrench on c = slot of block 7 + slot of block 8
///
/// One thread works on a block and sums its contacts serially, in the order of its pairs, into one slot per body. Then
/// each body adds its slots in a fixed order: by group of channels, then by block. A rank has whole blocks, so ranks
/// exchange slots, and the order of terms stays the same.
///
/// Alternatives:
/// - Atomic additions, or an array of forces per thread: the order of terms depends on timing, or on the number of
///   threads.
/// - Each body visits its own contacts: every contact is computed twice, or its force is read from scattered memory.
/// - ExactSum does not depend on the order, but takes 70 digits per component. It is used for totals over all bodies.
/// - Blocks of so many consecutive pairs: a new pair anywhere would move the limits of later blocks, and so change sums
///   elsewhere.
///
/// A block is a cube of 2^L cells of the Z-order curve; a cell is as wide as the largest body that is not among
/// LargeBodies. Cubes are a function of reference positions, radii and ids only. Bodies elsewhere matter only if they
/// change the largest radius or the median radius, which set the size of cubes. Small cubes put each body into many
/// blocks, and large ones leave threads without work; see kPairsPerBlock.
class SCREE_API SpaceBlocks {
 public:
  struct Bodies {
    std::span<const double> radius;             ///< radii [m]; bodies of infinite radius have no cube
    std::span<const std::uint32_t> kind;        ///< BodyKind: fixed and prescribed bodies are held
    std::span<const std::uint32_t> large = {};  ///< rows of large bodies, which are held too
  };
  SpaceBlocks() = default;
  /// \param order  order of reference positions, in cells of this width [m]
  SpaceBlocks(const Bodies& bodies, const SpatialOrder& order, int dimension, double width);

  /// Returns the home of a pair, then the other body. The home is the first of both along the curve, but a held body
  /// only if both are held.
  std::pair<std::uint32_t, std::uint32_t> home_first(std::uint32_t i, std::uint32_t j) const {
    if (held_[i] != held_[j]) return held_[i] ? std::pair(j, i) : std::pair(i, j);
    return rank_[i] < rank_[j] ? std::pair(i, j) : std::pair(j, i);
  }
  /// Returns the place of a row along the curve.
  std::uint32_t rank(std::uint32_t row) const { return rank_[row]; }
  std::uint64_t block(std::uint32_t row) const { return block_[row]; }
  /// Checks whether a body is held: it is the home of a pair only if the other one is held too.
  bool held(std::uint32_t row) const { return held_[row] != 0; }

  /// Block as a range along the curve.
  struct Stretch {
    std::uint32_t first_place;
    std::uint32_t homes;  ///< bodies that are not held
    std::uint64_t block;
  };
  /// Returns all blocks that have bodies. \param order  order that the blocks were made with
  std::vector<Stretch> stretches(const SpatialOrder& order) const;
  /// Returns blocks as a region of space. \param first, end  numbers of blocks
  CurvePart part(std::uint64_t first, std::uint64_t end) const { return {width_, level_, first, end}; }

 private:
  double width_ = 1;  ///< width of a cell [m]
  int level_ = 0;
  std::vector<std::uint64_t> block_;  ///< by row
  std::vector<std::uint32_t> rank_;   ///< by row
  std::vector<std::uint8_t> held_;    ///< by row: 1 for held bodies
};

}  // namespace scree
