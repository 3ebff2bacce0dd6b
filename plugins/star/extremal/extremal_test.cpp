#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "extremal/extremal_duel.hpp"
#include "extremal/extremal_outline.hpp"
#include "random_cases.hpp"
#include "scree/base/error.hpp"
#include "verify.hpp"

namespace scree::star {
namespace {

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
    const double gap = (ra + rb) * (0.45 + 0.5 * unit(random)), direction = 2 * std::numbers::pi * unit(random);
    const Duel::Pose q{
        unit(random), unit(random), 2 * std::numbers::pi * unit(random), 0, 0, 2 * std::numbers::pi * unit(random)};
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
    // Of the force, or of that of a depth of 1 % of the radius where that is larger.
    worst = std::max(worst, duel.force_error(q, a, b) / std::max(norm(forces(c, q)), 0.01));
  });
  INFO("worst relative error " << worst << ", with minima " << merging);
  scree::test::verify("force less gradient of the energy, largest of 3000 poses", 0, worst, 1e-7);
  CHECK(merging > 300);
}

TestPairs random_pairs(const Duel& duel, int count, unsigned seed) {
  TestPairs sample;
  random_poses(duel, count, seed, [&](const Duel::Pose& q, std::uint32_t a, std::uint32_t b, const ContactBuffer&) {
    const auto row = static_cast<std::uint32_t>(sample.bodies.id.size());
    sample.bodies.add(q[0], q[1], q[2], a, row);
    sample.bodies.add(q[3], q[4], q[5], b, row + 1);
    sample.pairs.push_back({row, row + 1});
  });
  return sample;
}

TEST_CASE("extremal: the scan in single precision misses nothing, bit by bit, fresh and with old windows") {
  const Duel duel({circle(1), cross(1, 200), butterfly(1), bat(1, 61), pear(0.7), cross(0.125), butterfly(0.25, 30)});
  const int count = test::random_cases(20000);
  auto [bodies, pairs] = random_pairs(duel, count, 2);
  PairCache cache;
  std::mt19937_64 random(3);
  for (int step = 0; step < 12; ++step) {
    const ContactBuffer swept = contacts_of(duel.detector, bodies, pairs, cache);
    ContactBuffer plain;
    duel.detector.detect_plain(bodies.view(), pairs, 0, plain);
    CHECK(plain.size() > 2 * static_cast<std::size_t>(count));
    CHECK(same_contacts(swept, plain, true));
    const TestBodies before = bodies;
    shake(bodies, random, 0.001, 0.002);
    PairCache fresh;
    try {
      contacts_of(duel.detector, bodies, pairs, fresh);
    } catch (const NumericalError&) {
      bodies = before;  // some star has come too deep
    }
  }
}

TEST_CASE("extremal: windows narrowed while bodies rest miss nothing when these move again") {
  const Duel duel({circle(1), cross(1), butterfly(1), bat(1, 61)});
  const int count = test::random_cases(2000);
  auto [bodies, pairs] = random_pairs(duel, count, 5);
  PairCache cache;
  std::mt19937_64 random(6);
  for (const double step : {1e-6, 1e-5, 1e-4, 5e-4}) {  // of the radius
    for (int rest = 0; rest < 250; ++rest) contacts_of(duel.detector, bodies, pairs, cache);
    for (int k = 0; k < 4; ++k) {
      shake(bodies, random, step, step);
      ContactBuffer plain;
      try {
        duel.detector.detect_plain(bodies.view(), pairs, 0, plain);
      } catch (const NumericalError&) {
        continue;  // some star has come too deep
      }
      CHECK(same_contacts(contacts_of(duel.detector, bodies, pairs, cache), plain, true));
      CHECK(plain.size() > 2 * static_cast<std::size_t>(count));
    }
  }
}

TEST_CASE("extremal: swapping the bodies mirrors the forces to 1e-12") {
  const Duel duel({circle(1), cross(1), butterfly(1), bat(1, 61), pear(0.7)});
  double worst = 0;
  random_poses(duel, 5000, 4, [&](const Duel::Pose& q, std::uint32_t a, std::uint32_t b, const ContactBuffer& c) {
    const Duel::Pose swapped{q[3], q[4], q[5], q[0], q[1], q[2]};
    const ContactBuffer d = duel.contacts(swapped, b, a);
    const Duel::Pose f = forces(c, q), g = forces(d, swapped);
    Duel::Pose error;
    for (std::size_t k = 0; k < 6; ++k) error[k] = f[k] - g[(k + 3) % 6];
    worst = std::max({worst, norm(error), std::abs(energy(c) - energy(d)),
                      std::abs(static_cast<double>(c.size()) - static_cast<double>(d.size()))});
  });
  scree::test::verify("force less that of the mirrored pair, largest of 5000 poses", 0, worst, 1e-12);
}

TEST_CASE("extremal: one region has the energy of its deepest point, k/2 d^2") {
  const Duel duel({circle(1)});
  for (const double depth : {1e-4, 1e-3, 1e-2}) {
    const ContactBuffer c = duel.contacts({0, 0, 0.2, 2 - depth, 0, 0.9}, 0, 0);
    REQUIRE(c.size() == 2);
    // The spline through nodes h apart is off by a part of h^4 = 1.6e-5: the fourth derivative of the depth is about 1.
    scree::test::verify("depth less that of the energy [radii]", 0, std::sqrt(2 * energy(c)) - depth, 5e-6);
    CHECK(c.normal_at(0).x() == Approx(1).epsilon(1e-6));
    CHECK(c.normal_at(1).x() == Approx(1).epsilon(1e-6));
  }
}

/// Largest step of the energy and of the force, over their means, on a slow ride of b past a, turning.
struct Jumps {
  double energy = 0, force = 0;
  int changes = 0;  ///< number of changes in the number of contacts
};
Jumps ride(const Duel& duel, const Duel::Pose& from, const Duel::Pose& to, int steps) {
  double sum_energy = 0, sum_force = 0, last_energy = 0;
  Duel::Pose last_force{};
  std::size_t last_size = 0;
  Jumps jumps;
  for (int i = 0; i <= steps; ++i) {
    Duel::Pose q;
    for (std::size_t k = 0; k < 6; ++k) q[k] = from[k] + (to[k] - from[k]) * i / steps;
    const ContactBuffer c = duel.contacts(q, 0, 0);
    const Duel::Pose f = forces(c, q);
    Duel::Pose change;
    for (std::size_t k = 0; k < 6; ++k) change[k] = f[k] - last_force[k];
    sum_energy += energy(c);
    sum_force += norm(f);
    if (i > 0) {
      jumps.energy = std::max(jumps.energy, std::abs(energy(c) - last_energy));
      jumps.force = std::max(jumps.force, norm(change));
      jumps.changes += c.size() != last_size ? 1 : 0;
    }
    last_energy = energy(c);
    last_force = f;
    last_size = c.size();
  }
  jumps.energy *= steps / sum_energy;
  jumps.force *= steps / sum_force;
  return jumps;
}

TEST_CASE("extremal: energy and force are continuous while contacts merge and part") {
  for (const int nodes : {100, 200})
    for (const auto& shape : {cross(1, nodes), butterfly(1, nodes)}) {
      const Duel duel({shape});
      const Duel::Pose from{0, 0, 0.1, 1.25, -0.5, 0.3}, to{0, 0, 0.1, 1.15, 0.6, 2.5};
      const Jumps coarse = ride(duel, from, to, 4000), fine = ride(duel, from, to, 40000);
      INFO("energy " << coarse.energy << " -> " << fine.energy << ", force " << coarse.force << " -> " << fine.force
                     << ", " << fine.changes << " changes of the number of contacts");
      CHECK(fine.changes > 10);
      CHECK(fine.energy < 0.11 * coarse.energy);
      CHECK(fine.force < 0.3 * coarse.force);  // C0: at least in the limit, with steep slopes on the way
    }
}

TEST_CASE("extremal: nodes gather where the outline bends, and a circle has them evenly") {
  const auto spacing = [](const StarShape& shape, double& least, double& most) {
    const std::vector<double> angles = spread_nodes(*facet<RadialFunction>(shape), 100);
    REQUIRE(angles.size() == 100);
    least = 1e9, most = 0;
    for (std::size_t i = 0; i < 100; ++i) {
      const double step = (i + 1 < 100 ? angles[i + 1] : angles[0] + 2 * std::numbers::pi) - angles[i];
      least = std::min(least, step);
      most = std::max(most, step);
    }
  };
  double least, most;
  spacing(*circle(1), least, most);
  CHECK(least == Approx(2 * std::numbers::pi / 100).epsilon(1e-9));
  CHECK(most == Approx(2 * std::numbers::pi / 100).epsilon(1e-9));
  for (const auto& shape : {cross(1), butterfly(1), bat(1)}) {
    spacing(*shape, least, most);
    CHECK(least > 0.2 * 2 * std::numbers::pi / 100);
    CHECK(most < 3 * 2 * std::numbers::pi / 100);
    CHECK(most > 1.5 * least);
  }
}

TEST_CASE("extremal: a centre that is about to be crossed stops the run and names both bodies") {
  const Duel duel({cross(1)});
  CHECK_THROWS_WITH(duel.contacts({0, 0, 0, 0.3, 0.05, 0.2}, 0, 0),
                    Catch::Matchers::StartsWith("bodies 0 and 1: the outline of body ") &&
                        Catch::Matchers::Contains("has reached the centre of body"));
}

TEST_CASE("extremal: gaps up to the margin are reported, with negative overlap") {
  const Duel duel({circle(1)});
  const TestBodies bodies = duel.place({0, 0, 0, 2.01, 0, 0}, 0, 0);
  const Pair pair{0, 1};
  PairCache cache;
  CHECK(contacts_of(duel.detector, bodies, {&pair, 1}, cache, 0.009).size() == 0);
  const ContactBuffer contacts = contacts_of(duel.detector, bodies, {&pair, 1}, cache, 0.011);
  REQUIRE(contacts.size() == 2);
  CHECK(contacts.overlap()[0] == Approx(-0.01).epsilon(1e-2));
}

}  // namespace
}  // namespace scree::star
