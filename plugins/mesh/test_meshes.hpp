#pragma once
/// \file Surfaces for the tests of this plugin.

#include <cmath>
#include <numbers>
#include <random>
#include <utility>

#include "scree/plugin/surface_file.hpp"

namespace scree::mesh::test {

/// A box about the origin, with faces outward.
inline SurfaceMesh box(const Vec3& half) {
  SurfaceMesh s;
  for (int k = 0; k < 8; ++k)
    s.vertices.push_back({(k & 1 ? 1 : -1) * half[0], (k & 2 ? 1 : -1) * half[1], (k & 4 ? 1 : -1) * half[2]});
  s.faces = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  return s;
}

/// A sheet z = height(x, y) over the square (-1, 1)^2, of n x n cells cut in two; inner places are moved at random
/// within the plane before heights are taken.
template <class Height>
SurfaceMesh sheet(int n, double disorder, const Height& height) {
  SurfaceMesh s;
  std::mt19937 random(5);
  std::uniform_real_distribution<double> uniform(-disorder / n, disorder / n);
  for (int j = 0; j <= n; ++j)
    for (int i = 0; i <= n; ++i) {
      double x = -1 + 2.0 * i / n, y = -1 + 2.0 * j / n;
      if (i > 0 && i < n && j > 0 && j < n) x += uniform(random), y += uniform(random);
      s.vertices.push_back({x, y, height(x, y)});
    }
  const auto at = [n](int i, int j) { return static_cast<std::uint32_t>(j * (n + 1) + i); };
  for (int j = 0; j < n; ++j)
    for (int i = 0; i < n; ++i) {
      s.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      s.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return s;
}

/// The square (-1, 1)^2, of `left` strips at x < 0 and `right` ones at x > 0: corners of one side lie on edges of the
/// other.
inline SurfaceMesh seam(int left, int right) {
  SurfaceMesh s;
  for (const auto& [strips, side] : {std::pair(left, -1.0), std::pair(right, 1.0)})
    for (int k = 0; k < strips; ++k) {
      const double low = -1 + 2.0 * k / strips, high = -1 + 2.0 * (k + 1) / strips;
      const auto first = static_cast<std::uint32_t>(s.vertices.size());
      for (const auto& [x, y] :
           {std::pair(0.0, low), std::pair(side, low), std::pair(side, high), std::pair(0.0, high)})
        s.vertices.push_back({x, y, 0});
      s.faces.push_back({first, first + 1, first + 2, first + 3});
    }
  return s;
}

/// Two half-planes that meet in the y axis, each rising (slope > 0: a groove) or falling (< 0: a ridge) away from it.
inline SurfaceMesh fold(double angle) {
  const double c = std::cos(angle), s = std::sin(angle);
  return {{{0, -1, 0}, {0, 1, 0}, {c, -1, s}, {c, 1, s}, {-c, -1, s}, {-c, 1, s}},
          {{0, 2, 3}, {0, 3, 1}, {0, 1, 5}, {0, 5, 4}}};
}

/// A hollow cone of this many facets about the z axis, apex at the origin, opening upward by 45 degrees.
inline SurfaceMesh cone(int facets) {
  SurfaceMesh s;
  s.vertices.push_back(Vec3::Zero());
  for (int k = 0; k < facets; ++k) {
    const double phi = 2 * std::numbers::pi * k / facets;
    s.vertices.push_back({std::cos(phi), std::sin(phi), 1});
  }
  for (int k = 0; k < facets; ++k)
    s.faces.push_back({0, static_cast<std::uint32_t>(1 + k), static_cast<std::uint32_t>(1 + (k + 1) % facets)});
  return s;
}

}  // namespace scree::mesh::test
