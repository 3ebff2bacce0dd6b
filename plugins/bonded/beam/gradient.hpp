#pragma once
/// \file First derivatives of a bond's energy in the reduced coordinates (p_a, th_a, p_b, th_b), with q <- exp(th) q:
/// eqs. (14), (19) to (21) after reduction. Forces and torques are their negatives: [N] and [N m], world axes.
///
/// To first order the mean of both rotations turns by (P. 38, reduced)
///   psi = (th_a + th_b)/2 + (th_a - th_b) x lever,   lever = rho.v/|q_a + q_b|^2,
/// and the relative rotation changes by B (th_a - th_b), B x = (rho.w x + x x rho.v)/2.

#include "beam/bond.hpp"

namespace scree::bonded {

/// dV. That of p_a is minus that of p_b.
template <class Number>
struct BondGradient {
  Vector<Number> branch;  ///< dV/dp_b = dV/de [N]
  Vector<Number> turn_a;  ///< dV/dth_a [N m]
  Vector<Number> turn_b;  ///< dV/dth_b [N m]
};

/// dV_s/dpsi [N m]: what turns the mean rotation.
template <class Number>
SCREE_HD inline Vector<Number> shear_moment(const Deformation<Number>& x, const Stiffness<Number>& k) {
  return (k.shear * x.ratio) * x.direction.cross(x.mean);
}

/// dV_b/dth_a = B^T 4K rho.v [N m]; that of th_b is its negative.
template <class Number>
SCREE_HD inline Vector<Number> bend_twist_moment(const Deformation<Number>& x, const Stiffness<Number>& k) {
  const Vector<Number> y = chord_moment(x, k);
  return Number(0.5) * (x.rho.w * y + x.rho.v.cross(y));
}

template <class Number>
SCREE_HD inline BondGradient<Number> bond_gradient(const Deformation<Number>& x, const Stiffness<Number>& k,
                                                   Number rest_length) {
  const Vector<Number> shear = shear_moment(x, k), half = Number(0.5) * shear, tilt = x.lever.cross(shear);
  const Vector<Number> bend = bend_twist_moment(x, k);
  BondGradient<Number> g;
  g.branch = (k.stretch * (x.length - rest_length)) * x.direction -
             (k.shear * x.ratio / x.length) * (x.mean - x.cosine * x.direction);
  g.turn_a = half + tilt + bend;
  g.turn_b = half - tilt - bend;
  return g;
}

}  // namespace scree::bonded
