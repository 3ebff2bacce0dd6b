#pragma once
/// \file Broad phase: all pairs of bounding spheres that come close, in any mixture of sizes and any amount of empty
/// space.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

struct RowPair {
  std::uint32_t i, j;  ///< rows
  friend bool operator==(const RowPair&, const RowPair&) = default;
};

/// Hierarchical cell grid. Level l holds the spheres with radii in (r_max/2^(l+1), r_max/2^l]; its cells are as wide as
/// two of its largest spheres and the reach. A sphere meets its own level through half of the neighbouring cells. It
/// meets coarser levels through the cells its reach covers, but never finer ones: every pair is found once. Each level
/// is a list sorted by cell, so memory is O(n) however large the space. Neighbouring cells are found by a table if most
/// cells are occupied, else by walking.
class SCREE_API PairFinder {
 public:
  /// Finds all pairs that come close.
  /// \param position  (n) centres [m]
  /// \param radius    (n) [m], finite
  /// \param rows      the rows to consider
  /// \param reach     [m] pairs with |x_i - x_j| < r_i + r_j + reach are found
  /// \param out       pairs found, each once with i != j; their order does not depend on the number of threads
  void find(std::span<const Vec3> position, std::span<const double> radius, std::span<const std::uint32_t> rows,
            double reach, std::vector<RowPair>& out);

 private:
  struct Entry {
    std::uint64_t cell;  ///< z, y, x packed, x fastest: three neighbours along x are one contiguous run
    std::uint32_t row;
  };
  /// Range of entries [first, last).
  struct Run {
    std::size_t first, last;
  };
  struct Level {
    double largest = 0;  ///< radius [m]
    double width = 0;    ///< width of a cell [m]
    std::vector<Entry> entries;
    /// Centres and radii in the order of entries [m], with room behind for a load that reaches beyond the last.
    std::vector<double> x, y, z, radius;
    Eigen::Matrix<std::int64_t, 3, 1> last = {0, 0, 0};  ///< largest coordinates of an occupied cell
    std::vector<std::uint32_t> start;  ///< first entry of each cell up to `last`; empty if these are too many

    Vec3 position(std::size_t k) const { return {x[k], y[k], z[k]}; }
    void sort_entries();
    std::size_t search(std::uint64_t cell) const;
    Run run(std::uint64_t first_cell, std::uint64_t last_cell, std::size_t from) const;

   private:
    std::size_t place(std::uint64_t cell) const;
  };

  void sort_into_levels(std::span<const Vec3> position, std::span<const double> radius,
                        std::span<const std::uint32_t> rows, double reach);
  void pairs_within(const Level& level, std::size_t first, std::size_t last, double reach,
                    std::vector<RowPair>& out) const;
  void pairs_across(const Level& fine, const Level& coarse, std::size_t first, std::size_t last, double reach,
                    std::vector<RowPair>& out) const;

  std::vector<Level> levels_;
  Vec3 origin_ = Vec3::Zero();
  bool flat_ = false;  ///< all bodies at one z: the neighbouring layers need not be walked
};

}  // namespace scree
