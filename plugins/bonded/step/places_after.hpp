#pragma once
/// \file Places and axes of a scene's bodies after some time, to compare integrators in tests.

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "scenes.hpp"

namespace scree::test {

/// Positions [m], and axes of the bodies times 0.01 m, after a time [s]. (4 per body, by id)
inline std::vector<Vec3> places_after(const std::string& scene, double time) {
  Running run(scene);
  run.steps(static_cast<std::uint64_t>(std::lround(time / run.dt())));
  World& w = run.world();
  std::vector<Vec3> places;
  for (Id id = 0; id < w.size(); ++id) {
    const std::size_t i = *w.row(id);
    places.push_back(w.position.read()[i]);
    for (const int k : {0, 1, 2}) places.push_back(0.01 * Vec3(w.orientation.read()[i] * Vec3::Unit(k)));
  }
  return places;
}

/// The largest distance between places of the same body [m].
inline double largest_distance(const std::vector<Vec3>& a, const std::vector<Vec3>& b) {
  double most = 0;
  for (std::size_t k = 0; k < a.size(); ++k) most = std::max(most, (a[k] - b[k]).norm());
  return most;
}

}  // namespace scree::test
