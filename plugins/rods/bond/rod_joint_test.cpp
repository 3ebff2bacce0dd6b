#include "bond/rod_joint.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "test_random.hpp"

using namespace scree;
using namespace scree::rods;
using namespace scree::rods::test;

namespace {

using Vector12 = Eigen::Matrix<double, 12, 1>;
using Matrix12 = Eigen::Matrix<double, 12, 12>;

struct Pose {
  Vec3 p_a, p_b;
  Quat q_a, q_b;
  Pose moved(const Vector12& d) const {
    return {p_a + d.segment<3>(0), p_b + d.segment<3>(6), exponential(d.segment<3>(3)) * q_a,
            exponential(d.segment<3>(9)) * q_b};
  }
};

/// Turned by up to 2 rad against each other, and apart.
struct Case {
  RodJoint joint;
  Pose pose;
  explicit Case(unsigned seed) {
    Random r(seed);
    joint = {r.vector(1),
             r.vector(1),
             r.turn(),
             r.turn(),
             r.vector(0.5),
             r.in(0.5, 2),
             {r.in(0.5, 2), r.in(0.5, 2), r.in(0.5, 2)}};
    pose.q_a = r.turn();
    pose.q_b = pose.q_a * joint.frame_a * exponential(r.vector(1.1)) * joint.frame_b.conjugate();
    pose.p_a = r.vector(1);
    pose.p_b = pose.p_a + r.vector(1);
  }
  JointState state(const Pose& x) const { return state_of(joint, x.p_a, x.q_a, x.p_b, x.q_b); }
  double energy_at(const Vector12& d) const { return energy(joint, state(pose.moved(d))); }
  Vector12 gradient_at(const Pose& x) const {
    const JointGradient g = gradient(joint, state(x));
    Vector12 out;
    out << -g.force, g.turn_a, g.force, g.turn_b;
    return out;
  }
  Matrix12 hessian_of(bool definite) const { return whole(hessian(joint, state(pose), definite)); }
};

}  // namespace

TEST_CASE("forces and moments of a joint are the differences of its energy") {
  constexpr double kStep = 1e-5;
  for (unsigned k = 0; k < 200; ++k) {
    const Case c(k);
    const Vector12 g = c.gradient_at(c.pose);
    for (int i = 0; i < 12; ++i) {
      const Vector12 d = kStep * Vector12::Unit(i);
      // Third derivatives times the step squared, and rounding over the step.
      CHECK(std::abs((c.energy_at(d) - c.energy_at(-d)) / (2 * kStep) - g[i]) < 1e-8 * (1 + g.norm()));
    }
  }
}

TEST_CASE("a joint pushes and turns nothing as a whole") {
  for (unsigned k = 0; k < 200; ++k) {
    const Case c(k);
    const Vector12 g = c.gradient_at(c.pose);
    const Vec3 torque = g.segment<3>(3) + g.segment<3>(9) + (c.pose.p_b - c.pose.p_a).cross(Vec3(g.segment<3>(6)));
    CHECK(torque.norm() < 1e-13 * (1 + g.norm()));
  }
}

TEST_CASE("the Hessian of a joint is the second difference of its energy") {
  constexpr double kStep = 1e-4;
  for (unsigned k = 0; k < 100; ++k) {
    const Case c(k);
    const Matrix12 h = c.hessian_of(false);
    CHECK((h - h.transpose()).norm() < 1e-12 * h.norm());
    double worst = 0;
    for (int i = 0; i < 12; ++i)
      for (int j = 0; j <= i; ++j) {
        // Along exp(th) of sums of both steps: symmetric by construction.
        const auto e = [&](double x, double y) {
          return c.energy_at(kStep * (x * Vector12::Unit(i) + y * Vector12::Unit(j)));
        };
        const double second = i == j ? (e(1, 0) - 2 * e(0, 0) + e(-1, 0)) / (kStep * kStep)
                                     : (e(1, 1) - e(1, -1) - e(-1, 1) + e(-1, -1)) / (4 * kStep * kStep);
        worst = std::max(worst, std::abs(second - h(i, j)));
      }
    CHECK(worst < 1e-6 * h.norm());
  }
}

TEST_CASE("without curvature terms the Hessian of a joint has no negative eigenvalue") {
  for (unsigned k = 0; k < 100; ++k) {
    const Case c(k);
    const Eigen::SelfAdjointEigenSolver<Matrix12> solver(c.hessian_of(true));
    CHECK(solver.eigenvalues()[0] > -1e-12 * solver.eigenvalues()[11]);
    CHECK(solver.eigenvalues()[5] < 1e-12 * solver.eigenvalues()[11]);  // rigid motions
    CHECK(solver.eigenvalues()[6] > 1e-6 * solver.eigenvalues()[11]);
  }
}

TEST_CASE("the moments that balance a couple are the inverse of the couple that moments make") {
  for (unsigned k = 0; k < 200; ++k) {
    Random r(k);
    const Vec3 omega = r.vector(2), m = r.vector(1);
    CHECK((elastic_moments(omega, conjugate_moment(omega, m)) - m).norm() < 1e-14);  // rounding
  }
}

TEST_CASE("a joint flows until its moments are those at which it yields, and loses energy by it") {
  const Yield yield{0.3, 0.2};
  for (unsigned k = 0; k < 200; ++k) {
    Case c(k);
    const JointState s = c.state(c.pose);
    const double before = energy(c.joint, s);
    const Vec3 m = moments(c.joint, s);
    c.joint.rest += plastic_flow(c.joint, s, yield, 2);
    const Vec3 left = moments(c.joint, s);
    CHECK(left.head<2>().norm() == Approx(std::min(m.head<2>().norm(), 0.3)).epsilon(1e-12));
    CHECK(std::abs(left[2]) == Approx(std::min(std::abs(m[2]), 0.2)).epsilon(1e-12));
    CHECK(energy(c.joint, s) <= before);
    CHECK((left == m) == (m.head<2>().norm() <= 0.3 && std::abs(m[2]) <= 0.2));
  }
}
