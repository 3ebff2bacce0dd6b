#pragma once
/// \file Counter-based random numbers: every draw is a pure function of a key and a counter. Threads, order and
/// restarts cannot change it.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

using PhiloxCounter = std::array<std::uint32_t, 4>;
using PhiloxKey = std::array<std::uint32_t, 2>;

/// Returns four 32-bit random words per counter and key, by Philox4x32-10.
/// \source Salmon, Moraes, Dror, Shaw: Parallel random numbers: as easy as 1, 2, 3. SC11 (2011), sec. 3.3
SCREE_HD constexpr PhiloxCounter philox4x32(PhiloxCounter c, PhiloxKey key) {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p = std::uint64_t{0xD2511F53u} * c[0], q = std::uint64_t{0xCD9E8D57u} * c[2];
    c = {static_cast<std::uint32_t>(q >> 32) ^ c[1] ^ key[0], static_cast<std::uint32_t>(q),
         static_cast<std::uint32_t>(p >> 32) ^ c[3] ^ key[1], static_cast<std::uint32_t>(p)};
    key[0] += 0x9E3779B9u;  // golden ratio
    key[1] += 0xBB67AE85u;  // sqrt(3) - 1
  }
  return c;
}

/// Returns a number uniform in the open interval (0, 1), of 53 bits: ((high:low >> 11) + 1/2) 2^-53. The upper end is
/// kept below 1 if the sum rounds up to it.
SCREE_HD constexpr double philox_unit(std::uint32_t high, std::uint32_t low) {
  const double u = (static_cast<double>((std::uint64_t{high} << 32 | low) >> 11) + 0.5) * 0x1p-53;
  return u < 1 ? u : 1 - 0x1p-53;
}

/// Returns a fixed 32-bit number for a name by FNV-1a, to distinguish streams of one seed.
SCREE_HD constexpr std::uint32_t stream_number(std::string_view name) {
  std::uint32_t hash = 0x811C9DC5u;
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x01000193u;
  return hash;
}

/// Random numbers of one named stream of a seed: draw (ordinal, attempt, draw) is always the same number. The upper
/// half of the seed is folded into the stream's number, so that all 64 bits count.
class RandomStream {
 public:
  constexpr RandomStream(std::uint64_t seed, std::string_view name)
      : key_{static_cast<std::uint32_t>(seed), stream_number(name) ^ static_cast<std::uint32_t>(seed >> 32)} {}

  /// Returns four random words.
  /// \param ordinal  number of the body
  /// \param attempt  number of the attempt
  /// \param draw number of the group of four
  constexpr PhiloxCounter words(std::uint64_t ordinal, std::uint32_t attempt = 0, std::uint32_t draw = 0) const {
    return philox4x32({static_cast<std::uint32_t>(ordinal), static_cast<std::uint32_t>(ordinal >> 32), attempt, draw},
                      key_);
  }

  /// Returns two independent numbers, uniform in (0, 1).
  constexpr std::array<double, 2> pair(std::uint64_t ordinal, std::uint32_t attempt = 0, std::uint32_t draw = 0) const {
    const PhiloxCounter w = words(ordinal, attempt, draw);
    return {philox_unit(w[0], w[1]), philox_unit(w[2], w[3])};
  }

  /// Returns three independent numbers, uniform in (0, 1); uses draws `draw` and `draw` + 1.
  Vec3 triple(std::uint64_t ordinal, std::uint32_t attempt = 0, std::uint32_t draw = 0) const {
    const auto [u, v] = pair(ordinal, attempt, draw);
    return {u, v, pair(ordinal, attempt, draw + 1)[0]};
  }

 private:
  PhiloxKey key_;
};

/// Returns a uniformly distributed rotation from three numbers in (0, 1).
/// \source K. Shoemake: Uniform random rotations. Graphics Gems III (1992), p. 124
inline Quat uniform_rotation(const Vec3& u) {
  const double a = std::sqrt(1 - u[0]), b = std::sqrt(u[0]);
  const double s = 2 * std::numbers::pi * u[1], t = 2 * std::numbers::pi * u[2];
  return Quat(b * std::cos(t), a * std::sin(s), a * std::cos(s), b * std::sin(t));
}

}  // namespace scree
