#pragma once
/// \file The motion of one rigid body under a given wrench: the formulas every explicit integrator is made of. Pure and
/// templated on the scalar. SI units; world axes unless a name says body.
///
/// Euler's equations, dL/dt = torque with L = R diag(moments) R^T omega, are split into a kick (the torque changes L,
/// the body does not turn) and a free rotation (the body turns, L stays), so that angular momentum changes by the
/// torque alone, to rounding. In 2D all rotation is about z, omega stays, and orientation is (cos(phi/2), 0, 0,
/// sin(phi/2)).

#include <cmath>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

template <class Real>
using Vector3 = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Quaternion = Eigen::Quaternion<Real, Eigen::DontAlign>;

/// \return acceleration of the centre of mass [m/s^2]
template <class Real>
SCREE_HD inline Vector3<Real> linear_acceleration(const Vector3<Real>& force, Real inverse_mass) {
  return force * inverse_mass;
}

/// Angular acceleration [rad/s^2] due to the torque alone, R diag(1/moments) R^T torque. The gyroscopic term belongs to
/// the free rotation: see rotated_freely().
/// \param inverse_moments  of the principal axes [1/(kg m^2)]; 0 = that axis does not turn freely
template <class Real>
SCREE_HD inline Vector3<Real> angular_acceleration(const Vector3<Real>& torque, const Quaternion<Real>& q,
                                                   const Vector3<Real>& inverse_moments) {
  const Vector3<Real> torque_body = q.conjugate() * torque;
  const Vector3<Real> alpha_body = inverse_moments.cwiseProduct(torque_body);
  return q * alpha_body;
}

/// Rate after a time dt of constant acceleration: v + a dt.
template <class Real>
SCREE_HD inline Vector3<Real> kicked(const Vector3<Real>& v, const Vector3<Real>& a, Real dt) {
  return v + a * dt;
}

/// Position after a time dt of constant velocity: x + v dt.
template <class Real>
SCREE_HD inline Vector3<Real> drifted(const Vector3<Real>& x, const Vector3<Real>& v, Real dt) {
  return x + v * dt;
}

/// The unit quaternion of the rotation by |r| radians about r: the exponential map. The series below |r|^2 = 1e-8
/// is exact to rounding: its next terms are under 1e-18.
template <class Real>
SCREE_HD inline Quaternion<Real> exponential(const Vector3<Real>& r) {
  using std::cos, std::sin, std::sqrt;
  const Real angle2 = r.squaredNorm();
  if (angle2 < Real(1e-8)) {
    const Real s = Real(0.5) - angle2 / 48;
    return {1 - angle2 / 8, s * r[0], s * r[1], s * r[2]};
  }
  const Real angle = sqrt(angle2);
  const Real s = sin(angle / 2) / angle;
  return {cos(angle / 2), s * r[0], s * r[1], s * r[2]};
}

/// Scales a quaternion that is unit to rounding back to unit length; error O(deviation^2).
template <class Real>
SCREE_HD inline Quaternion<Real> renormalised(const Quaternion<Real>& q) {
  const Real s = Real(1.5) - Real(0.5) * q.squaredNorm();
  return {s * q.w(), s * q.x(), s * q.y(), s * q.z()};
}

/// Orientation after turning with the constant angular velocity omega (world axes) for dt: exp(omega dt) q.
template <class Real>
SCREE_HD inline Quaternion<Real> turned(const Quaternion<Real>& q, const Vector3<Real>& omega, Real dt) {
  return renormalised(Quaternion<Real>(exponential<Real>(omega * dt) * q));
}

/// turned() for rotation about z: two complex numbers multiplied.
template <class Real>
SCREE_HD inline Quaternion<Real> turned_about_z(const Quaternion<Real>& q, Real omega, Real dt) {
  const Quaternion<Real> e = exponential<Real>(Vector3<Real>(0, 0, omega * dt));
  const Real w = e.w() * q.w() - e.z() * q.z(), z = e.w() * q.z() + e.z() * q.w();
  const Real s = Real(1.5) - Real(0.5) * (w * w + z * z);
  return {s * w, 0, 0, s * z};
}

/// Orientation and angular velocity of a rigid body.
template <class Real>
struct Rotation {
  Quaternion<Real> q;
  Vector3<Real> omega;
};

/// Torque-free motion for dt: the explicit midpoint rule for q at constant angular momentum; error O(dt^3) per step, L
/// conserved to rounding. A body with equal moments turns exactly.
/// \param moments, inverse_moments  principal [kg m^2] and their inverses; 0 in both = does not turn about that axis
/// \source Euler's equations in the form dL/dt = 0; midpoint as in Richardson's scheme
template <class Real>
SCREE_HD inline Rotation<Real> rotated_freely(const Rotation<Real>& now, const Vector3<Real>& moments,
                                              const Vector3<Real>& inverse_moments, Real dt) {
  const Vector3<Real> spin_body = moments.cwiseProduct(now.q.conjugate() * now.omega);
  const Vector3<Real> spin = now.q * spin_body;
  const Quaternion<Real> middle = turned<Real>(now.q, now.omega, dt / 2);
  const Quaternion<Real> q = turned<Real>(now.q, angular_acceleration<Real>(spin, middle, inverse_moments), dt);
  return {q, angular_acceleration<Real>(spin, q, inverse_moments)};
}

}  // namespace scree
