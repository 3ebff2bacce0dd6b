#pragma once
/// \file Exact sums of doubles, which do not depend on the order of their terms.

#include <array>
#include <cstdint>

#include "scree/base/api.hpp"

namespace scree {

/// Exact sum of doubles: a fixed-point number of 70 digits of 32 bits. Only value() rounds, to nearest.
///
/// Every finite double is an integer times 2^-1074. Digit k is worth 2^(32 k - 1074), so a term of 53 bits falls into
/// at most three neighbouring digits:
///
///   term            = mantissa 2^(place - 1074)        mantissa: 53 bits
///   digit      ...  k+2        k+1         k  ...       k = place / 32
///   bits              |..32..| |...32...| |...32..|
///
/// Digits are 64-bit integers, so additions need no carry at once: a digit grows by less than 2^32 per term, and
/// carries are moved up once every 2^28 terms. Integers add exactly, so order and grouping of terms do not matter:
/// threads and ranks add their own sums, and these are then added. It holds every sum of up to 2^60 doubles.
///
/// Infinite terms and NaN cannot be digits. They are summed apart, and make the value what they would make of any sum.
///
/// Alternatives:
/// - A fixed order of plain additions needs all terms in order in one place, and its error grows with their number.
/// - Compensated (Kahan) sums are more accurate, but their last bits still depend on the order.
/// - Fixed point with a scale chosen beforehand needs a bound of the terms, and loses the digits of small ones.
///
/// The price is 560 bytes and three integer additions per term. This suits totals over all bodies, such as energies.
/// Wrenches on bodies are instead summed in the order of blocks of space (SpaceBlocks).
class SCREE_API ExactSum {
 public:
  /// Adds a term.
  void add(double term);
  /// Adds all terms of another sum.
  void add(const ExactSum& other);
  /// Returns the sum, rounded to the nearest double.
  double value() const;

 private:
  static constexpr int kDigits = 70;
  void carry();

  std::array<std::int64_t, kDigits> digit_{};  ///< digit k is worth 2^(32 k - 1074)
  std::uint32_t pending_ = 0;                  ///< number of additions since the last carry
  double special_ = 0;                         ///< sum of the terms that are not finite
};

}  // namespace scree
