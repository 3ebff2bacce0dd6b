#pragma once
/// \file The free surface of grains in the plane: who is part of the heap, how high it is, how it slopes.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numbers>
#include <span>
#include <utility>
#include <vector>

#include "scree/world/world.hpp"

namespace scree::test {

/// A disc. [m]
struct Grain {
  double x, y, r;
};

/// The bodies that move freely and have a radius.
inline std::vector<Grain> grains_of(const World& world) {
  std::vector<Grain> grains;
  const auto kind = world.kind.read();
  const auto x = world.position.read();
  const auto r = world.radius.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic) && std::isfinite(r[i]))
      grains.push_back({x[i].x(), x[i].y(), r[i]});
  return grains;
}

/// The most numerous group of grains that hang together: neighbours are nearer than `gap` [m]. What has rolled or
/// jumped away is left out.
inline std::vector<Grain> largest_cluster(std::vector<Grain> grains, double gap) {
  std::sort(grains.begin(), grains.end(), [](const Grain& a, const Grain& b) { return a.x < b.x; });
  double largest = 0;
  for (const Grain& g : grains) largest = std::max(largest, g.r);
  std::vector<std::size_t> root(grains.size());
  for (std::size_t i = 0; i < root.size(); ++i) root[i] = i;
  const auto find = [&](std::size_t i) {
    while (root[i] != i) i = root[i] = root[root[i]];
    return i;
  };
  for (std::size_t i = 0; i < grains.size(); ++i)
    for (std::size_t k = i; k-- > 0 && grains[i].x - grains[k].x < grains[i].r + largest + gap;)
      if (std::hypot(grains[i].x - grains[k].x, grains[i].y - grains[k].y) < grains[i].r + grains[k].r + gap)
        root[find(i)] = find(k);
  std::vector<std::size_t> members(grains.size(), 0);
  for (std::size_t i = 0; i < grains.size(); ++i) ++members[find(i)];
  const auto most = static_cast<std::size_t>(std::max_element(members.begin(), members.end()) - members.begin());
  std::vector<Grain> cluster;
  for (std::size_t i = 0; i < grains.size(); ++i)
    if (find(i) == most) cluster.push_back(grains[i]);
  return cluster;
}

/// y = at_zero + slope x
struct Line {
  double at_zero = 0, slope = 0;
  double r2 = 0;  ///< share of the variance of y that the line explains
};
inline double degrees(const Line& line) { return std::atan(line.slope) * 180 / std::numbers::pi; }

/// By least squares.
inline Line line_through(std::span<const double> x, std::span<const double> y) {
  const auto n = static_cast<double>(x.size());
  double mx = 0, my = 0, xx = 0, xy = 0, yy = 0;
  for (std::size_t i = 0; i < x.size(); ++i) mx += x[i] / n, my += y[i] / n;
  for (std::size_t i = 0; i < x.size(); ++i) {
    xx += (x[i] - mx) * (x[i] - mx);
    xy += (x[i] - mx) * (y[i] - my);
    yy += (y[i] - my) * (y[i] - my);
  }
  return {my - xy / xx * mx, xy / xx, xy * xy / (xx * yy)};
}

/// The exponent of a power law: slope of log y over log x.
inline double exponent(std::vector<double> x, std::vector<double> y) {
  for (double& v : x) v = std::log(v);
  for (double& v : y) v = std::log(v);
  return line_through(x, y).slope;
}

/// A line through the tops of the highest grains in strips of `width` between two places [m].
inline Line surface_line(std::span<const Grain> grains, double from, double to, double width) {
  const auto strips = static_cast<std::size_t>((to - from) / width);
  std::vector<double> place(strips, 0), top(strips, -std::numeric_limits<double>::infinity());
  for (const Grain& g : grains) {
    if (g.x < from || g.x >= from + static_cast<double>(strips) * width) continue;
    const auto strip = static_cast<std::size_t>((g.x - from) / width);
    if (g.y + g.r > top[strip]) top[strip] = g.y + g.r, place[strip] = g.x;
  }
  std::vector<double> x, y;
  for (std::size_t i = 0; i < strips; ++i)
    if (std::isfinite(top[i])) x.push_back(place[i]), y.push_back(top[i]);
  return line_through(x, y);
}

}  // namespace scree::test
