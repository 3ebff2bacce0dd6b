#pragma once
/// \file When an impact carves, and how much. Pure formulas.

#include <algorithm>
#include <cmath>

#include "scree/base/types.hpp"

namespace scree::culling {

/// The impulse that a granule of mass m has after a fall by h: m sqrt(2 g h) [kg m/s].
/// \source ours: the fall of a granule by h; the paper says "a defined threshold"
inline double impulse_threshold(double mass, double gravity, double height) {
  return mass * std::sqrt(2 * gravity * height);
}

/// Returns the intensity of an impact, in thresholds: the excess of an impulse over the one at rest. A load that is
/// removed is none.
inline double impact_intensity(const Vec3& impulse, const Vec3& at_rest, double threshold) {
  return impulse.squaredNorm() > at_rest.squaredNorm() ? (impulse - at_rest).norm() / threshold : 0;
}

struct CarveSize {
  double coefficient = 1.5;  ///< radius at the threshold [d]
  double exponent = 1.0 / 3;
  double least = 1.5;  ///< [d]
  double most = 0.25;  ///< [radii of the aggregate]
};

/// c (J/J_th)^e d, at least `least` d and at most `most` radii of the aggregate, but not below the least. The exponent
/// 1/3 makes the volume grow as the impulse; the paper's "proportional to the impact intensity" is 1.
/// \param intensity  J/J_th  \param d, group_radius  [m]  \return [m]
/// \source ours; the paper gives no constant
inline double carve_radius(const CarveSize& size, double intensity, double d, double group_radius) {
  const double least = size.least * d, most = std::max(least, size.most * group_radius);
  return std::clamp(size.coefficient * std::pow(intensity, size.exponent) * d, least, most);
}

/// A running mean over about `windows` windows, one window later: mean + (J - mean)/windows.
inline Vec3 low_pass(const Vec3& mean, const Vec3& impulse, double windows) {
  return mean + (impulse - mean) / windows;
}

}  // namespace scree::culling
