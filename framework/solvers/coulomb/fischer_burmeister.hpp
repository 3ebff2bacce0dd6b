#pragma once
/// \file Fischer-Burmeister function of the second-order cone, and Newton's method on it for one contact.
///
/// phi(x, y) = x + y - (x o x + y o y)^(1/2), with Jordan's product x o y = (x . y, x_0 y_T + y_0 x_T), vanishes
/// exactly where x and y lie in the cone |x_T| <= x_0 and are perpendicular. Impulses and De Saxce's velocities are
/// scaled to that self-dual cone: x = (mu r_N, r_T), y = (u^_N, mu u_T).
///
/// \source M. Fukushima, Z.-Q. Luo, P. Tseng, SIAM J. Optim. 12 (2002) 436; G. Daviet, F. Bertails-Descoubes,
///         L. Boissieux, ACM Trans. Graph. 30 (2011) 139

#include "solvers/coulomb/eliminate.hpp"
#include "solvers/coulomb/local_problem.hpp"

namespace scree::coulomb {

/// z = (x o x + y o y)^(1/2) by its two spectral values, without cancellation: the smaller one of x o x + y o y is
/// a sum of squares.
template <int D>
struct JordanRoot {
  double small, large;  ///< spectral values of z, 0 <= small <= large
  Vec<D> z;

  JordanRoot(const Vec<D>& x, const Vec<D>& y) {
    const auto xt = x.template tail<D - 1>(), yt = y.template tail<D - 1>();
    const Vec<D - 1> p = x[0] * xt + y[0] * yt;
    const double length = p.norm();
    const Vec<D - 1> d = length > 0 ? Vec<D - 1>(p / length) : Vec<D - 1>(Vec<D - 1>::Unit(0));
    const double dx = d.dot(xt), dy = d.dot(yt);
    const double a = x[0] - dx, b = y[0] - dy;
    small = std::sqrt(a * a + b * b + (xt - dx * d).squaredNorm() + (yt - dy * d).squaredNorm());
    large = std::sqrt(x.squaredNorm() + y.squaredNorm() + 2 * length);
    z[0] = 0.5 * (small + large);
    if (z[0] > 0) {
      z.template tail<D - 1>() = p / z[0];
    } else {
      z.setZero();
    }
  }
};

template <int D>
inline Vec<D> fischer_burmeister(const Vec<D>& x, const Vec<D>& y) {
  return x + y - JordanRoot<D>(x, y).z;
}

/// The matrix of y -> x o y.
template <int D>
inline Mat<D> arrow(const Vec<D>& x) {
  Mat<D> m = x[0] * Mat<D>::Identity();
  m.template block<1, D - 1>(0, 1) = x.template tail<D - 1>().transpose();
  m.template block<D - 1, 1>(1, 0) = x.template tail<D - 1>();
  return m;
}

/// dx = I - L_z^-1 L_x and dy likewise; where z is on the cone's boundary, an element of the generalised Jacobian.
template <int D>
inline void fischer_burmeister_jacobian(const Vec<D>& x, const Vec<D>& y, Mat<D>& dx, Mat<D>& dy) {
  const JordanRoot<D> root(x, y);
  if (!(root.large > 0)) {
    dx = dy = (1 - std::sqrt(0.5)) * Mat<D>::Identity();
    return;
  }
  const double determinant = std::fmax(root.small, 1e-12 * root.large) * root.large;
  const auto zt = root.z.template tail<D - 1>();
  Mat<D> inverse;  // of arrow(z)
  inverse(0, 0) = root.z[0] / determinant;
  inverse.template block<1, D - 1>(0, 1) = -zt.transpose() / determinant;
  inverse.template block<D - 1, 1>(1, 0) = -zt / determinant;
  inverse.template block<D - 1, D - 1>(1, 1) = (Mat<D - 1>::Identity() + zt * zt.transpose() / determinant) / root.z[0];
  dx = Mat<D>::Identity() - inverse * arrow<D>(x);
  dy = Mat<D>::Identity() - inverse * arrow<D>(y);
}

/// A contact's impulse and velocity in the self-dual cone. Without friction the cone is a ray: only normal components
/// are left, and the tangential impulse itself, which must vanish.
template <int D>
struct ConePair {
  Vec<D> x, y;

  /// \param impulse   scaled, [m/s]
  /// \param velocity  W impulse + b [m/s]
  ConePair(const Vec<D>& impulse, const Vec<D>& velocity, double friction) : x(impulse), y(velocity) {
    if (friction > 0) {
      x[0] *= friction;
      y[0] += friction * y.template tail<D - 1>().norm();
      y.template tail<D - 1>() *= friction;
    } else {
      y.template tail<D - 1>().setZero();
    }
  }

  double size() const { return x.norm() + y.norm(); }
};

template <int D>
inline Vec<D> fischer_burmeister(const ConePair<D>& pair, double friction) {
  if (friction > 0) return fischer_burmeister<D>(pair.x, pair.y);
  Vec<D> phi = pair.x;
  phi[0] = pair.x[0] + pair.y[0] - std::hypot(pair.x[0], pair.y[0]);
  return phi;
}

/// |phi| / (|x| + |y|): how far from Coulomb's law, as a pure number. 0 where both vanish.
template <int D>
inline double relative_residual(const Vec<D>& impulse, const Vec<D>& velocity, double friction) {
  const ConePair<D> pair(impulse, velocity, friction);
  const double size = pair.size();
  return size > 0 ? fischer_burmeister<D>(pair, friction).norm() / size : 0;
}

template <int D>
inline double relative_residual(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& x) {
  return relative_residual<D>(x, p.W * x + b, p.friction);
}

/// d phi / d impulse and d phi / d velocity of a contact, by the chain rule through De Saxce's change of variables.
template <int D>
inline void contact_derivatives(const Vec<D>& impulse, const Vec<D>& velocity, double friction, Mat<D>& by_impulse,
                                Mat<D>& by_velocity) {
  if (!(friction > 0)) {
    const double length = std::hypot(impulse[0], velocity[0]);
    by_impulse.setIdentity();
    by_velocity.setZero();
    by_impulse(0, 0) = 1 - (length > 0 ? impulse[0] / length : std::sqrt(0.5));
    by_velocity(0, 0) = 1 - (length > 0 ? velocity[0] / length : std::sqrt(0.5));
    return;
  }
  const ConePair<D> pair(impulse, velocity, friction);
  Mat<D> by_y;
  fischer_burmeister_jacobian<D>(pair.x, pair.y, by_impulse, by_y);
  by_impulse.col(0) *= friction;
  by_velocity = by_y;
  by_velocity.template rightCols<D - 1>() *= friction;
  const auto ut = velocity.template tail<D - 1>();
  const double speed = ut.norm();
  if (speed > 0) by_velocity.template rightCols<D - 1>() += (friction / speed) * by_y.col(0) * ut.transpose();
}

/// d phi / d x through u = W x + b.
template <int D>
inline Mat<D> contact_jacobian(const LocalProblem<D>& p, const Vec<D>& x, const Vec<D>& u) {
  Mat<D> by_impulse, by_velocity;
  contact_derivatives<D>(x, u, p.friction, by_impulse, by_velocity);
  return by_impulse + by_velocity * p.W;
}

/// Newton's method with a line search on |phi|^2. \pre friction > 0
/// \param x  in: the start; out: the best point
/// \return its relative residual
template <int D>
inline double newton(const LocalProblem<D>& p, const Vec<D>& b, Vec<D>& x) {
  constexpr int kIterations = 20, kHalvings = 8;
  Vec<D> u = p.W * x + b;
  ConePair<D> pair(x, u, p.friction);
  Vec<D> phi = fischer_burmeister<D>(pair.x, pair.y);
  double merit = phi.squaredNorm();
  for (int iteration = 0; iteration < kIterations; ++iteration) {
    const double accepted = 0.01 * kLocalTolerance * pair.size();
    if (!(merit > accepted * accepted)) break;
    const Vec<D> step = eliminate<D>(contact_jacobian<D>(p, x, u), -phi);
    if (!step.allFinite()) break;
    bool better = false;
    double length = 1;
    for (int halving = 0; halving < kHalvings && !better; ++halving, length *= 0.5) {
      const Vec<D> trial = x + length * step;
      const Vec<D> trial_u = p.W * trial + b;
      const ConePair<D> trial_pair(trial, trial_u, p.friction);
      const Vec<D> trial_phi = fischer_burmeister<D>(trial_pair.x, trial_pair.y);
      const double trial_merit = trial_phi.squaredNorm();
      if (trial_merit < (1 - 1e-4 * length) * merit) {
        x = trial, u = trial_u, pair = trial_pair, phi = trial_phi, merit = trial_merit;
        better = true;
      }
    }
    if (!better) break;
  }
  const double size = pair.size();
  return size > 0 ? phi.norm() / size : 0;
}

}  // namespace scree::coulomb
