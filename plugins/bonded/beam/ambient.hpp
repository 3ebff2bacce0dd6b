#pragma once
/// \file A bond's energy and its derivatives in R^3 x R^4 per body, off the sphere too: eqs. (12) to (20) as they
/// stand. For methods that keep |q| = 1 by a constraint, and as a second derivation of the reduced forms. Quaternions
/// are 4-vectors (x, y, z, w): the scalar last, as the formulas have it and Eigen keeps it.
///
/// The twelve-coordinate forms in energy, gradient and hessian.hpp cost a tenth; G(q) of eq. (2) takes these to those.

#include "beam/hessian.hpp"
#include "solvers/newton/quaternion_tangent.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

template <class Real>
using Ambient44 = Eigen::Matrix<Real, 4, 4>;

/// Eq. (12): e . Im(s a conj(s)) = s^T W(e, a) s.
template <class Real>
SCREE_HD inline Ambient44<Real> carried_product(const Vector<Real>& e, const Vector<Real>& a) {
  const Vector<Real> c = a.cross(e);
  Ambient44<Real> w;
  w << outer<Real>(e, a) + outer<Real>(a, e) - scaled_identity<Real>(e.dot(a)), c, c.transpose(), e.dot(a);
  return w;
}

/// Rows and columns (p_a, q_a, p_b, q_b).
template <class Real>
struct AmbientBond {
  Real energy;
  Eigen::Matrix<Real, 14, 1> gradient;
  Eigen::Matrix<Real, 14, 14> hessian;
};

namespace detail {

/// V_s of (e, s), s = q_a + q_b, and its derivatives: eqs. (13) to (19).
template <class Real>
struct AmbientShear {
  Real energy;
  Vector<Real> by_e;
  Ambient4<Real> by_s;
  Matrix<Real> ee;
  Ambient34<Real> es;
  Ambient44<Real> ss;
};

template <class Real>
SCREE_HD inline AmbientShear<Real> ambient_shear(const Vector<Real>& e, const Ambient4<Real>& s, const Vector<Real>& d0,
                                                 Real k) {
  const Vector<Real> t = s.template head<3>();
  const Real w = s[3], n = square_root(e.dot(e)), m = s.dot(s), nm = n * m, n3m = n * n * n * m;
  const Ambient44<Real> carried = carried_product<Real>(e, d0);
  const Ambient4<Real> ws = carried * s;
  const Real product = s.dot(ws), cosine = product / nm, share = product / m;
  const Vector<Real> big_d = (w * w - t.dot(t)) * d0 + (Real(2) * t.dot(d0)) * t + (Real(2) * w) * t.cross(d0);
  const Vector<Real> sine = e.cross(big_d) / nm;
  const Real sine2 = sine.dot(sine), ratio = arc_ratio(cosine, sine2);
  const Real slope = -k * ratio, curvature = k * arc_curvature(cosine, sine2, ratio);

  const Vector<Real> c_e = big_d / nm - (product / n3m) * e;
  const Ambient4<Real> c_s = (Real(2) / nm) * (ws - share * s);
  const Matrix<Real> de = outer<Real>(big_d, e);
  const Matrix<Real> c_ee = (de + de.transpose() + scaled_identity<Real>(product)) / -n3m +
                            outer<Real>((Real(3) * product / (n3m * n * n)) * e, e);
  Ambient34<Real> d_s;
  d_s << outer<Real>(Real(-2) * d0, t) + outer<Real>(Real(2) * t, d0) + scaled_identity<Real>(Real(2) * t.dot(d0)) -
             (Real(2) * w) * cross_matrix<Real>(d0),
      (Real(2) * w) * d0 + Real(2) * t.cross(d0);
  const Ambient34<Real> c_es = d_s / nm - (Real(2) / (nm * m)) * big_d * s.transpose() -
                               (Real(2) / n3m) * e * ws.transpose() +
                               (Real(2) * product / (n3m * m)) * e * s.transpose();
  const Ambient44<Real> sws = ws * s.transpose();
  const Ambient44<Real> c_ss =
      (Real(2) / nm) * (carried - share * Ambient44<Real>::Identity() - (Real(2) / m) * (sws + sws.transpose()) +
                        (Real(4) * share / m) * s * s.transpose());
  return {Real(0.5) * k * ratio * ratio * sine2,
          slope * c_e,
          slope * c_s,
          curvature * c_e * c_e.transpose() + slope * c_ee,
          curvature * c_e * c_s.transpose() + slope * c_es,
          curvature * c_s * c_s.transpose() + slope * c_ss};
}

}  // namespace detail

/// \param a, b  any nonzero quaternions; the value is V_n + V_s + t^T 4K t/2 with t = Im(conj(q_b) q_a)
template <class Real>
SCREE_HD inline AmbientBond<Real> ambient_bond(const Vector<Real>& e, const Ambient4<Real>& a, Ambient4<Real> b,
                                               const Vector<Real>& rest, const Stiffness<Real>& k, Real rest_length) {
  const Real sign = sign_or_one(a.dot(b));
  b *= sign;
  const Real length = square_root(e.dot(e)), extension = length - rest_length, share = rest_length / length;
  const auto shear = detail::ambient_shear<Real>(e, a + b, rest, k.shear);
  const Matrix<Real> stiff =
      scaled_identity<Real>(Real(4) * k.bend) + outer<Real>((Real(4) * (k.twist - k.bend)) * rest, rest);
  const Ambient34<Real> by_a = nullspace_left<Real>(b), by_b = -nullspace_left<Real>(a);
  const Vector<Real> t = by_a * a, y = stiff * t;
  Ambient44<Real> mixed;
  mixed << -cross_matrix<Real>(y), y, -y.transpose(), Real(0);

  AmbientBond<Real> v;
  v.energy = Real(0.5) * (k.stretch * extension * extension + t.dot(y)) + shear.energy;
  const Vector<Real> g_e = (k.stretch * extension / length) * e + shear.by_e;
  v.gradient << -g_e, shear.by_s + by_a.transpose() * y, g_e, sign * (shear.by_s + by_b.transpose() * y);
  const Matrix<Real> ee = shear.ee + scaled_identity<Real>(k.stretch * (Real(1) - share)) +
                          (k.stretch * share / (length * length)) * e * e.transpose();
  const Ambient34<Real>&ea = shear.es, eb = sign * shear.es;
  const Ambient44<Real> aa = shear.ss + by_a.transpose() * stiff * by_a;
  const Ambient44<Real> bb = shear.ss + by_b.transpose() * stiff * by_b;
  const Ambient44<Real> ab = sign * (shear.ss + by_a.transpose() * stiff * by_b + mixed);
  v.hessian << ee, -ea, -ee, -eb,               //
      -ea.transpose(), aa, ea.transpose(), ab,  //
      -ee, ea, ee, eb,                          //
      -eb.transpose(), ab.transpose(), eb.transpose(), bb;
  return v;
}

}  // namespace scree::bonded
