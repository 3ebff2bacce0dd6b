#pragma once
/// \file Bodies in the plane without a World, and the settled pile: for tests and the benchmark.

#include <cmath>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "scree/detect/contact_detector.hpp"

namespace scree::star {

struct TestBodies {
  std::vector<Vec3> position, velocity, spin;
  std::vector<Quat> orientation;
  std::vector<std::uint32_t> shape;
  std::vector<Id> id;
  std::vector<double> scale;  ///< empty: all are of their shape's size

  /// \param x, y  centre of mass [m]  \param angle [rad]
  void add(double x, double y, double angle, std::uint32_t of_shape, Id of_id) {
    position.emplace_back(x, y, 0);
    orientation.emplace_back(std::cos(angle / 2), 0, 0, std::sin(angle / 2));
    velocity.emplace_back(0, 0, 0);
    spin.emplace_back(0, 0, 0);
    shape.push_back(of_shape);
    id.push_back(of_id);
  }
  void remove_last() {
    position.pop_back(), orientation.pop_back(), velocity.pop_back(), spin.pop_back();
    shape.pop_back(), id.pop_back();
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
    return {rows_.size(), rows_.data(), shape.data(), scale.empty() ? nullptr : scale.data()};
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

/// Pairs of bodies 0 and 1, 2 and 3, ...
struct TestPairs {
  TestBodies bodies;
  std::vector<Pair> pairs;
};

/// Moves and turns every body by up to `shift` [m] along each axis and `turn` [rad].
template <class Random>
void shake(TestBodies& bodies, Random& random, double shift, double turn) {
  std::uniform_real_distribution<double> unit(-1, 1);
  for (std::size_t row = 0; row < bodies.id.size(); ++row) {
    bodies.position[row] += shift * Vec3(unit(random), unit(random), 0);
    bodies.turn(row, turn * unit(random));
  }
}

/// Equal contacts, bit by bit. \param weighted  weights, too: of detectors that write them
inline bool same_contacts(const ContactBuffer& a, const ContactBuffer& b, bool weighted = false) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    const bool same_name =
        a.pair()[i] == b.pair()[i] && a.feature()[i] == b.feature()[i] && a.payload()[i] == b.payload()[i];
    const bool same_place =
        a.overlap()[i] == b.overlap()[i] && a.normal_at(i) == b.normal_at(i) && a.point_at(i) == b.point_at(i);
    const bool same_weight =
        !weighted || (a.energy_weight()[i] == b.energy_weight()[i] && a.force_weight()[i] == b.force_weight()[i]);
    if (!same_name || !same_place || !same_weight) return false;
  }
  return true;
}

/// Contacts of all pairs in one buffer.
inline ContactBuffer contacts_of(const ContactDetector& detector, const TestBodies& bodies, std::span<const Pair> pairs,
                                 PairCache& cache, double margin = 0) {
  ContactBuffer out;
  detector.detect(bodies.view(), pairs, cache, margin, out);
  return out;
}

}  // namespace scree::star
