#pragma once
/// \file Which of several shapes a body has, by shares of their number or mass.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

class ShapeShares {
 public:
  /// \param shares  in any unit, >= 0, one at least above 0; empty: all alike
  /// \param masses  of one body of each shape [kg], where shares are those of mass; empty: of number
  ShapeShares(std::span<const double> shares, std::span<const double> masses, std::size_t shapes) {
    double sum = 0;
    for (std::size_t k = 0; k < shapes; ++k) {
      const double share = shares.empty() ? 1 : shares[k];
      sum_.push_back(sum += masses.empty() ? share : share / masses[k]);
    }
  }

  /// \param u  in (0, 1)
  std::uint32_t at(double u) const {
    std::uint32_t k = 0;
    while (k + 1 < sum_.size() && sum_[k] <= u * sum_.back()) ++k;
    return k;
  }

 private:
  std::vector<double> sum_;  ///< of the shares by number, up to and with each shape
};

}  // namespace scree
