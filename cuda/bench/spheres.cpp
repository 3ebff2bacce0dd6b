#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "bench/grains.hpp"

namespace scree::device {

namespace {

constexpr double kSphereMass = kGrainDensity * 4.18879 * kGrainRadius * kGrainRadius * kGrainRadius;
constexpr double kOverlap = 1e-4;  ///< relative to the radius
constexpr double kSpeed = 0.01;    ///< [m/s]

/// A body-centred lattice. \param apart  of nearest centres [m]
Packing lattice(std::uint32_t count, double apart) {
  const auto side = static_cast<std::uint32_t>(std::lround(std::cbrt(static_cast<double>(count) / 2)));
  const double pitch = 2 * apart / std::sqrt(3.0);
  Packing p;
  p.radius = kGrainRadius, p.mass = kSphereMass, p.moment = 0.4 * kSphereMass * kGrainRadius * kGrainRadius;
  p.cell = PeriodicCell(Vec3::Zero(), Vec3::Constant(side * pitch));
  p.skin = 0.3 * kGrainRadius, p.planar = false;
  for (std::uint32_t i = 0; i < 2 * side * side * side; ++i) {
    const std::uint32_t cell = i / 2;
    const double half = i % 2 ? 0.5 : 0;
    p.x.push_back(
        {pitch * (cell % side + half), pitch * (cell / side % side + half), pitch * (cell / side / side + half)});
    p.v.push_back({0, 0, 0});
    p.w.push_back({0, 0, 0});
    p.q.push_back({0, 0, 0, 1});
  }
  return p;
}

/// Layers slide past each other: velocity along x is a sine of the height, with a tenth of it at random in all
/// directions. \param speed  largest, but for what is random [m/s]
void slide_layers(Packing& p, int waves, double speed) {
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-0.1 * speed, 0.1 * speed);
  const double per_height = 2 * std::numbers::pi * waves / p.cell.length(2);
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const double vx = any(random), vy = any(random), vz = any(random);
    p.v[i] = {speed * std::sin(per_height * p.x[i].z) + vx, vy, vz};
  }
}

}  // namespace

Packing pack_spheres(std::uint32_t count) {
  Packing p = lattice(count, 2 * kGrainRadius * (1 - kOverlap));
  p.dt = 1e-6;
  std::mt19937 random(1);
  std::normal_distribution<double> speed(0, kSpeed);
  for (Vector3d& v : p.v) v = {speed(random), speed(random), speed(random)};
  meet_as_grains(p, 5e7, 0.25);
  return p;
}

Packing pack_flowing_spheres(std::uint32_t count) {
  constexpr double kFraction = 0.64;  ///< of the space; a lattice that touches fills 0.68
  constexpr double kWave = 0.03;      ///< [m]
  Packing p = lattice(count, 2 * kGrainRadius * std::cbrt(0.68017 / kFraction));
  p.dt = kGrainStep;
  slide_layers(p, static_cast<int>(std::max(1L, std::lround(p.cell.length(2) / kWave))), kGrainSpeed);
  meet_as_grains(p, kSoftModulus, kSoftRatio);
  return p;
}

}  // namespace scree::device
