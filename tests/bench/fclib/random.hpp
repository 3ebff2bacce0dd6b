#pragma once
/// \file Random numbers that are the same with every standard library.

#include <Eigen/Geometry>
#include <cmath>
#include <cstdint>
#include <random>

namespace scree::bench {

class Random {
 public:
  explicit Random(std::uint64_t seed) : bits_(seed) {}

  /// In [0, 1).
  double unit() { return std::ldexp(static_cast<double>(bits_() >> 11), -53); }
  double between(double low, double high) { return low + (high - low) * unit(); }
  /// Evenly in the logarithm.
  double scale(double low, double high) { return low * std::pow(high / low, unit()); }
  int integer(int low, int high) { return low + static_cast<int>(unit() * (high - low + 1)); }
  bool chance(double probability) { return unit() < probability; }
  Eigen::Vector3d vector(double size) { return {between(-size, size), between(-size, size), between(-size, size)}; }
  /// By at most `angle` about any axis.
  Eigen::Matrix3d rotation(double angle) {
    return Eigen::AngleAxisd(between(-angle, angle), (vector(1) + Eigen::Vector3d(0, 0, 1e-9)).normalized())
        .toRotationMatrix();
  }

 private:
  std::mt19937_64 bits_;
};

}  // namespace scree::bench
