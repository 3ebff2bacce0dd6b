#pragma once
/// \file Random bonds and states for tests.

#include <Eigen/Geometry>
#include <random>

#include "beam/ambient.hpp"
#include "scree/base/types.hpp"
#include "scree/integrate/rigid_body.hpp"

namespace scree::bonded::test {

struct Bond {
  Stiffness<double> stiffness;
  double rest_length;
  Vec3 rest;
};

/// Two bodies and the bond between them.
struct Pose {
  Vec3 p_a, p_b;
  Quat q_a, q_b;
};

inline Versor<double> parts(const Quat& q) { return {q.w(), q.vec()}; }

struct RandomBonds {
  std::mt19937_64 random{7};
  double uniform(double a, double b) { return std::uniform_real_distribution<>(a, b)(random); }
  Vec3 vector(double size) { return {uniform(-size, size), uniform(-size, size), uniform(-size, size)}; }

  /// Stiffnesses between 0.5 and 2, so that no part hides behind another.
  Bond bond() {
    return {
        {uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2), uniform(0.5, 2)}, uniform(0.5, 2), vector(1).normalized()};
  }
  /// At rest, then turned as one, then strained by up to 30 % and turned by up to `angle` each [rad].
  Pose pose(const Bond& bond, double angle) {
    const Quat common = exponential<double>(vector(3));
    Pose x{vector(1), {}, {}, {}};
    x.q_a = exponential<double>(vector(1).normalized() * uniform(0, angle)) * common;
    x.q_b = exponential<double>(vector(1).normalized() * uniform(0, angle)) * common;
    if (uniform(0, 1) < 0.5) x.q_b.coeffs() *= -1;
    x.p_b = x.p_a + common * (bond.rest_length * uniform(0.7, 1.3) * bond.rest + 0.1 * bond.rest_length * vector(1));
    return x;
  }
};

[[gnu::noinline]] inline Deformation<double> deformation_of(const Bond& b, const Pose& x) {
  return deformation<double>(x.p_b - x.p_a, parts(x.q_a), parts(x.q_b), b.rest);
}
[[gnu::noinline]] inline double energy(const Bond& b, const Pose& x) {
  return bond_energy(deformation_of(b, x), b.stiffness, b.rest_length).total();
}
using Twelve = Eigen::Matrix<double, 12, 1>;
[[gnu::noinline]] inline Twelve gradient(const Bond& b, const Pose& x) {
  const auto g = bond_gradient(deformation_of(b, x), b.stiffness, b.rest_length);
  Twelve all;
  all << -g.branch, g.turn_a, g.branch, g.turn_b;
  return all;
}
[[gnu::noinline]] inline Eigen::Matrix<double, 12, 12> hessian(const Bond& b, const Pose& x) {
  return whole(bond_hessian(deformation_of(b, x), b.stiffness, b.rest_length));
}
/// The state at coordinates (p_a, th_a, p_b, th_b) from x.
[[gnu::noinline]] inline Pose moved(const Pose& x, const Twelve& by) {
  return {x.p_a + by.segment<3>(0), x.p_b + by.segment<3>(6), exponential<double>(by.segment<3>(3)) * x.q_a,
          exponential<double>(by.segment<3>(9)) * x.q_b};
}

}  // namespace scree::bonded::test
