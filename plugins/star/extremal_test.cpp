#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "extremal_detector.hpp"
#include "scree/base/error.hpp"
#include "test_bodies.hpp"
#include "test_shapes.hpp"

namespace scree::star {
namespace {

constexpr double kPi = std::numbers::pi;

/// Two bodies in the plane and what the detector says of them, with the energy E = sum weight v^2/2 (k = 1 N/m).
struct Duel {
  std::vector<std::shared_ptr<const StarShape>> shapes;
  std::vector<const Shape*> raw;
  ExtremalDetector detector;

  explicit Duel(std::vector<std::shared_ptr<const StarShape>> of) : shapes(std::move(of)) {
    for (const auto& s : shapes) raw.push_back(s.get());
    detector.bind(raw);
  }

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
};

double energy(const ContactBuffer& c) {
  double sum = 0;
  for (std::size_t i = 0; i < c.size(); ++i) sum += c.energy_weight()[i] * c.overlap()[i] * c.overlap()[i] / 2;
  return sum;
}

/// Generalised force -dE/dq that the contacts' weighted forces amount to.
Duel::Pose forces(const ContactBuffer& c, const Duel::Pose& q) {
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

double norm(const Duel::Pose& f) {
  double sum = 0;
  for (const double v : f) sum += v * v;
  return std::sqrt(sum);
}

/// Random poses of stars of radius about 1, from touching to merging regions; poses that stop a run are passed over.
template <class Visit>
void random_poses(const Duel& duel, int count, unsigned seed, Visit&& visit) {
  std::mt19937_64 random(seed);
  std::uniform_real_distribution<double> unit(0, 1);
  const auto kinds = static_cast<double>(duel.shapes.size());
  for (int found = 0; found < count;) {
    const auto a = static_cast<std::uint32_t>(kinds * unit(random)),
               b = static_cast<std::uint32_t>(kinds * unit(random));
    const double ra = facet<RadialFunction>(*duel.shapes[a])->max_radius();
    const double rb = facet<RadialFunction>(*duel.shapes[b])->max_radius();
    const double gap = (ra + rb) * (0.45 + 0.5 * unit(random)), direction = 2 * kPi * unit(random);
    const Duel::Pose q{unit(random), unit(random), 2 * kPi * unit(random), 0, 0, 2 * kPi * unit(random)};
    Duel::Pose p = q;
    p[3] = q[0] + gap * std::cos(direction);
    p[4] = q[1] + gap * std::sin(direction);
    try {
      const ContactBuffer c = duel.contacts(p, a, b);
      if (c.size() == 0) continue;
      ++found;
      visit(p, a, b, c);
    } catch (const NumericalError&) {
    }
  }
}

TEST_CASE("extremal: forces are the gradient of the energy, to 1e-7, from shallow to merging contacts") {
  const Duel duel({circle(1), cross(1), butterfly(1), bat(1), pear(0.7), cross(0.3, 200)});
  double worst = 0;
  std::size_t merging = 0;
  random_poses(duel, 3000, 1, [&](const Duel::Pose& q, std::uint32_t a, std::uint32_t b, const ContactBuffer& c) {
    merging += std::any_of(c.energy_weight(), c.energy_weight() + c.size(), [](double w) { return w < 0; });
    const Duel::Pose f = forces(c, q);
    // Differences over a long step see where the second derivative jumps (energies are C1), over a short one the
    // rounding of the energy: a wrong force would fail both.
    const auto error = [&](double h) {
      Duel::Pose e{};
      for (std::size_t k = 0; k < 6; ++k) {
        const auto at = [&](double step) {
          Duel::Pose p = q;
          p[k] += step;
          return energy(duel.contacts(p, a, b));
        };
        e[k] = -(8 * (at(h) - at(-h)) - (at(2 * h) - at(-2 * h))) / (12 * h) - f[k];
      }
      return norm(e);
    };
    // Of the force, or of that of a depth of 1 % of the radius where that is larger.
    worst = std::max(worst, std::min(error(1e-6), error(3e-8)) / std::max(norm(f), 0.01));
  });
  INFO("worst relative error " << worst << ", with minima " << merging);
  CHECK(worst < 1e-7);
  CHECK(merging > 300);
}

bool same_bits(const ContactBuffer& a, const ContactBuffer& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (a.pair()[i] != b.pair()[i] || a.feature()[i] != b.feature()[i] || a.payload()[i] != b.payload()[i])
      return false;
    if (a.overlap()[i] != b.overlap()[i]) return false;
    if (a.normal_at(i) != b.normal_at(i) || a.point_at(i) != b.point_at(i)) return false;
    if (a.energy_weight()[i] != b.energy_weight()[i] || a.force_weight()[i] != b.force_weight()[i]) return false;
  }
  return true;
}

TEST_CASE("extremal: the scan in single precision misses nothing, bit by bit, fresh and with old windows") {
  const Duel duel({circle(1), cross(1, 200), butterfly(1), bat(1, 61), pear(0.7), cross(0.125), butterfly(0.25, 30)});
  TestBodies bodies;
  std::vector<Pair> pairs;
  random_poses(duel, 20000, 2, [&](const Duel::Pose& q, std::uint32_t a, std::uint32_t b, const ContactBuffer&) {
    const auto row = static_cast<std::uint32_t>(bodies.id.size());
    bodies.add(q[0], q[1], q[2], a, row);
    bodies.add(q[3], q[4], q[5], b, row + 1);
    pairs.push_back({row, row + 1});
  });
  PairCache cache;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> unit(-1, 1);
  for (int step = 0; step < 12; ++step) {
    const ContactBuffer swept = contacts_of(duel.detector, bodies, pairs, cache);
    ContactBuffer plain;
    duel.detector.detect_plain(bodies.view(), pairs, 0, plain);
    CHECK(plain.size() > 40000);
    CHECK(same_bits(swept, plain));
    const TestBodies before = bodies;
    for (std::size_t row = 0; row < bodies.id.size(); ++row) {
      bodies.position[row] += 0.001 * Vec3(unit(random), unit(random), 0);
      bodies.turn(row, 0.002 * unit(random));
    }
    PairCache fresh;
    try {
      contacts_of(duel.detector, bodies, pairs, fresh);
    } catch (const NumericalError&) {
      bodies = before;  // some star has come too deep
    }
  }
}

}  // namespace
}  // namespace scree::star
