#pragma once
/// \file Bodies in the plane without a World, and the settled pile: for tests and the benchmark.

#include <cmath>
#include <fstream>
#include <string>
#include <vector>

#include "scree/detect/contact_detector.hpp"

namespace scree::star {

struct TestBodies {
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<std::uint32_t> shape;
  std::vector<Id> id;

  /// \param x, y  centre of mass [m]  \param angle [rad]
  void add(double x, double y, double angle, std::uint32_t of_shape, Id of_id) {
    position.emplace_back(x, y, 0);
    orientation.emplace_back(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
    velocity.emplace_back(0, 0, 0);
    spin.emplace_back(0, 0, 0);
    shape.push_back(of_shape);
    id.push_back(of_id);
  }
  void turn(std::size_t row, double angle) {
    orientation[row] = Quat(std::cos(angle / 2), 0, 0, std::sin(angle / 2)) * orientation[row];
    orientation[row].normalize();
  }
  /// Valid until bodies change.
  BodyView view() const {
    rows_.clear();
    for (std::size_t i = 0; i < position.size(); ++i)
      rows_.push_back({position[i], 0, velocity[i], 1, spin[i], id[i], orientation[i]});
    return {rows_.size(), rows_.data(), shape.data()};
  }

 private:
  mutable std::vector<BodyRow> rows_;
};

/// Reads x y theta vx vy omega [mm, rad, s] of bodies of shape 0.
inline TestBodies read_pile(const std::string& file) {
  TestBodies bodies;
  std::ifstream in(file);
  double x, y, theta, vx, vy, omega;
  while (in >> x >> y >> theta >> vx >> vy >> omega) {
    bodies.add(x * 1e-3, y * 1e-3, theta, 0, bodies.id.size());
    bodies.velocity.back() = {vx * 1e-3, vy * 1e-3, 0};
    bodies.spin.back() = {0, 0, omega};
  }
  return bodies;
}

/// All pairs nearer than `reach` between centres, rows ascending.
inline std::vector<Pair> near_pairs(const TestBodies& bodies, double reach) {
  std::vector<Pair> pairs;
  const auto n = static_cast<std::uint32_t>(bodies.id.size());
  for (std::uint32_t a = 0; a < n; ++a)
    for (std::uint32_t b = a + 1; b < n; ++b)
      if ((bodies.position[a] - bodies.position[b]).squaredNorm() < reach * reach) pairs.push_back({a, b});
  return pairs;
}

/// Contacts of all pairs in one buffer.
inline ContactBuffer contacts_of(const ContactDetector& detector, const TestBodies& bodies, std::span<const Pair> pairs,
                                 PairCache& cache, double margin = 0) {
  ContactBuffer out;
  detector.detect(bodies.view(), pairs, cache, margin, out);
  return out;
}

}  // namespace scree::star
