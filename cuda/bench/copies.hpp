#pragma once
/// \file Copies of a packing side by side without a seam, and flow in them.

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <random>

#include "bench/packing.hpp"

namespace scree::device {

/// The packing becomes a part of a periodic cell that holds copies of it. \param count  of bodies, roughly
/// \param lower, period  of one copy [m]; a period of 0: planar
inline void tile(Packing& p, std::uint32_t count, const Vec3& lower, const Vec3& period) {
  const auto one = static_cast<double>(p.x.size());
  double left = std::max(1.0, std::round(count / one));
  std::array<int, 3> copies{1, 1, 1};
  const int axes = period[2] > 0 ? 3 : 2;
  const double volume = left * period.head(axes).prod(), edge = std::pow(volume, 1.0 / axes);
  for (int k = 0; k < axes; ++k) {
    copies[k] = std::max(1, static_cast<int>(std::lround(k + 1 < axes ? edge / period[k] : left)));
    copies[k] = std::min(copies[k], static_cast<int>(left));
    left = std::max(1.0, std::round(left / copies[k]));
  }
  const std::size_t bodies = p.x.size();
  for (int z = 0; z < copies[2]; ++z)
    for (int y = 0; y < copies[1]; ++y)
      for (int x = 0; x < copies[0]; ++x) {
        if (x == 0 && y == 0 && z == 0) continue;
        for (std::size_t i = 0; i < bodies; ++i) {
          p.x.push_back(p.x[i] + Vector3d{x * period[0], y * period[1], z * period[2]});
          p.v.push_back(p.v[i]);
          p.w.push_back(p.w[i]);
          p.q.push_back(p.q[i]);
          if (!p.fixed.empty()) p.fixed.push_back(p.fixed[i]);
        }
      }
  p.cell = PeriodicCell(lower, Vec3(copies[0] * period[0], copies[1] * period[1], copies[2] * period[2]));
}

/// A bed runs down a slope of 25 degrees: gravity leans towards x, the lowest layer is fixed, and velocity along x
/// grows with the height. A tenth of it is at random in all directions. Before tile(), if at all. \param axis  of the
/// height \param speed  of the uppermost, but for what is random [m/s]
inline void run_down(Packing& p, int axis, double speed) {
  constexpr double kSlope = 25 * std::numbers::pi / 180, kGravity = 9.81;  ///< [rad, m/s2]
  p.gravity = {kGravity * std::sin(kSlope), 0, 0};
  p.gravity[axis] = -kGravity * std::cos(kSlope);
  const auto height = [&](const Vector3d& x) { return axis == 1 ? x.y : x.z; };
  const auto [low, high] = std::ranges::minmax_element(p.x, {}, height);
  const double bottom = height(*low), top = height(*high);
  std::mt19937 random(1);
  std::uniform_real_distribution<double> any(-0.1 * speed, 0.1 * speed);
  p.fixed.assign(p.x.size(), 0);
  for (std::size_t i = 0; i < p.x.size(); ++i) {
    const double above = height(p.x[i]) - bottom;
    p.fixed[i] = above < p.radius;
    const double vx = any(random), vy = any(random), vz = p.planar ? 0 : any(random);
    if (!p.fixed[i]) p.v[i] = {speed * above / (top - bottom) + vx, vy, vz};
  }
}

}  // namespace scree::device
