#pragma once
/// \file Contact of bodies that no bond joins, and of bodies with obstacles, as potentials: eqs. (35), (36). Pure, host
/// and device.

#include "beam/hessian.hpp"

namespace scree::bonded {

/// Distance at which two bodies begin to push: no more than they were apart when their bond broke or the run began, so
/// that spheres that overlap from the start do not fly apart. \param apart  their distance then [m]
template <class Real>
SCREE_HD inline Real contact_distance(Real radius_a, Real radius_b, Real apart) {
  return radius_a + radius_b < apart ? radius_a + radius_b : apart;
}

/// Value and derivatives of a contact in one vector: of e = p_b - p_a for a pair, of p for an obstacle.
template <class Real>
struct Repulsion {
  Real overlap;           ///< [m], > 0 in contact; else all below is zero
  Real energy;            ///< [J]
  Vector<Real> gradient;  ///< [N]
  Matrix<Real> hessian;   ///< [N/m]
};

/// V = k max(0, d_c - |e|)^2/2, H = k (n n^T - (overlap/|e|) (I - n n^T)).
/// \param clamp  drop the negative part, which lies across the normal
template <class Real>
SCREE_HD inline Repulsion<Real> pair_repulsion(const Vector<Real>& e, Real stiffness, Real distance, bool clamp) {
  const Real length = square_root(e.dot(e)), overlap = distance - length;
  Repulsion<Real> r{overlap, Real(0), Vector<Real>::Zero(), Matrix<Real>::Zero()};
  if (!(overlap > Real(0))) return r;
  const Vector<Real> n = e / (length > Real(0) ? length : Real(1));
  r.energy = Real(0.5) * stiffness * overlap * overlap;
  r.gradient = (-stiffness * overlap) * n;
  const Matrix<Real> along = outer<Real>(n, n);
  const Real across = clamp ? Real(0) : -stiffness * overlap / length;
  r.hessian = (stiffness - across) * along + scaled_identity<Real>(across);
  return r;
}

/// V = k max(0, r - g)^2/2 with g the signed distance of the centre, > 0 outside; the curvature of g is left out of the
/// Hessian. \param normal  grad g, unit
template <class Real>
SCREE_HD inline Repulsion<Real> obstacle_repulsion(Real signed_distance, const Vector<Real>& normal, Real radius,
                                                   Real stiffness) {
  const Real overlap = radius - signed_distance;
  Repulsion<Real> r{overlap, Real(0), Vector<Real>::Zero(), Matrix<Real>::Zero()};
  if (!(overlap > Real(0))) return r;
  r.energy = Real(0.5) * stiffness * overlap * overlap;
  r.gradient = (-stiffness * overlap) * normal;
  r.hessian = stiffness * outer<Real>(normal, normal);
  return r;
}

}  // namespace scree::bonded
