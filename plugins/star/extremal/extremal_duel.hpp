#pragma once
/// \file Two bodies in the plane and what the extremal law says of them, for tests.

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <vector>

#include "extremal/extremal_detector.hpp"
#include "shape/test_bodies.hpp"
#include "shape/test_shapes.hpp"

namespace scree::star {

struct Duel {
  std::vector<std::shared_ptr<const Shape>> shapes;
  ExtremalDetector detector;

  explicit Duel(std::vector<std::shared_ptr<const Shape>> of) : shapes(std::move(of)) { detector.bind(raw(shapes)); }

  using Pose = std::array<double, 6>;  ///< x, y, angle of a, then of b

  TestBodies place(const Pose& q, std::uint32_t shape_a, std::uint32_t shape_b) const {
    TestBodies bodies;
    bodies.add(q[0], q[1], q[2], shape_a, 0);
    bodies.add(q[3], q[4], q[5], shape_b, 1);
    return bodies;
  }
  ContactBuffer contacts(const Pose& q, std::uint32_t shape_a, std::uint32_t shape_b) const {
    const Pair pair{0, 1};
    PairCache cache;
    return contacts_of(detector, place(q, shape_a, shape_b), {&pair, 1}, cache);
  }

  /// |-dE/dq - force| by differences. Over a long step they see where the second derivative jumps (energies are C1),
  /// over a short one the rounding of the energy: a wrong force would fail both.
  double force_error(const Pose& q, std::uint32_t shape_a, std::uint32_t shape_b) const;
};

/// E = sum weight v^2/2: k = 1 N/m.
inline double energy(const ContactBuffer& c) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += c.energy_weight()[i] * c.overlap()[i] * c.overlap()[i] / 2;
  return sum;
}

/// Generalised force -dE/dq that the contacts' weighted forces amount to.
inline Duel::Pose forces(const ContactBuffer& c, const Duel::Pose& q) {
  Duel::Pose f{};
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec3 on_b = c.force_weight()[i] * c.overlap()[i] * c.normal_at(i), at = c.point_at(i);
    for (int side = 0; side < 2; ++side) {
      const double sign = side == 0 ? -1 : 1;
      f[3 * side] += sign * on_b.x();
      f[3 * side + 1] += sign * on_b.y();
      f[3 * side + 2] += sign * ((at.x() - q[3 * side]) * on_b.y() - (at.y() - q[3 * side + 1]) * on_b.x());
    }
  }
  return f;
}

inline double norm(const Duel::Pose& f) {
  double sum = 0;
  for (const double v : f) sum += v * v;
  return std::sqrt(sum);
}

inline double Duel::force_error(const Pose& q, std::uint32_t shape_a, std::uint32_t shape_b) const {
  const Pose f = forces(contacts(q, shape_a, shape_b), q);
  double least = INFINITY;
  for (const double h : {1e-6, 3e-8}) {
    Pose e{};
    for (std::size_t k = 0; k < 6; ++k) {
      const auto at = [&](double step) {
        Pose p = q;
        p[k] += step;
        return energy(contacts(p, shape_a, shape_b));
      };
      e[k] = -(8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h) - f[k];
    }
    least = std::min(least, norm(e));
  }
  return least;
}

}  // namespace scree::star
