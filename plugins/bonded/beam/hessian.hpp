#pragma once
/// \file Second derivatives of a bond's energy in the reduced coordinates (p_a, th_a, p_b, th_b), q <- exp(th) q:
/// eqs. (16) to (21). The curvature term of S^3, (P.51), which (P.52) drops, is in them: they are the second
/// derivatives along the retraction.
///
/// To second order, with r = lever, u = th_a - th_b, the mean rotation turns by
///   psi = (th_a + th_b)/2 + u x r  +  (psi_1 . ) (u . r)/2 - r (|th_a|^2 - |th_b|^2)/4
/// and exp(-th_b) exp(th_a) = (1 - |u|^2/8, u/2 - th_b x th_a/4).

#include "beam/gradient.hpp"

namespace scree::bonded {

/// The blocks that differ: those of p_a follow from de = dp_b - dp_a.
template <class Number>
struct BondHessian {
  Matrix<Number> ee;          ///< [N/m]
  Matrix<Number> ea, eb;      ///< rows e, columns th_a or th_b [N/rad]
  Matrix<Number> aa, ab, bb;  ///< rows th_a or th_b [N m/rad]
};

/// Stretch: k_n [(1 - l0/l) I + (l0/l) d d^T], negative across the axis of a compressed bond.
template <class Number>
SCREE_HD inline Matrix<Number> stretch_hessian(const Deformation<Number>& x, const Stiffness<Number>& k,
                                               Number rest_length) {
  const Number share = rest_length / x.length;
  return scaled_identity<Number>(k.stretch * (Number(1) - share)) +
         outer<Number>((k.stretch * share) * x.direction, x.direction);
}

/// Shear: k_s (f'' c_x c_y^T + f' c_xy) for x, y in (e, psi), then psi by th_a, th_b.
template <class Number>
SCREE_HD inline void add_shear(const Deformation<Number>& x, const Stiffness<Number>& k, BondHessian<Number>& h) {
  const Number half(0.5), over_length = Number(1) / x.length;
  const Number slope = -(k.shear * x.ratio), curvature = k.shear * arc_curvature(x.cosine, x.sine2, x.ratio);
  const Vector<Number>&d = x.direction, &u = x.mean;
  const Vector<Number> by_e = over_length * (u - x.cosine * d), by_psi = u.cross(d);

  const Matrix<Number> ud = outer<Number>(u, d), sym = ud + ud.transpose();
  const Number slope_l2 = slope * over_length * over_length;
  h.ee += outer<Number>(curvature * by_e, by_e) - slope_l2 * sym - scaled_identity<Number>(slope_l2 * x.cosine) +
          outer<Number>((Number(3) * slope_l2 * x.cosine) * d, d);
  // (I - d d^T) [-u]x = -[u]x - d (d x u)^T ... as d^T [u]x = (d x u)^T
  const Matrix<Number> e_psi = outer<Number>(curvature * by_e, by_psi) -
                               (slope * over_length) * (cross_matrix<Number>(u) + outer<Number>(d, by_psi));
  const Matrix<Number> psi_psi =
      outer<Number>(curvature * by_psi, by_psi) + (slope * half) * sym - scaled_identity<Number>(slope * x.cosine);

  const Matrix<Number> r = cross_matrix<Number>(x.lever);
  const Matrix<Number> turn_a = scaled_identity<Number>(half) - r, turn_b = scaled_identity<Number>(half) + r;
  h.ea += e_psi.lazyProduct(turn_a);
  h.eb += e_psi.lazyProduct(turn_b);
  const Matrix<Number> psi_a = psi_psi.lazyProduct(turn_a), psi_b = psi_psi.lazyProduct(turn_b);
  // turn_a^T = turn_b, as r is skew.
  const Vector<Number> moment = slope * by_psi, tilt = x.lever.cross(moment);
  const Vector<Number> half_a = half * (half * moment + tilt), half_b = half * (half * moment - tilt);
  const Matrix<Number> ra = outer<Number>(half_a, x.lever), rb = outer<Number>(half_b, x.lever);
  const Matrix<Number> spin = scaled_identity<Number>(half * moment.dot(x.lever));
  h.aa += turn_b.lazyProduct(psi_a) + ra + ra.transpose() - spin;
  h.bb += turn_a.lazyProduct(psi_b) - rb - rb.transpose() + spin;
  h.ab += turn_b.lazyProduct(psi_b) - ra + rb.transpose();
}

/// Bending and twist: M = B^T 4K B - (y . rho.v)/4 I on th_a - th_b, and the commutator of both turns.
template <class Number>
SCREE_HD inline void add_bend_twist(const Deformation<Number>& x, const Stiffness<Number>& k, BondHessian<Number>& h) {
  const Number half(0.5), four(4);
  const Vector<Number> y = chord_moment(x, k), moment = half * (x.rho.w * y + x.rho.v.cross(y));
  // B^T B = (rho.w^2 I + |rho.v|^2 I - rho.v rho.v^T)/4, |rho| = 1; B^T axis as for the moment.
  const Vector<Number> axis = half * (x.rho.w * x.axis + x.rho.v.cross(x.axis));
  const Matrix<Number> m = scaled_identity<Number>(k.bend - Number(0.25) * y.dot(x.rho.v)) -
                           outer<Number>(k.bend * x.rho.v, x.rho.v) +
                           outer<Number>((four * (k.twist - k.bend)) * axis, axis);
  h.aa += m;
  h.bb += m;
  h.ab -= m + half * cross_matrix<Number>(moment);
}

/// \param rest_length  l0 [m]
template <class Number>
SCREE_HD inline BondHessian<Number> bond_hessian(const Deformation<Number>& x, const Stiffness<Number>& k,
                                                 Number rest_length) {
  const Matrix<Number> none = scaled_identity<Number>(Number(0));
  BondHessian<Number> h{stretch_hessian(x, k, rest_length), none, none, none, none, none};
  add_shear(x, k, h);
  add_bend_twist(x, k, h);
  return h;
}

/// All twelve coordinates (p_a, th_a, p_b, th_b).
template <class Real>
SCREE_HD inline Eigen::Matrix<Real, 12, 12> whole(const BondHessian<Real>& h) {
  Eigen::Matrix<Real, 12, 12> m;
  m << h.ee, -h.ea, -h.ee, -h.eb,                       //
      -h.ea.transpose(), h.aa, h.ea.transpose(), h.ab,  //
      -h.ee, h.ea, h.ee, h.eb,                          //
      -h.eb.transpose(), h.ab.transpose(), h.eb.transpose(), h.bb;
  return m;
}

}  // namespace scree::bonded
