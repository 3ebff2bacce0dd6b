#pragma once
/// \file Inertia of rotation of a body whose principal moments differ: its part of the incremental potential, eq. (41),
/// with derivatives. Pure, host and device. SI units; world axes unless a name says principal.
///
/// With d = q conj(q^) = (s, t), the rotation from the predicted orientation to the actual one,
///   tr((R - R^) J (R - R^)^T)/(2 h^2) = 2 t . I^ t/h^2,   J = tr(I)/2 - I,   I^ = R^ diag(I) R^^T,
/// which needs no trigonometry and loses no digits where q is near q^. The signs of q and q^ do not matter. A body with
/// equal moments has eq. (23) instead, 4 I |q - q^|^2/(2 h^2): alike for small d, 4 I (1 - s)/h^2 against
/// 2 I (1 - s^2)/h^2 for others.

#include <cstddef>
#include <span>

#include "solvers/newton/matrices.hpp"
#include "scree/base/wide.hpp"
#include "scree/integrate/rigid_body.hpp"

namespace scree::solvers {

/// Moments that differ by less, relative to the largest, are equal ones with rounding errors.
inline constexpr double kEqualMoments = 1e-9;

/// Whether the principal moments of a body in three dimensions differ.
template <class Real>
SCREE_HD inline bool unequal(const Vector<Real>& moments) {
  return moments.maxCoeff() - moments.minCoeff() > Real(kEqualMoments) * moments.maxCoeff();
}

/// Whether row i of a column of principal moments says that they differ. Rows of other bodies are zero; a column
/// without rows stands for bodies that all have equal moments.
inline bool unequal(std::span<const Vec3> moments, std::size_t i) { return !moments.empty() && moments[i][0] > 0; }

/// R diag(values) R^T x. With moments, the angular momentum of an angular velocity; with their inverses, the other way.
/// \param values  along the principal axes  \param q  body to world, unit
template <class Real>
SCREE_HD inline Vector<Real> times_principal(const Vector<Real>& values, const Quaternion<Real>& q,
                                             const Vector<Real>& x) {
  const Vector<Real> inside = q.conjugate() * x;
  return q * Vector<Real>(values.cwiseProduct(inside));
}

/// R diag(values) R^T: the tensor of inertia in world axes, or its inverse.
template <class Real>
SCREE_HD inline Matrix<Real> in_world_axes(const Vector<Real>& values, const Quaternion<Real>& q) {
  const Matrix<Real> r = q.toRotationMatrix();
  return r * values.asDiagonal() * r.transpose();
}

/// Eq. (41): 2 t . I^ t/h^2 [J]. \param q, predicted  q and q^, unit  \param moments  principal [kg m^2]
/// \param h  of the incremental potential [s]
template <class Real>
SCREE_HD inline Real rotation_energy(const Quaternion<Real>& q, const Quaternion<Real>& predicted,
                                     const Vector<Real>& moments, Real h) {
  const Vector<Real> t = (predicted.conjugate() * q).vec();  // principal axes
  return Real(2) / (h * h) * moments.dot(t.cwiseProduct(t));
}

/// Eq. (42): its derivative along q <- exp(th) q, 2 (s y + t x y)/h^2 with y = I^ t [N m]. Where the step ends it is
/// the torque of everything but inertia.
template <class Real>
SCREE_HD inline Vector<Real> rotation_torque(const Quaternion<Real>& q, const Quaternion<Real>& predicted,
                                             const Vector<Real>& moments, Real h) {
  const Quaternion<Real> d = q * predicted.conjugate();
  const Vector<Real> t = d.vec(), y = times_principal<Real>(moments, predicted, t);
  return Real(2) / (h * h) * (d.w() * y + t.cross(y));
}

/// Eq. (43): its second derivative along th, ((s + [t]x) I^ (s - [t]x) - (t . y) 1)/h^2 [N m]. Positive definite for
/// small turns: of a body with nearly equal moments up to a right angle, of a thin rod, moments (1, 1, e), up to about
/// 2 sqrt(e).
template <class Real>
SCREE_HD inline Matrix<Real> rotation_hessian(const Quaternion<Real>& q, const Quaternion<Real>& predicted,
                                              const Vector<Real>& moments, Real h) {
  const Quaternion<Real> d = q * predicted.conjugate();
  const Vector<Real> t = d.vec();
  const Matrix<Real> inertia = in_world_axes<Real>(moments, predicted);
  const Matrix<Real> m = scaled_identity<Real>(d.w()) - cross_matrix<Real>(t);
  return (m.transpose() * inertia * m - scaled_identity<Real>(t.dot(inertia * t))) / (h * h);
}

/// The least pivot of a symmetric matrix, or no number: > 0 where it is positive definite, and there alone.
template <class Real>
SCREE_HD inline Real least_pivot(const Matrix<Real>& a) {
  const Real below = a(1, 0) / a(0, 0), last = a(2, 0) / a(0, 0);
  const Real second = a(1, 1) - below * a(1, 0), coupling = a(2, 1) - last * a(1, 0);
  const Real third = a(2, 2) - last * a(2, 0) - coupling / second * coupling;
  return lesser(lesser(a(0, 0), second), third);
}

/// Eq. (43) where it is positive definite, else R I R^T/h^2, to which it tends for small turns: always a direction of
/// descent. With negative eigenvalues at 0 instead, the system of a free body would be singular.
template <class Real>
SCREE_HD inline Matrix<Real> rotation_hessian_clamped(const Quaternion<Real>& q, const Quaternion<Real>& predicted,
                                                      const Vector<Real>& moments, Real h) {
  Matrix<Real> m = rotation_hessian<Real>(q, predicted, moments, h);
  const Real pivot = least_pivot<Real>(m);
  const Matrix<Real> instead = in_world_axes<Real>(moments, q) / (h * h);
  for (int k = 0; k < 9; ++k) m(k / 3, k % 3) = where_positive(pivot, m(k / 3, k % 3), instead(k / 3, k % 3));
  return m;
}

}  // namespace scree::solvers
