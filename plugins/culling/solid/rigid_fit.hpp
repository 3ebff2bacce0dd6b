#pragma once
/// \file The rigid motion that fits the velocities of a few points best.

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <cmath>
#include <span>

#include "scree/world/world.hpp"

namespace scree::culling {

/// A point and its velocity.
struct MovingPoint {
  Vec3 place;     ///< [m]
  Vec3 velocity;  ///< [m/s]
};

/// Motion about `centre`: v(x) = velocity + omega x (x - centre).
struct RigidMotion {
  Vec3 centre = Vec3::Zero();  ///< [m]
  Twist twist;
  Vec3 at(const Vec3& place) const { return twist.velocity + twist.angular_velocity.cross(place - centre); }
};

/// Solves matrix omega = moment, for a symmetric matrix of moments of inertia. Axes about which there is none get no
/// rotation.
inline Vec3 rate_of(const Mat3& matrix, const Vec3& moment) {
  constexpr double kLeast = 1e-6;  // of the largest moment
  // Three axes, as nearly always: the determinant then is above what kLeast leaves of the cube of the trace.
  if (matrix.determinant() > kLeast * std::pow(matrix.trace(), 3)) return matrix.llt().solve(moment);
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(matrix);
  const Vec3 moments = solver.eigenvalues();
  Vec3 rate = solver.eigenvectors().transpose() * moment;
  for (int k = 0; k < 3; ++k) rate[k] = moments[k] > kLeast * moments[2] ? rate[k] / moments[k] : 0;
  return solver.eigenvectors() * rate;
}

/// Least squares of sum |v_i - v - omega x r_i|^2, r_i from the mean place: v is the mean velocity, and
/// omega solves [sum (|r|^2 1 - r r^T)] omega = sum r x v. Axes about which the points tell no rotation (all on a
/// line) get none. \pre at least one point
inline RigidMotion rigid_fit(std::span<const MovingPoint> points) {
  RigidMotion fit;
  const double share = 1 / static_cast<double>(points.size());
  for (const MovingPoint& p : points) fit.centre += share * p.place, fit.twist.velocity += share * p.velocity;
  Mat3 matrix = Mat3::Zero();
  Vec3 moment = Vec3::Zero();
  for (const MovingPoint& p : points) {
    const Vec3 r = p.place - fit.centre;
    matrix += r.squaredNorm() * Mat3::Identity() - r * r.transpose();
    moment += r.cross(p.velocity - fit.twist.velocity);
  }
  fit.twist.angular_velocity = rate_of(matrix, moment);
  return fit;
}

/// Root mean square of what the fit leaves [m/s].
inline double misfit(const RigidMotion& fit, std::span<const MovingPoint> points) {
  double sum = 0;
  for (const MovingPoint& p : points) sum += (p.velocity - fit.at(p.place)).squaredNorm();
  return std::sqrt(sum / static_cast<double>(points.size()));
}

}  // namespace scree::culling
