#pragma once
/// \file Rotation as an ordinary differential equation without constraint: the rotation vector theta that leads from
/// the orientation q0 at the start of a step to the present one, q = exp(theta) q0. Any method for vectors may
/// integrate it, and q stays a unit quaternion. SI units, world axes.

#include "scree/integrate/rigid_body.hpp"

namespace scree::higher_order {

/// Rate of theta [rad/s] of a body that turns at omega [rad/s]:
/// theta' = omega - theta x omega / 2 + theta x (theta x omega) / 12; next term O(|theta|^4 |omega|).
/// \source dexp^-1 cut off as fourth order allows: H. Munthe-Kaas, BIT 38 (1998) 92; A. Iserles et al., Acta Numerica 9
/// (2000) 215
template <class Real>
SCREE_HD inline Vector3<Real> rotation_vector_rate(const Vector3<Real>& theta, const Vector3<Real>& omega) {
  const Vector3<Real> once = theta.cross(omega);
  return omega - once / 2 + theta.cross(once) / 12;
}

/// exp(theta) q0, of unit length to rounding.
template <class Real>
SCREE_HD inline Quaternion<Real> turned_by(const Quaternion<Real>& q0, const Vector3<Real>& theta) {
  return turned<Real>(q0, theta, Real(1));
}

/// The theta of smallest size with exp(theta) from = to.
template <class Real>
SCREE_HD inline Vector3<Real> rotation_vector_between(const Quaternion<Real>& from, const Quaternion<Real>& to) {
  using std::atan2, std::sqrt;
  const Quaternion<Real> turn = to * from.conjugate();
  const Real sine = turn.vec().norm();
  if (sine == 0) return Vector3<Real>::Zero();
  const Real half = turn.w() < 0 ? atan2(-sine, -turn.w()) : atan2(sine, turn.w());
  return turn.vec() * (2 * half / sine);
}

/// Angular momentum [kg m^2/s] of a body that turns at omega: R diag(moments) R^T omega.
template <class Real>
SCREE_HD inline Vector3<Real> angular_momentum(const Vector3<Real>& omega, const Quaternion<Real>& q,
                                               const Vector3<Real>& moments) {
  const Vector3<Real> spin_body = moments.cwiseProduct(q.conjugate() * omega);
  return q * spin_body;
}

/// Angular velocity [rad/s] of a body of angular momentum `spin`: R diag(1/moments) R^T spin.
template <class Real>
SCREE_HD inline Vector3<Real> angular_velocity(const Vector3<Real>& spin, const Quaternion<Real>& q,
                                               const Vector3<Real>& inverse_moments) {
  return angular_acceleration<Real>(spin, q, inverse_moments);
}

/// Rotation vector over a time h of a body whose angular momentum is known as a function of time: one step of classical
/// Runge-Kutta for theta' = rate(theta, omega(q, L)); error O(h^5). Needs no forces.
/// \param spin_at  angular momentum after a fraction 0, 1/2, 1 of h
template <class Real, class SpinAt>
SCREE_HD inline Vector3<Real> rotation_vector_over(const Quaternion<Real>& q0, const Vector3<Real>& inverse_moments,
                                                   Real h, SpinAt&& spin_at) {
  const auto rate = [&](const Vector3<Real>& theta, const Vector3<Real>& spin) {
    return rotation_vector_rate<Real>(theta, angular_velocity<Real>(spin, turned_by<Real>(q0, theta), inverse_moments));
  };
  const Vector3<Real> middle = spin_at(Real(0.5));
  const Vector3<Real> k1 = rate(Vector3<Real>::Zero(), spin_at(Real(0)));
  const Vector3<Real> k2 = rate(k1 * (h / 2), middle);
  const Vector3<Real> k3 = rate(k2 * (h / 2), middle);
  const Vector3<Real> k4 = rate(k3 * h, spin_at(Real(1)));
  return (k1 + 2 * (k2 + k3) + k4) * (h / 6);
}

}  // namespace scree::higher_order
