#include "scree/base/exact_sum.hpp"

#include <bit>
#include <cmath>

namespace scree {

namespace {

/// Limit of additions between carries: a digit grows by less than 2^32 per addition, and holds 2^63.
constexpr std::uint32_t kMostPending = 1u << 28;

}  // namespace

void ExactSum::add(double term) {
  const auto bits = std::bit_cast<std::uint64_t>(term);
  const auto exponent = static_cast<int>(bits >> 52 & 0x7ff);
  if (exponent == 0x7ff) {
    special_ += term;
    return;
  }
  const std::uint64_t fraction = bits & 0xfffffffffffffull;
  const std::uint64_t mantissa = exponent == 0 ? fraction : fraction | std::uint64_t{1} << 52;
  const int place = exponent == 0 ? 0 : exponent - 1;  // the term is mantissa 2^(place - 1074)
  const auto first = static_cast<std::size_t>(place / 32);
  const unsigned __int128 shifted = static_cast<unsigned __int128>(mantissa) << place % 32;
  const std::int64_t sign = bits >> 63 ? -1 : 1;
  digit_[first] += sign * static_cast<std::int64_t>(shifted & 0xffffffffu);
  digit_[first + 1] += sign * static_cast<std::int64_t>(shifted >> 32 & 0xffffffffu);
  digit_[first + 2] += sign * static_cast<std::int64_t>(shifted >> 64);
  if (++pending_ == kMostPending) carry();
}

void ExactSum::add(const ExactSum& other) {
  ExactSum carried = other;
  carried.carry();
  if (pending_ >= kMostPending - 1) carry();
  for (std::size_t k = 0; k < kDigits; ++k) digit_[k] += carried.digit_[k];
  ++pending_;
  special_ += other.special_;
}

/// Carries: digits become 0 .. 2^32 - 1, except the last one, which has the sign.
void ExactSum::carry() {
  for (std::size_t k = 0; k + 1 < kDigits; ++k) {
    const std::int64_t over = digit_[k] >> 32;  // rounds down: the rest is not negative
    digit_[k] -= over * (std::int64_t{1} << 32);
    digit_[k + 1] += over;
  }
  pending_ = 0;
}

double ExactSum::value() const {
  if (special_ != 0) return special_;  // NaN too
  ExactSum sum = *this;
  sum.carry();
  const bool negative = sum.digit_.back() < 0;
  if (negative) {
    for (std::int64_t& d : sum.digit_) d = -d;
    sum.carry();
  }
  int top = kDigits - 1;
  while (top > 0 && sum.digit_[static_cast<std::size_t>(top)] == 0) --top;
  // The leading 96 bits or more, and whether there are bits below them, decide how to round.
  unsigned __int128 leading = 0;
  const int last = top > 2 ? top - 2 : 0;
  for (int k = top; k >= last; --k)
    leading = leading << 32 | static_cast<std::uint64_t>(sum.digit_[static_cast<std::size_t>(k)]);
  for (int k = 0; k < last; ++k)
    if (sum.digit_[static_cast<std::size_t>(k)] != 0) leading |= 1;
  const double size = std::ldexp(static_cast<double>(leading), 32 * last - 1074);
  return negative ? -size : size;
}

}  // namespace scree
