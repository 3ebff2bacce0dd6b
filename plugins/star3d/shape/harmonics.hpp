#pragma once
/// \file Real spherical harmonics, as polynomials of the components of a unit vector.

#include <vector>

#include "scree/base/types.hpp"

namespace scree::star3d {

/// The highest degree that is computed.
inline constexpr int kMostDegrees = 20;

/// One term c Y_lm of a series.
struct Harmonic {
  int l = 0, m = 0;
  double c = 0;
};

/// The sum of c Y_lm over a series, and its gradient on the unit sphere. Y_lm has a mean square of 1 over the sphere,
/// so that Y_00 = 1, and no Condon-Shortley phase: Y_lm = N_lm P_l^|m|(z) cos(m phi) for m >= 0 and sin(|m| phi) for m
/// < 0, with N_lm^2 = (2 - delta_m0)(2 l + 1)(l - |m|)!/(l + |m|)!.
class HarmonicSeries {
 public:
  /// \param terms  0 <= l <= kMostDegrees, |m| <= l
  explicit HarmonicSeries(std::vector<Harmonic> terms);
  double value(const Vec3& unit) const;
  Vec3 slope(const Vec3& unit) const;  ///< tangent to the sphere

 private:
  std::vector<Harmonic> terms_;  ///< each with its norm in c
  int degrees_ = 0;
};

}  // namespace scree::star3d
