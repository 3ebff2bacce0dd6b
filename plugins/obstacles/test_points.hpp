#pragma once
/// \file Points at random and distances at points, for tests of obstacles.

#include <random>
#include <span>
#include <vector>

#include "random_cases.hpp"
#include "scree/shape/facets.hpp"

namespace scree::obstacles::test {

inline double distance_at(const ExactDistance& shape, const Vec3& p, Vec3* gradient = nullptr) {
  double d;
  Vec3 g;
  shape.distance(std::span(&p, 1), std::span(&d, 1), std::span(&g, 1));
  if (gradient) *gradient = g;
  return d;
}

/// Returns random points of the square or the cube [-size, size], always equal; fewer with sanitizers.
inline std::vector<Vec3> random_points(int dimension, double size, int count) {
  std::mt19937 random(11);
  std::uniform_real_distribution<double> any(-size, size);
  std::vector<Vec3> points;
  for (int i = scree::test::random_cases(count, 60); i > 0; --i) {
    Vec3 p = Vec3::Zero();
    for (int k = 0; k < dimension; ++k) p[k] = any(random);
    points.push_back(p);
  }
  return points;
}

}  // namespace scree::obstacles::test
