#pragma once
/// \file The motion of one rigid body under a given wrench: the formulas every explicit integrator is made of. Pure and
/// templated on the scalar. SI units; world axes unless a name says body.
///
/// Euler's equations, dL/dt = torque with L = R diag(moments) R^T omega, are split into a kick (the torque changes L,
/// the body does not turn) and a free rotation (the body turns, L stays). So angular momentum changes by the torque
/// alone, to rounding. In 2D all rotation is about z, omega stays, and orientation is (cos(phi/2), 0, 0,
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

/// Tells whether a body has the same moment of inertia about all axes.
template <class Real>
SCREE_HD inline bool spherical(const Vector3<Real>& inverse_moments) {
  return inverse_moments[0] == inverse_moments[1] && inverse_moments[1] == inverse_moments[2];
}

/// Angular acceleration [rad/s^2] due to the torque alone, R diag(1/moments) R^T torque. The gyroscopic term belongs to
/// the free rotation: see rotated_freely().
/// \param inverse_moments  inverse moments about the principal axes [1/(kg m^2)]; 0 = that axis does not turn freely
template <class Real>
SCREE_HD inline Vector3<Real> angular_acceleration(const Vector3<Real>& torque, const Quaternion<Real>& q,
                                                   const Vector3<Real>& inverse_moments) {
  if (spherical<Real>(inverse_moments)) return torque * inverse_moments[0];
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

/// cos(a) and sin(a)/a.
template <class Real>
struct CosineSinc {
  Real cosine, sinc;
};

/// Below this a^2 the series of both has no more than rounding errors: the next terms are under 3e-18.
inline constexpr double kSmallSquare = 0.01;

/// Both by their series in a^2, so that the turns of a usual step need neither a root nor the mathematics library.
/// Number is Real, or several of them at once.
template <class Real, class Number>
SCREE_HD inline CosineSinc<Number> cosine_and_sinc_series(Number x) {
  constexpr Real one = 1;
  return {one - x * (one / 2 - x * (one / 24 - x * (one / 720 - x * (one / 40320 - x * (one / 3628800))))),
          one - x * (one / 6 - x * (one / 120 - x * (one / 5040 - x * (one / 362880))))};
}

/// Both as functions of a^2 [rad^2].
template <class Real>
SCREE_HD inline CosineSinc<Real> cosine_and_sinc(Real square) {
  using std::cos, std::sin, std::sqrt;
  if (square < Real(kSmallSquare)) return cosine_and_sinc_series<Real>(square);
  const Real a = sqrt(square);
  return {cos(a), sin(a) / a};
}

/// The unit quaternion of the rotation by |r| radians about r: the exponential map.
template <class Real>
SCREE_HD inline Quaternion<Real> exponential(const Vector3<Real>& r) {
  const CosineSinc<Real> half = cosine_and_sinc<Real>(r.squaredNorm() / 4);
  const Real s = half.sinc / 2;
  return {half.cosine, s * r[0], s * r[1], s * r[2]};
}

/// A quaternion by components. Number is Real, or several of them at once.
template <class Number>
struct QuaternionParts {
  Number w, x, y, z;
};

/// exp(r) q, scaled back to unit length with an error of O(deviation^2). \param half  cosine and sinc of |r|/2
template <class Real, class Number>
SCREE_HD inline QuaternionParts<Number> composed(const CosineSinc<Number>& half, Number rx, Number ry, Number rz,
                                                 const QuaternionParts<Number>& q) {
  const Number c = half.cosine, s = half.sinc * Real(0.5), ex = s * rx, ey = s * ry, ez = s * rz;
  const Number w = c * q.w - ex * q.x - ey * q.y - ez * q.z, x = c * q.x + ex * q.w + ey * q.z - ez * q.y;
  const Number y = c * q.y - ex * q.z + ey * q.w + ez * q.x, z = c * q.z + ex * q.y - ey * q.x + ez * q.w;
  const Number scale = Real(1.5) - Real(0.5) * (w * w + x * x + y * y + z * z);
  return {scale * w, scale * x, scale * y, scale * z};
}

/// The square of half the angle of the turn r.
template <class Real, class Number>
SCREE_HD inline Number half_angle_squared(Number rx, Number ry, Number rz) {
  return (rx * rx + ry * ry + rz * rz) * Real(0.25);
}

/// Orientation after turning with the constant angular velocity omega (world axes) for dt: exp(omega dt) q.
template <class Real>
SCREE_HD inline Quaternion<Real> turned(const Quaternion<Real>& q, const Vector3<Real>& omega, Real dt) {
  // By components: a quaternion that goes through memory between these steps waits there for itself.
  const Real rx = omega[0] * dt, ry = omega[1] * dt, rz = omega[2] * dt;
  const CosineSinc<Real> half = cosine_and_sinc<Real>(half_angle_squared<Real>(rx, ry, rz));
  const QuaternionParts<Real> now = composed<Real, Real>(half, rx, ry, rz, {q.w(), q.x(), q.y(), q.z()});
  return {now.w, now.x, now.y, now.z};
}

/// turned() for rotation about z: two complex numbers multiplied.
template <class Real>
SCREE_HD inline Quaternion<Real> turned_about_z(const Quaternion<Real>& q, Real omega, Real dt) {
  const Real half_angle = omega * dt / 2;
  const CosineSinc<Real> half = cosine_and_sinc<Real>(half_angle * half_angle);
  const Real c = half.cosine, e = half.sinc * half_angle;
  const Real w = c * q.w() - e * q.z(), z = c * q.z() + e * q.w();
  const Real s = Real(1.5) - Real(0.5) * (w * w + z * z);
  return {s * w, 0, 0, s * z};
}

/// Orientation and angular velocity of a rigid body.
template <class Real>
struct Rotation {
  Quaternion<Real> q;
  Vector3<Real> omega;
};

/// Turns a body about its own principal axis k by `angle` [rad], q exp(angle e_k); its angular momentum in the body
/// frame turns back by as much.
template <class Real>
SCREE_HD inline void turn_about_principal(int k, Real angle, Quaternion<Real>& q, Vector3<Real>& spin_body) {
  const int i = (k + 1) % 3, j = (k + 2) % 3;
  const CosineSinc<Real> half = cosine_and_sinc<Real>(angle * angle / 4);
  const Real c = half.cosine, s = half.sinc * angle / 2;
  Vector3<Real> v = q.vec();
  const Real w = c * q.w() - s * v[k], along = c * v[k] + s * q.w();
  const Real across_i = c * v[i] + s * v[j], across_j = c * v[j] - s * v[i];
  v[k] = along, v[i] = across_i, v[j] = across_j;
  q = Quaternion<Real>(w, v[0], v[1], v[2]);
  const Real cosine = c * c - s * s, sine = 2 * c * s;
  const Real spin_i = cosine * spin_body[i] + sine * spin_body[j], spin_j = cosine * spin_body[j] - sine * spin_body[i];
  spin_body[i] = spin_i, spin_body[j] = spin_j;
}

/// Torque-free motion for dt. The kinetic energy sum_k L_k^2 / (2 I_k) is split into |L|^2 / (2 I_m), I_m the middle
/// moment, and (1/I_a - 1/I_m) L_a^2 / 2, (1/I_c - 1/I_m) L_c^2 / 2 of the two other axes. Each part alone turns the
/// body about a fixed axis by a known angle: a for dt/2, c for dt, a for dt/2, and about L, which commutes with them.
/// Angular momentum is conserved to rounding; the energy error is O(dt^2) and does not grow with time (symplectic,
/// reversible). Spheres and symmetric tops, for which a part vanishes, move exactly.
/// \param moments, inverse_moments  principal [kg m^2] and their inverses; 0 in both = does not turn about that axis
/// \source J. Touma, J. Wisdom, Astron. J. 107 (1994) 1189; F. Fasso, J. Comput. Phys. 189 (2003) 527
template <class Real>
SCREE_HD inline Rotation<Real> rotated_freely(const Rotation<Real>& now, const Vector3<Real>& moments,
                                              const Vector3<Real>& inverse_moments, Real dt) {
  const Vector3<Real>& w = inverse_moments;
  const int low = w[0] <= w[1] ? (w[0] <= w[2] ? 0 : 2) : (w[1] <= w[2] ? 1 : 2);
  const int high = w[2] >= w[0] ? (w[2] >= w[1] ? 2 : 1) : (w[0] >= w[1] ? 0 : 1);
  if (w[low] == w[high] && w[low] > 0) return {turned<Real>(now.q, now.omega, dt), now.omega};  // a sphere
  const int a = low, c = high, middle = 3 - a - c;
  Vector3<Real> spin_body = moments.cwiseProduct(now.q.conjugate() * now.omega);
  const Vector3<Real> spin = now.q * spin_body;
  Quaternion<Real> q = now.q;
  const Real rate_a = w[a] - w[middle], rate_c = w[c] - w[middle];
  if (rate_a != 0) turn_about_principal<Real>(a, rate_a * spin_body[a] * (dt / 2), q, spin_body);
  if (rate_c != 0) turn_about_principal<Real>(c, rate_c * spin_body[c] * dt, q, spin_body);
  if (rate_a != 0) turn_about_principal<Real>(a, rate_a * spin_body[a] * (dt / 2), q, spin_body);
  q = turned<Real>(q, spin * w[middle], dt);
  return {q, angular_acceleration<Real>(spin, q, inverse_moments)};
}

}  // namespace scree
