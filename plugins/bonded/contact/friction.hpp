#pragma once
/// \file Friction and rolling resistance as impulses after the step: eqs. (37), (38) for bodies with equal moments of
/// inertia, (47) for pairs with another one. Pure, host and device. A pair keeps its linear and angular momentum
/// exactly (E21); of bodies with equal moments that are no spheres only the arms along the normal are seen.

#include <Eigen/LU>

#include "beam/hessian.hpp"

namespace scree::bonded {

/// A sphere as friction sees it; an immovable side has zeros.
template <class Real>
struct SlidingBody {
  Vector<Real> velocity;          ///< [m/s]
  Vector<Real> angular_velocity;  ///< world axes [rad/s]
  Real inverse_mass;              ///< [1/kg]
  Real inverse_inertia;           ///< [1/(kg m^2)]
};

/// Arms from the centres to the point where two overlapping spheres touch [m]: they share |e| as their radii. With the
/// radii as arms, angular momentum would be off by the overlap times the impulse.
template <class Real>
struct Arms {
  Real a, b;
};
template <class Real>
SCREE_HD inline Arms<Real> meeting_arms(Real apart, Real radius_a, Real radius_b) {
  const Real a = apart * radius_a / (radius_a + radius_b);
  return {a, apart - a};
}

/// Coulomb friction for one step: J = min(mu F_n dt, m_t |u_t|) against the sliding u_t of the contact point,
/// 1/m_t = 1/m_a + 1/m_b + a_a^2/I_a + a_b^2/I_b.
/// \param normal  unit, from a to b  \param push  F_n dt [N s]
/// \return the impulse on a [N s]; that on b is its negative
template <class Real>
SCREE_HD inline Vector<Real> rub(SlidingBody<Real>& a, SlidingBody<Real>& b, const Vector<Real>& normal,
                                 const Arms<Real>& arm, Real friction, Real push) {
  const Vector<Real> turn = arm.a * a.angular_velocity + arm.b * b.angular_velocity;
  const Vector<Real> u = a.velocity - b.velocity + turn.cross(normal);
  const Vector<Real> sliding = u - u.dot(normal) * normal;
  const Real speed = square_root(sliding.dot(sliding));
  if (!(speed > Real(0))) return Vector<Real>::Zero();
  const Real mobility =
      a.inverse_mass + b.inverse_mass + arm.a * arm.a * a.inverse_inertia + arm.b * arm.b * b.inverse_inertia;
  if (!(mobility > Real(0))) return Vector<Real>::Zero();
  const Real stop = speed / mobility, slide = friction * push;
  const Vector<Real> impulse = (-(slide < stop ? slide : stop) / speed) * sliding;
  a.velocity += a.inverse_mass * impulse;
  b.velocity -= b.inverse_mass * impulse;
  const Vector<Real> spin = normal.cross(impulse);
  a.angular_velocity += (a.inverse_inertia * arm.a) * spin;
  b.angular_velocity += (b.inverse_inertia * arm.b) * spin;
  return impulse;
}

/// Rolling resistance: the couple mu_r F_n r dt against the relative spin, at most what stops it (E19: r, not r^3).
/// Equal and opposite on both. \param radius  lever of the couple [m]
template <class Real>
SCREE_HD inline void resist_rolling(SlidingBody<Real>& a, SlidingBody<Real>& b, Real radius, Real friction, Real push) {
  const Vector<Real> spin = a.angular_velocity - b.angular_velocity;
  const Real rate = square_root(spin.dot(spin)), mobility = a.inverse_inertia + b.inverse_inertia;
  if (!(rate > Real(0)) || !(mobility > Real(0))) return;
  const Real stop = rate / mobility, slow = friction * push * radius;
  const Vector<Real> couple = (-(slow < stop ? slow : stop) / rate) * spin;
  a.angular_velocity += a.inverse_inertia * couple;
  b.angular_velocity -= b.inverse_inertia * couple;
}

/// A body with any moments as friction sees it; an immovable side has zeros.
template <class Real>
struct SlidingSolid {
  Vector<Real> velocity;          ///< [m/s]
  Vector<Real> angular_velocity;  ///< world axes [rad/s]
  Real inverse_mass;              ///< [1/kg]
  Matrix<Real> inverse_inertia;   ///< world axes [1/(kg m^2)]
};

/// Eq. (47): the impulse x of at most this size that leaves least energy, x . M x/2 + x . rate. It ends the motion
/// if it can; else |x| = most and x is opposite to the motion that is left. With M = 1/m it is eq. (37).
/// \param mobility  M, positive definite: what an impulse changes the rate by
template <class Real>
SCREE_HD inline Vector<Real> most_slowing(const Matrix<Real>& mobility, const Vector<Real>& rate, Real most) {
  const Real speed = square_root(rate.dot(rate));
  if (!(speed > Real(0)) || !(most > Real(0))) return Vector<Real>::Zero();
  Vector<Real> x = -(mobility.inverse() * rate);
  if (!(x.dot(x) > most * most)) return x;
  // x = -(M + s)^-1 rate with |x| = most. 1/|x| is a concave function of s: Newton's method comes from below and never
  // goes too far. (More, Sorensen, SIAM J. Sci. Stat. Comput. 4 (1983) 553.)
  const Real least = speed / most - mobility.trace();
  Real shift = least > Real(0) ? least : Real(0), length = 0;
  for (int k = 0; k < 50; ++k) {
    const Matrix<Real> inverse = (mobility + scaled_identity<Real>(shift)).inverse();
    x = -(inverse * rate);
    length = square_root(x.dot(x));
    if (!(length > most * (Real(1) + Real(1e-14)))) break;
    shift += (length / most - Real(1)) * x.dot(x) / x.dot(inverse * x);
  }
  return x * (most / length);
}

/// Returns the displacement of the end of the arm by an impulse there: 1/m - [arm]x I^-1 [arm]x [1/kg].
template <class Real>
SCREE_HD inline Matrix<Real> mobility_at(const SlidingSolid<Real>& body, const Vector<Real>& arm) {
  const Matrix<Real> cross = cross_matrix<Real>(arm);
  return scaled_identity<Real>(body.inverse_mass) + cross * body.inverse_inertia * cross.transpose();
}

/// Coulomb friction for one step, (47) in the tangent plane with most = mu F_n dt: sliding ends, or friction is
/// opposite to the sliding at the end of the step. The two mobilities across the normal differ.
/// \param normal  unit, from a to b  \param arm_a, arm_b  from either centre to the contact point [m]
/// \param push  F_n dt [N s]  \return the impulse on a [N s]; that on b is its negative
template <class Real>
SCREE_HD inline Vector<Real> rub(SlidingSolid<Real>& a, SlidingSolid<Real>& b, const Vector<Real>& normal,
                                 const Vector<Real>& arm_a, const Vector<Real>& arm_b, Real friction, Real push) {
  const Vector<Real> u = a.velocity + a.angular_velocity.cross(arm_a) - b.velocity - b.angular_velocity.cross(arm_b);
  const Matrix<Real> mobility = mobility_at<Real>(a, arm_a) + mobility_at<Real>(b, arm_b);
  const Real scale = mobility.trace();
  if (!(scale > Real(0))) return Vector<Real>::Zero();
  const Matrix<Real> along = outer<Real>(normal, normal), across = scaled_identity<Real>(Real(1)) - along;
  const Vector<Real> impulse =
      most_slowing<Real>(across * mobility * across + scale * along, across * u, friction * push);
  a.velocity += a.inverse_mass * impulse;
  b.velocity -= b.inverse_mass * impulse;
  a.angular_velocity += a.inverse_inertia * arm_a.cross(impulse);
  b.angular_velocity -= b.inverse_inertia * arm_b.cross(impulse);
  return impulse;
}

/// Rolling resistance: a couple of at most mu_r F_n r dt against the relative spin, by (47). Equal and opposite on
/// both. \param radius  lever of the couple [m]
template <class Real>
SCREE_HD inline void resist_rolling(SlidingSolid<Real>& a, SlidingSolid<Real>& b, Real radius, Real friction,
                                    Real push) {
  const Matrix<Real> mobility = a.inverse_inertia + b.inverse_inertia;
  if (!(mobility.trace() > Real(0))) return;
  const Vector<Real> spin = a.angular_velocity - b.angular_velocity;
  const Vector<Real> couple = most_slowing<Real>(mobility, spin, friction * push * radius);
  a.angular_velocity += a.inverse_inertia * couple;
  b.angular_velocity -= b.inverse_inertia * couple;
}

}  // namespace scree::bonded
