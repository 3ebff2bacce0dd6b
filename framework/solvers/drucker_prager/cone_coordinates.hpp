#pragma once
/// \file Symmetric tensors as vectors in which Drucker and Prager's law is Coulomb's law.
///
/// Inner product A:B / 2, hence |A|^2 = A:A / 2: simple shear has |tau| = |tau_xy|. Coordinates are orthonormal for it:
///   N          tr A / (2 D)^(1/2)
///   T, plane   (A_xx - A_yy) / 2,  A_xy
///   T, space   (A_xx - A_yy) / 2,  (A_xx + A_yy - 2 A_zz) / (2 3^(1/2)),  A_xy,  A_xz,  A_yz
/// The pressure tr A / D is N (2/D)^(1/2), and |Dev A| <= mu p is |A_T| <= mu^ A_N with mu^ = mu (2/D)^(1/2).
///
/// \source G. Daviet, F. Bertails-Descoubes, J. Non-Newtonian Fluid Mech. 234 (2016) 15, sec. 3. Their
/// three-dimensional
///         programs take mu^ = mu; here mu is tau / p in space too

#include <cmath>
#include <numbers>

#include "solvers/coulomb/local_problem.hpp"
#include "solvers/drucker_prager/problem.hpp"

namespace scree::continuum {

/// (2/D)^(1/2): pressure per normal component, and mu^ per mu.
template <int D>
inline constexpr double kPressure = D == 2 ? 1 : std::numbers::sqrt2 / std::numbers::sqrt3;

/// (2 D)^(1/2): trace per normal component.
template <int D>
inline constexpr double kTrace = D == 2 ? 2 : std::numbers::sqrt2* std::numbers::sqrt3;

/// \param friction  mu = |Dev lambda| / p [-]
/// \return mu^, the friction of a strain row [-]
template <int D>
constexpr double cone_friction(double friction) {
  return kPressure<D> * friction;
}

/// \return tr A / D of a tensor in cone coordinates
template <int D>
inline double pressure(const Stress<D>& a) {
  return kPressure<D> * a[0];
}

/// \return coordinates of the symmetric part of A
inline Stress<2> to_cone(const Mat<2>& a) {
  return {0.5 * (a(0, 0) + a(1, 1)), 0.5 * (a(0, 0) - a(1, 1)), 0.5 * (a(0, 1) + a(1, 0))};
}
inline Stress<3> to_cone(const Mat<3>& a) {
  constexpr double kThird = 0.5 / std::numbers::sqrt3;
  Stress<3> c;
  c << (a(0, 0) + a(1, 1) + a(2, 2)) / kTrace<3>, 0.5 * (a(0, 0) - a(1, 1)), kThird * (a(0, 0) + a(1, 1) - 2 * a(2, 2)),
      0.5 * (a(0, 1) + a(1, 0)), 0.5 * (a(0, 2) + a(2, 0)), 0.5 * (a(1, 2) + a(2, 1));
  return c;
}

/// \return the symmetric tensor of these coordinates
inline Mat<2> to_tensor(const Stress<2>& c) {
  Mat<2> a;
  a << c[0] + c[1], c[2], c[2], c[0] - c[1];
  return a;
}
inline Mat<3> to_tensor(const Stress<3>& c) {
  const double mean = kPressure<3> * c[0], third = c[2] / std::numbers::sqrt3;
  Mat<3> a;
  a << mean + c[1] + third, c[3], c[4], c[3], mean - c[1] + third, c[5], c[4], c[5], mean - 2 * third;
  return a;
}

/// G(g) u: coordinates of the symmetric part of u (x) g. \param g  [m^2]   \param u  [m/s]   \return [m^3/s]
template <int D>
inline Stress<D> strain_rate(const Vec<D>& g, const Vec<D>& u) {
  return to_cone(Mat<D>(u * g.transpose()));
}

/// 2 G(g)^T r = lambda(r) g: the impulse of a stress on a node. \param r  [Pa s]   \return [N s]
template <int D>
inline Vec<D> impulse(const Vec<D>& g, const Stress<D>& r) {
  return to_tensor(r) * g;
}

/// P_K: \return the nearest point of the cone |r_T| <= mu^ (r_N + e)
template <int D>
inline Stress<D> project(Stress<D> r, double friction, double apex) {
  r[0] += apex;
  Stress<D> nearest = coulomb::project_on_cone<kStress<D>>(r, friction);
  nearest[0] -= apex;
  return nearest;
}

/// q of respond(): 1 without viscosity, 0 where nothing yields. \param stiffness  rho c [-]
inline double yield_share(double stiffness) { return 1 / std::sqrt(1 + stiffness); }

/// The stress s nearest to a trial stress z that is the sum of one in the cone, r, and of a viscous one, the rate of
/// which has its price: the minimum over s and r of  rho |s - z|^2 / 2 + |s_T - r_T|^2 / (2 c)  with s_N = r_N and
/// |r_T| <= mu^ (r_N + e). With q = (1 + rho c)^(-1/2) it is
///   (n, t) = projection of (z_N, q z_T) on the cone of friction mu^ q,  s_N = n,  s_T = (1 - q^2) z_T + q t.
/// \param share  q = yield_share(rho c)
template <int D>
inline Stress<D> respond(const Stress<D>& z, double friction, double apex, double share) {
  if (share == 1) return project<D>(z, friction, apex);
  constexpr int kRest = kStress<D> - 1;
  Stress<D> trial = z;
  trial.template tail<kRest>() *= share;
  Stress<D> s = project<D>(trial, friction * share, apex);
  s.template tail<kRest>() = (1 - share * share) * z.template tail<kRest>() + share * s.template tail<kRest>();
  return s;
}

/// mu^ |gamma_T|: De Saxce's shift of the normal strain rate.
template <int D>
inline double shift_of(const Stress<D>& strain_rate, double friction) {
  return friction * strain_rate.template tail<kStress<D> - 1>().norm();
}

}  // namespace scree::continuum
