#pragma once
/// \file Choice of a body's shape among several, by shares of their number or mass.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

/// Chooses among several shapes by shares.
class ShapeShares {
 public:
  /// \param shares  in any unit, >= 0, at least one above 0; empty: all equal
  /// \param masses  mass of one body of each shape [kg], if shares are those of mass; empty: of number
  ShapeShares(std::span<const double> shares, std::span<const double> masses, std::size_t shapes) {
    double sum = 0;
    for (std::size_t k = 0; k < shapes; ++k) {
      const double share = shares.empty() ? 1 : shares[k];
      sum_.push_back(sum += masses.empty() ? share : share / masses[k]);
    }
  }

  /// Returns the number of a shape. \param u  in (0, 1)
  std::uint32_t at(double u) const {
    std::uint32_t k = 0;
    while (k + 1 < sum_.size() && sum_[k] <= u * sum_.back()) ++k;
    return k;
  }

 private:
  std::vector<double> sum_;  ///< cumulative shares by number, each shape included
};

}  // namespace scree
