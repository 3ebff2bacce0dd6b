#pragma once
/// \file Sums of doubles without rounding, so that they do not depend on the order of their terms.

#include <array>
#include <cstdint>

#include "scree/base/api.hpp"

namespace scree {

/// A fixed-point number that holds every sum of up to 2^60 doubles exactly, in 70 digits of 32 bits. Only value()
/// rounds, to nearest. Infinite terms and NaN are kept apart: they make the value what they would make any sum.
class SCREE_API ExactSum {
 public:
  void add(double term);
  void add(const ExactSum& other);
  double value() const;

 private:
  static constexpr int kDigits = 70;
  void carry();

  std::array<std::int64_t, kDigits> digit_{};  ///< digit k is worth 2^(32 k - 1074)
  std::uint32_t pending_ = 0;                  ///< additions since digits were carried
  double special_ = 0;                         ///< sum of the terms that are not finite
};

}  // namespace scree
