#pragma once
/// \file Friction and rolling resistance as impulses after the step: eqs. (37), (38). Pure, host and device. A pair
/// keeps its linear and angular momentum exactly (E21).

#include "beam/bond.hpp"

namespace scree::bonded {

/// A sphere as friction sees it; an immovable side has zeros.
template <class Real>
struct SlidingBody {
  Vector<Real> velocity;          ///< [m/s]
  Vector<Real> angular_velocity;  ///< world axes [rad/s]
  Real inverse_mass;              ///< [1/kg]
  Real inverse_inertia;           ///< [1/(kg m^2)]
};

/// Where two spheres that overlap meet, from either centre [m]: they share |e| as their radii. With the radii
/// themselves angular momentum would be off by the overlap times the impulse.
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

}  // namespace scree::bonded
