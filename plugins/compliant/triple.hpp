#pragma once
/// \file Vectors by components for formulas over columns. Pure, host and device, templated on the scalar, without
/// branches: loops over contacts vectorise.

#include <cmath>
#include <limits>

#include "scree/base/api.hpp"

namespace scree::compliant {

/// A vector by components, so that a loop over contacts becomes arithmetic over columns.
template <class Real>
struct Triple {
  Real x, y, z;
};

template <class Real>
SCREE_HD inline Triple<Real> operator*(Real s, Triple<Real> v) {
  return {s * v.x, s * v.y, s * v.z};
}
template <class Real>
SCREE_HD inline Triple<Real> operator+(Triple<Real> v, Triple<Real> w) {
  return {v.x + w.x, v.y + w.y, v.z + w.z};
}
template <class Real>
SCREE_HD inline Triple<Real> operator-(Triple<Real> v, Triple<Real> w) {
  return {v.x - w.x, v.y - w.y, v.z - w.z};
}
template <class Real>
SCREE_HD inline Triple<Real> operator-(Triple<Real> v) {
  return {-v.x, -v.y, -v.z};
}
template <class Real>
SCREE_HD inline Real dot(Triple<Real> v, Triple<Real> w) {
  return v.x * w.x + v.y * w.y + v.z * w.z;
}
template <class Real>
SCREE_HD inline Triple<Real> cross(Triple<Real> v, Triple<Real> w) {
  return {v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x};
}
template <class Real>
SCREE_HD inline Triple<Real> chosen(bool first, Triple<Real> v, Triple<Real> w) {
  return {first ? v.x : w.x, first ? v.y : w.y, first ? v.z : w.z};
}

/// By value, unlike std::max: a reference to either argument keeps loops from vectorising.
template <class Real>
SCREE_HD inline Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
SCREE_HD inline Real smaller(Real a, Real b) {
  return a < b ? a : b;
}

/// Keeps quotients finite where a length is 0; far below any physical square of a length or speed.
template <class Real>
inline constexpr Real kTiny = std::numeric_limits<Real>::min();

/// The part of v in the plane across the unit vector n.
template <class Real>
SCREE_HD inline Triple<Real> tangential(Triple<Real> v, Triple<Real> n) {
  return v - dot(v, n) * n;
}

/// v turned by the rotation vector `angle` [rad] (axis times angle): Rodrigues' formula
/// v + sin(t)/t (angle x v) + (1 - cos(t))/t^2 angle x (angle x v), both factors by their series in t^2.
/// \pre t = |angle| is what a body turns in one step: exact to rounding (1e-16) for t <= 0.1, 1e-11 at t = 0.5
template <class Real>
SCREE_HD inline Triple<Real> rotated(Triple<Real> v, Triple<Real> angle) {
  const Real s = dot(angle, angle);
  // Ratios of neighbouring coefficients, as products: a division by a constant would stay a division.
  const auto ratio = [](int k) { return Real(1) / Real(k * (k + 1)); };
  const Real sine = 1 - s * ratio(2) * (1 - s * ratio(4) * (1 - s * ratio(6) * (1 - s * ratio(8))));
  const Real cosine = 1 - s * ratio(3) * (1 - s * ratio(5) * (1 - s * ratio(7) * (1 - s * ratio(9))));
  const Triple<Real> once = cross(angle, v);
  return v + sine * once + (cosine / 2) * cross(angle, once);
}

/// A tangential vector of the last step, turned into the plane across n: projected, its length kept.
/// \return 0 where the vector is parallel to n (to 1e-8 in double); error O(angle turned per step^2) in its direction
/// within the plane
template <class Real>
SCREE_HD inline Triple<Real> turned_into_plane(Triple<Real> spring, Triple<Real> n) {
  const Triple<Real> projected = tangential(spring, n);
  const Real length2 = dot(spring, spring), floor = length2 * std::numeric_limits<Real>::epsilon() + kTiny<Real>;
  return std::sqrt(length2 / larger(dot(projected, projected), floor)) * projected;
}

/// A vector cut to a length.
template <class Real>
struct Capped {
  Triple<Real> vector;
  bool cut;  ///< it was longer than the cap
};

template <class Real>
SCREE_HD inline Capped<Real> capped(Triple<Real> v, Real cap) {
  const Real size = std::sqrt(larger(dot(v, v), kTiny<Real>));
  return {smaller(cap / size, Real(1)) * v, size > cap};
}

}  // namespace scree::compliant
