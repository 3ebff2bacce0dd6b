#pragma once
/// \file H of a rigid contact: how an impulse turns bodies, and how turning bodies move a contact point.

#include <Eigen/Geometry>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

inline Vec<1> cross(const Vec<2>& a, const Vec<2>& b) { return Vec<1>(a[0] * b[1] - a[1] * b[0]); }
inline Vec<3> cross(const Vec<3>& a, const Vec<3>& b) { return a.cross(b); }
inline Vec<2> cross(const Vec<1>& spin, const Vec<2>& arm) { return {-spin[0] * arm[1], spin[0] * arm[0]}; }

/// Nothing moves it; it may have a velocity all the same.
template <int D>
inline bool is_fixed(const RigidBody<D>& body) {
  return body.inverse_mass == 0 && body.inverse_inertia.isZero(0);
}

/// Velocity and spin of a body under impulses.
template <int D>
struct Motion {
  Vec<D> velocity;
  Vec<kSpin<D>> spin;

  Vec<D> at(const Vec<D>& arm) const { return velocity + cross(spin, arm); }
};

/// M^-1 of a body.
template <int D>
struct Mobility {
  double inverse_mass;
  Eigen::Matrix<double, kSpin<D>, kSpin<D>> inverse_inertia;

  /// M^-1 H^T: what an impulse at an arm does.
  Motion<D> response(const Vec<D>& impulse, const Vec<D>& arm) const {
    return {inverse_mass * impulse, inverse_inertia * cross(arm, impulse)};
  }
};

/// Block of W: velocity at `arm` in the rows of `frame` for unit impulses at `by_arm` along the rows of `by_frame`.
template <int D>
inline Mat<D> coupling(const Mobility<D>& body, const Mat<D>& frame, const Vec<D>& arm, const Mat<D>& by_frame,
                       const Vec<D>& by_arm) {
  Mat<D> w;
  for (int k = 0; k < D; ++k) w.col(k) = frame * body.response(by_frame.row(k).transpose(), by_arm).at(arm);
  return w;
}

}  // namespace scree::coulomb
