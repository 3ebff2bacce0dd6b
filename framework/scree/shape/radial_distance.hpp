#pragma once
/// \file Distance to an outline r(theta), to first order. Pure formulas, host and device, templated on the scalar.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree {

/// Distance and its direction in polar components.
template <class Real>
struct RadialDistance {
  Real distance;    ///< [m], < 0 inside
  Real along_e_r;   ///< radial component of the unit outward normal
  Real along_e_th;  ///< component of the unit outward normal along e_theta
};

/// Part of the local radius within which the gradient of f is held at its value on the circle of that radius.
/// The depth of Taubin's formula, (r - rho) rho / sqrt(rho^2 + r'^2), falls towards the centre where
/// r'^2 (r - 2 rho) > rho^3, so only below rho = r/2 whatever the slope: with the gradient held there it never falls.
template <class Real>
inline constexpr Real kCoreFraction = Real(0.5);

/// First-order distance to the level set f = rho - r(theta):  d = f / |grad f|,  n = grad f / |grad f|,
/// grad f = e_r - (r'/rho) e_theta, with rho held at kCoreFraction r below it.
/// \param rho  distance from the outline's centre [m]  \param r  radius in the point's direction [m], > 0
/// \param slope  dr/dtheta [m/rad]
/// \return error O(d^2) near the outline; finite everywhere
/// \source Schreck et al. 2024, sec. 3, after Taubin 1994; the guard is new here
template <class Real>
SCREE_HD inline RadialDistance<Real> taubin_distance(Real rho, Real r, Real slope) {
  const Real core = kCoreFraction<Real> * r;
  const Real s = slope / (rho > core ? rho : core);
  using std::sqrt;
  const Real scale = Real(1) / sqrt(Real(1) + s * s);
  return {(rho - r) * scale, scale, -s * scale};
}

/// The radial distance f = rho - r(theta) itself, with the same normal: for comparison only.
template <class Real>
SCREE_HD inline RadialDistance<Real> radial_distance(Real rho, Real r, Real slope) {
  const RadialDistance<Real> d = taubin_distance(rho, r, slope);
  return {rho - r, d.along_e_r, d.along_e_th};
}

}  // namespace scree
