#pragma once
/// \file How a quaternion, as a vector of four numbers (x, y, z, w), changes with a small rotation. Pure, host and
/// device.

#include "solvers/newton/matrices.hpp"

namespace scree::solvers {

template <class Real>
using Ambient4 = Eigen::Matrix<Real, 4, 1>;
template <class Real>
using Ambient34 = Eigen::Matrix<Real, 3, 4>;

/// Eq. (2): G_l(q) = (s I - [t]x, -t), G_r(q) = (s I + [t]x, -t); G q = 0, G G^T = |q|^2 I.
template <class Real>
SCREE_HD inline Ambient34<Real> nullspace_left(const Ambient4<Real>& q) {
  const Vector<Real> t = q.template head<3>();
  Ambient34<Real> g;
  g << scaled_identity<Real>(q[3]) - cross_matrix<Real>(t), -t;
  return g;
}
template <class Real>
SCREE_HD inline Ambient34<Real> nullspace_right(const Ambient4<Real>& q) {
  const Vector<Real> t = q.template head<3>();
  Ambient34<Real> g;
  g << scaled_identity<Real>(q[3]) + cross_matrix<Real>(t), -t;
  return g;
}

/// Eq. (6): dq = Gt(q)^T th for q <- exp(th) q. Half of G_r, so that torques are in N m.
template <class Real>
SCREE_HD inline Ambient34<Real> tangent(const Ambient4<Real>& q) {
  return Real(0.5) * nullspace_right(q);
}

}  // namespace scree::solvers
