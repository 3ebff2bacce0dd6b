#pragma once
/// \file Problems for the tests: random numbers that every standard library gives alike, and heaps of spheres.

#include <Eigen/Geometry>
#include <cmath>
#include <random>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb::test {

struct Random {
  std::mt19937_64 bits;

  explicit Random(std::uint64_t seed = 20111) : bits(seed) {}
  double uniform(double low, double high) { return low + (high - low) * static_cast<double>(bits() >> 11) * 0x1p-53; }
  double normal() { return std::sqrt(-2 * std::log(uniform(1e-16, 1))) * std::cos(2 * M_PI * uniform(0, 1)); }
  template <int D>
  Vec<D> vector() {
    Vec<D> v;
    for (int k = 0; k < D; ++k) v[k] = normal();
    return v;
  }
  template <int D>
  Mat<D> matrix() {
    Mat<D> m;
    for (int k = 0; k < D * D; ++k) m.data()[k] = normal();
    return m;
  }
};

inline Mat<2> frame_of(const Vec<2>& n) {
  Mat<2> frame;
  frame << n[0], n[1], -n[1], n[0];
  return frame;
}

inline Mat<3> frame_of(const Vec<3>& n) {
  const Vec<3> t = (std::abs(n[0]) < 0.6 ? Vec<3>::UnitX() : Vec<3>::UnitY()).cross(n).normalized();
  Mat<3> frame;
  frame << n.transpose(), t.transpose(), n.cross(t).transpose();
  return frame;
}

/// A disk (cylinder) or a ball.
template <int D>
RigidBody<D> ball(double mass, double radius) {
  const double inertia = (D == 2 ? 0.5 : 0.4) * mass * radius * radius;
  RigidBody<D> body;
  body.velocity.setZero();
  body.spin.setZero();
  body.inverse_mass = 1 / mass;
  body.inverse_inertia = Eigen::Matrix<double, kSpin<D>, kSpin<D>>::Identity() / inertia;
  return body;
}

/// Balls of radius 0.8 to 1.2 near the sites of a close packing, side x side x height layers high, on a floor, each
/// pulled down by one step's gravity; near ones touch. Side walls hold the outermost; without
/// them the heap gives way.
inline RigidProblem<3> heap(int side, int height, double friction, bool walls = true, std::uint64_t seed = 1) {
  Random random(seed);
  const double spacing = 2, jitter = 0.1, reach = 1.12;
  RigidProblem<3> problem;
  std::vector<Vec<3>> centre;
  std::vector<double> radius;
  const auto index = [&](int x, int y, int z) { return static_cast<std::uint32_t>((z * side + y) * side + x); };
  for (int z = 0; z < height; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const double shift = z % 2 ? 0.5 : 0;
        centre.push_back(spacing * Vec<3>(x + shift, y + shift, z * std::sqrt(0.5)) + jitter * random.vector<3>());
        radius.push_back(random.uniform(0.9, 1.1));
        const double r = radius.back();
        problem.bodies.push_back(ball<3>(r * r * r, r));
        problem.bodies.back().velocity[2] = -9.81e-3;
      }
    }
  }
  const auto touch = [&](std::uint32_t a, std::uint32_t b) {
    const Vec<3> branch = centre[b] - centre[a];
    const double length = branch.norm();
    if (length > reach * (radius[a] + radius[b])) return;
    const Vec<3> n = branch / length;
    problem.contacts.push_back({a, b, frame_of(n), radius[a] * n, -radius[b] * n, Vec<3>::Zero(), friction});
  };
  const auto wall = [&](std::uint32_t b, const Vec<3>& n) {
    problem.contacts.push_back({kImmovable, b, frame_of(n), Vec<3>::Zero(), -radius[b] * n, Vec<3>::Zero(), friction});
  };
  for (int z = 0; z < height; ++z) {
    for (int y = 0; y < side; ++y) {
      for (int x = 0; x < side; ++x) {
        const std::uint32_t i = index(x, y, z);
        if (z == 0) wall(i, Vec<3>::UnitZ());
        if (walls && x == 0) wall(i, Vec<3>::UnitX());
        if (walls && y == 0) wall(i, Vec<3>::UnitY());
        if (walls && x == side - 1) wall(i, -Vec<3>::UnitX());
        if (walls && y == side - 1) wall(i, -Vec<3>::UnitY());
        if (x + 1 < side) touch(i, index(x + 1, y, z));
        if (y + 1 < side) touch(i, index(x, y + 1, z));
        if (z + 1 == height) continue;
        const int low = z % 2 ? 0 : -1;
        for (const int dy : {low, low + 1}) {
          for (const int dx : {low, low + 1}) {
            if (x + dx >= 0 && x + dx < side && y + dy >= 0 && y + dy < side) touch(i, index(x + dx, y + dy, z + 1));
          }
        }
      }
    }
  }
  return problem;
}

/// Of falls and stacks [m/s^2], [s].
inline constexpr double kGravity = 9.81, kStep = 1e-3;

/// A point mass (it does not turn) on a floor, with a velocity before contact.
template <int D>
RigidProblem<D> mass_on_floor(double mass, const Vec<D>& velocity, double friction) {
  RigidBody<D> body = test::ball<D>(mass, 1);
  body.inverse_inertia.setZero();
  body.velocity = velocity;  // normal first: the frame is the world's
  return {{body}, {{kImmovable, 0, Mat<D>::Identity(), Vec<D>::Zero(), Vec<D>::Zero(), Vec<D>::Zero(), friction}}};
}

/// Balls on top of one another; the last may be heavier.
inline RigidProblem<3> stack(int count, double last_mass) {
  RigidProblem<3> problem;
  for (int i = 0; i < count; ++i) {
    problem.bodies.push_back(test::ball<3>(i + 1 == count ? last_mass : 1.0, 0.5));
    problem.bodies.back().velocity[2] = -kGravity * kStep;
    const Vec<3> down(0, 0, -0.5);
    const auto below = i == 0 ? kImmovable : static_cast<std::uint32_t>(i - 1);
    problem.contacts.push_back({below, static_cast<std::uint32_t>(i), test::frame_of(Vec<3>(0, 0, 1)),
                                i == 0 ? Vec<3>(0, 0, 0) : Vec<3>(-down), down, Vec<3>::Zero(), 0.5});
  }
  return problem;
}

}  // namespace scree::coulomb::test
