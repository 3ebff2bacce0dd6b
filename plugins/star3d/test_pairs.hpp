#pragma once
/// \file Two solids in space and what the detector "surface" says of them, for tests.

#include <array>
#include <cmath>
#include <memory>
#include <random>
#include <vector>

#include "shape/stars.hpp"
#include "surface/surface_detector.hpp"

namespace scree::star3d::test {

/// r = 1 + (x^4 + y^4 + z^4 - 0.6)/2 + sqrt(27)/4 x y z, or with `arms` 1.6 for 1/2 and no last term.
inline std::vector<Harmonic> cubic_terms(double arms, double corners) {
  // x^4 + y^4 + z^4 - 3/5 = 2/15 Y_40 + 2/(3 sqrt 35) Y_44, and x y z = Y_3,-2/sqrt(105).
  return {
      {0, 0, 1}, {4, 0, arms * 2 / 15}, {4, 4, arms * 2 / (3 * std::sqrt(35.0))}, {3, -2, corners / std::sqrt(105.0)}};
}
inline RadialSettings3D unit_scale(int nodes = 642, int table = 64) { return {.nodes = nodes, .table = table}; }
inline std::shared_ptr<const Star3D> bumpy(const RadialSettings3D& s = unit_scale()) {
  return std::make_shared<Star3D>(cubic_terms(0.5, std::sqrt(27.0) / 4), s);
}
inline std::shared_ptr<const Star3D> jack(const RadialSettings3D& s = unit_scale()) {
  return std::make_shared<Star3D>(cubic_terms(1.6, 0), s);
}
inline std::shared_ptr<const Ellipsoid> ellipsoid(const Vec3& axes, const RadialSettings3D& s = unit_scale()) {
  return std::make_shared<Ellipsoid>(axes, s);
}

struct Place {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
  double size = 1;
};

/// A body turned at random, and another one at a distance from it in a random direction.
struct Draw {
  std::mt19937_64 random;
  explicit Draw(unsigned seed) : random(seed) {}
  double between(double low, double high) { return std::uniform_real_distribution<double>(low, high)(random); }
  Vec3 direction() {
    std::normal_distribution<double> normal;
    return Vec3(normal(random), normal(random), normal(random)).normalized();
  }
  Quat turn() {
    std::normal_distribution<double> normal;
    return Quat(normal(random), normal(random), normal(random), normal(random)).normalized();
  }
};

/// Force on each body and torque about its centre, of a law with the energy overlap^2/2.
struct Loads {
  Vec3 force[2] = {Vec3::Zero(), Vec3::Zero()}, torque[2] = {Vec3::Zero(), Vec3::Zero()};
};

struct Encounter {
  std::shared_ptr<const Shape> shape[2];
  SurfaceDetector detector;

  Encounter(std::shared_ptr<const Shape> a, std::shared_ptr<const Shape> b) : shape{std::move(a), std::move(b)} {
    const Shape* const both[2] = {shape[0].get(), shape[1].get()};
    detector.bind(both);
  }

  ContactBuffer contacts(const Place& a, const Place& b, double margin = 0) const {
    PairCache cache;
    return contacts(a, b, margin, cache);
  }
  ContactBuffer contacts(const Place& a, const Place& b, double margin, PairCache& cache) const {
    const Place* const place[2] = {&a, &b};
    BodyRow rows[2];
    double scale[2];
    const std::uint32_t index[2] = {0, 1};
    for (int k = 0; k < 2; ++k) {
      scale[k] = place[k]->size;
      rows[k] = {place[k]->position,   scale[k] * shape[k]->bounding_radius(),
                 Vec3::Zero(),         1,
                 Vec3::Zero(),         static_cast<Id>(k),
                 place[k]->orientation};
    }
    const Pair pair{0, 1};
    ContactBuffer out;
    detector.detect({2, rows, index, scale}, {&pair, 1}, cache, margin, out);
    return out;
  }
};

inline double energy(const ContactBuffer& c) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += c.energy_weight()[i] * c.overlap()[i] * c.overlap()[i] / 2;
  return sum;
}

inline Loads loads(const ContactBuffer& c, const Place& a, const Place& b) {
  Loads sum;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec3 on_b = c.force_weight()[i] * c.overlap()[i] * c.normal_at(i);
    sum.force[0] -= on_b;
    sum.force[1] += on_b;
    sum.torque[0] -= (c.point_at(i) - a.position).cross(on_b);
    sum.torque[1] += (c.point_at(i) - b.position).cross(on_b);
  }
  return sum;
}

}  // namespace scree::star3d::test
