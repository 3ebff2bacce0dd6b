#pragma once
/// \file Random places and attitudes for tests.

#include <Eigen/Geometry>
#include <random>

#include "scree/base/types.hpp"

namespace scree::rods::test {

/// Random numbers, the same in every run of one test case.
struct Random {
  std::mt19937 engine;
  explicit Random(unsigned seed) : engine(seed) {}

  double in(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine); }
  Vec3 vector(double size) { return {in(-size, size), in(-size, size), in(-size, size)}; }
  Quat turn() { return Quat(in(-1, 1), in(-1, 1), in(-1, 1), in(-1, 1)).normalized(); }
  Vec3 direction() { return turn() * Vec3::UnitZ(); }
};

/// The rotation by the vector th [rad].
inline Quat exponential(const Vec3& th) {
  const double angle = th.norm();
  return angle > 0 ? Quat(Eigen::AngleAxisd(angle, th / angle)) : Quat(Quat::Identity());
}

}  // namespace scree::rods::test
