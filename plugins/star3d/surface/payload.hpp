#pragma once
/// \file Payload by which a contact's history is recognised: 64 bits.

#include <cmath>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree::star3d {

/// Bits of each of the two coordinates of a direction: it is known to 5e-7, so near that Newton's method needs one
/// step.
inline constexpr int kDirectionBits = 22;
inline constexpr double kDirectionSteps = ((1 << kDirectionBits) - 1) / 2.0;

/// A direction in two coordinates: the sphere is unfolded onto a square. \source Cigolle et al. 2014, octahedral
/// encoding
inline std::uint64_t pack_direction(const Vec3& v) {
  const double sum = std::abs(v.x()) + std::abs(v.y()) + std::abs(v.z());
  double x = v.x() / sum, y = v.y() / sum;
  if (v.z() < 0) {
    const double folded = (1 - std::abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - std::abs(x)) * (y < 0 ? -1 : 1);
    x = folded;
  }
  const auto bits = [](double t) { return static_cast<std::uint64_t>(std::lround((t + 1) * kDirectionSteps)); };
  return bits(x) << kDirectionBits | bits(y);
}

inline Vec3 unpack_direction(std::uint64_t bits) {
  constexpr std::uint64_t kMask = (std::uint64_t{1} << kDirectionBits) - 1;
  const auto coordinate = [](std::uint64_t t) { return static_cast<double>(t) / kDirectionSteps - 1; };
  double x = coordinate(bits >> kDirectionBits & kMask), y = coordinate(bits & kMask);
  const double z = 1 - std::abs(x) - std::abs(y);
  if (z < 0) {
    const double folded = (1 - std::abs(y)) * (x < 0 ? -1 : 1);
    y = (1 - std::abs(x)) * (y < 0 ? -1 : 1);
    x = folded;
  }
  return Vec3(x, y, z).normalized();
}

/// Term of one side of a pair, as a payload names it. Never packed as 0.
struct TermKey {
  int side;  ///< body that has the nodes: 0 = a, 1 = b
  bool saddle;
  std::uint16_t field;  ///< field of the other body: number of its sphere or face
  Vec3 direction;       ///< direction of the point, in the frame of the nodes' body
};
inline std::uint64_t pack_term(const TermKey& key) {
  return std::uint64_t{1} << 63 | std::uint64_t{static_cast<std::uint32_t>(key.side)} << 62 |
         std::uint64_t{key.saddle} << 61 | std::uint64_t{key.field} << 2 * kDirectionBits |
         pack_direction(key.direction);
}
/// Checks whether two terms are of the same kind, side and field.
inline bool same_place(std::uint64_t payload, std::uint64_t other) {
  return (payload ^ other) >> 2 * kDirectionBits == 0;
}
inline TermKey unpack_term(std::uint64_t payload) {
  return {static_cast<int>(payload >> 62 & 1), (payload >> 61 & 1) != 0,
          static_cast<std::uint16_t>(payload >> 2 * kDirectionBits), unpack_direction(payload)};
}

}  // namespace scree::star3d
