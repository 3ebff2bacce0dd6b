#include "elastic_law.hpp"

#include <random>
#include <vector>

#include "batch_test.hpp"
#include "catch.hpp"
#include "restitution.hpp"

using namespace scree;
using namespace scree::compliant;
using scree::compliant::test::kCount;

namespace {

/// Random contacts as columns: overlap, normal, velocity, spring.
struct Columns {
  explicit Columns(std::size_t n) : overlap(n), energy(n) {
    std::mt19937 random(3);
    std::uniform_real_distribution<double> any(-1, 1);
    for (auto* group : {&normal, &velocity, &spring, &force})
      for (auto& column : *group) column.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      overlap[i] = 1e-3 * any(random);
      double length = 0;
      for (int k = 0; k < 3; ++k) {
        normal[k][i] = any(random);
        velocity[k][i] = any(random);
        spring[k][i] = 1e-3 * any(random);
        length += normal[k][i] * normal[k][i];
      }
      for (int k = 0; k < 3; ++k) normal[k][i] /= std::sqrt(length);
    }
  }

  /// Contacts from `first` on.
  ContactColumns view(std::size_t first = 0) const {
    ContactColumns c;
    c.size = overlap.size() - first;
    c.dt = 1e-4;
    c.overlap = overlap.data() + first;
    for (int k = 0; k < 3; ++k) {
      c.normal[k] = normal[k].data() + first;
      c.velocity[k] = velocity[k].data() + first;
    }
    return c;
  }

  void evaluate(const LinearLaw& law, std::size_t first = 0) {
    const std::vector<double> before[3] = {spring[0], spring[1], spring[2]};
    const double* last[3];
    double* history[3];
    ForceColumns out;
    for (int k = 0; k < 3; ++k) {
      last[k] = before[k].data() + first;
      history[k] = spring[k].data() + first;
      out.force[k] = force[k].data() + first;
    }
    law.force(view(first), last, history, out);
    law.energy(view(first), history, energy.data() + first);
  }

  Triple<double> at(const std::vector<double> (&group)[3], std::size_t i) const {
    return {group[0][i], group[1][i], group[2][i]};
  }

  std::vector<double> overlap, energy;
  std::vector<double> normal[3], velocity[3], spring[3], force[3];
};

using Tangential = TangentialParameters::Model;

constexpr LinearSpring kSpring{1000, 0.1, -1};
TangentialParameters tangential(Tangential model) { return {model, 500, 0.2, 0.5}; }
LinearLaw law_with(Tangential model) { return {kSpring, tangential(model)}; }

}  // namespace

TEST_CASE(
    "the linear spring offers its energy as a potential, springs without a convex one and laws that pull do not") {
  const LinearSpring linear{.stiffness = 1e4};
  const TangentialParameters friction{.friction = 0.3}, none{TangentialParameters::Model::none, 0, 0, 0.3};
  const LinearLaw law(linear, friction), smooth(linear, none), pulls(linear, friction, 2, {}, {.constant = 1});
  REQUIRE(face<PotentialFace>(law));
  CHECK(face<PotentialFace>(law)->friction() == 0.3);
  REQUIRE(face<PotentialFace>(smooth));
  CHECK(face<PotentialFace>(smooth)->friction() == 0);
  CHECK_FALSE(face<PotentialFace>(pulls));
  CHECK_FALSE(face<PotentialFace>(PowerLaw({}, friction)));
  CHECK_FALSE(face<PotentialFace>(LennardJonesLaw({}, friction)));
}

TEST_CASE("the law's columns are the formulas, contact by contact") {
  for (const Tangential friction : {Tangential::none, Tangential::viscous, Tangential::spring}) {
    const LinearLaw law = law_with(friction);
    const Columns before(kCount);
    Columns after(kCount);
    after.evaluate(law);
    for (std::size_t i = 0; i < kCount; ++i) {
      const Triple<double> n = before.at(before.normal, i), u = before.at(before.velocity, i);
      const double closing = test::damped_speed(before.overlap[i], dot(n, u), 1e-4);
      const double f = linear_contact(kSpring.stiffness, kSpring.damping, before.overlap[i], closing).force;
      Triple<double> expected = f * n, spring = before.at(before.spring, i);
      if (friction == Tangential::viscous)
        expected = expected + viscous_friction(500.0, 0.5, f, tangential(u, n), 1e-4);
      if (friction == Tangential::spring) {
        const auto t = spring_friction(500.0, 0.2, 0.5 * f, tangential(u, n), turned_into_plane(spring, n), 1e-4);
        expected = expected + t.force;
        spring = t.history;
      }
      const Triple<double> force = after.at(after.force, i), kept = after.at(after.spring, i);
      REQUIRE((force.x == expected.x && force.y == expected.y && force.z == expected.z));
      REQUIRE((kept.x == spring.x && kept.y == spring.y && kept.z == spring.z));
      if (friction != Tangential::spring) spring = {0, 0, 0};
      REQUIRE(after.energy[i] == linear_energy(1000.0, before.overlap[i]) + 500 * dot(spring, spring) / 2);
    }
  }
}

TEST_CASE("a contact's force has the same bits wherever it stands in a batch") {
  const LinearLaw law = law_with(Tangential::spring);
  Columns whole(kCount);
  whole.evaluate(law);
  for (const std::size_t first : {1u, 3u, 7u, 200u}) {
    Columns part(kCount);
    part.evaluate(law, first);
    for (std::size_t i = first; i < kCount; ++i)
      for (int k = 0; k < 3; ++k) REQUIRE(part.force[k][i] == whole.force[k][i]);
  }
}

TEST_CASE("only spring friction keeps history, and the law offers the force face alone") {
  CHECK(law_with(Tangential::none).history_size() == 0);
  CHECK(law_with(Tangential::viscous).history_size() == 0);
  const LinearLaw law = law_with(Tangential::spring);
  CHECK(law.history_size() == 3);
  CHECK(face<ForceFace>(law) == static_cast<const ForceFace*>(&law));
  CHECK(law.face("cone/1") == nullptr);
  CHECK(law.range() == 0);
}

TEST_CASE("restitution is met for every mass, at every speed") {
  LinearSpring spring = kSpring;
  spring.damping_ratio = clipped_damping_ratio(0.6);
  const LinearLaw law(spring, tangential(Tangential::none));
  for (const double mass : {1e-6, 1e-2, 1.0})
    for (const double speed : {1e-3, 1.0}) {
      test::Batch batch(1);
      batch.mass[0] = mass;
      const double dt = batch.dt = law.contact_duration(mass, 1) / 20000;
      double rate = speed, depth = 0;
      do {
        depth += dt / 2 * rate;
        batch.overlap[0] = depth;
        batch.set(batch.velocity, 0, {-rate, 0, 0});
        batch.evaluate(law);
        rate -= dt * batch.force[0][0] / mass;
        depth += dt / 2 * rate;
      } while (batch.force[0][0] > 0);
      CHECK(-rate / speed == Approx(0.6).epsilon(1e-3));  // O(dt) of the dashpot at the step's begin
    }
}

TEST_CASE("linear with all options: same bits anywhere in a batch, nothing across a gap, energy's slope is the force") {
  using Model = RollingParameters::Model;
  for (const int dimension : {2, 3})
    for (const Tangential model : {Tangential::none, Tangential::viscous, Tangential::spring})
      for (const RollingParameters& rolling : {RollingParameters{}, RollingParameters{Model::constant, 0.1, 0, 0},
                                               RollingParameters{Model::elastic_plastic, 0.1, 2.25, 0.3}})
        for (const PullParameters& pull : {PullParameters{}, PullParameters{0.1, 0.2}})
          for (const double ratio : {-1.0, 0.3}) {
            LinearSpring spring = kSpring;
            spring.damping_ratio = ratio;
            const LinearLaw law(spring, tangential(model), dimension, rolling, pull);
            test::Batch whole(kCount, law.history_size());
            whole.randomize(1e-3, 1, 10, dimension == 2);
            test::Batch part = whole;
            whole.evaluate(law);
            part.evaluate(law, 3);
            for (std::size_t i = 3; i < kCount; ++i) {
              for (int k = 0; k < 3; ++k) {
                REQUIRE(part.force[k][i] == whole.force[k][i]);
                if (law.needs().moment) REQUIRE(part.moment[k][i] == whole.moment[k][i]);
              }
              if (whole.overlap[i] > 0) continue;
              REQUIRE(test::length(whole.at(whole.force, i)) == 0);
              REQUIRE(whole.energy[i] == 0);
            }
            REQUIRE(law.needs().history_in_place);
            REQUIRE(test::same_in_place(law, whole));
            // At rest: dE/dd = F_n, the pull included.
            const auto at = [&](double depth) {
              test::Batch one(1, law.history_size());
              one.overlap[0] = depth;
              one.evaluate(law);
              return std::pair(one.energy[0], one.force[0][0]);
            };
            const double h = 1e-6, slope = (at(1e-3 + h).first - at(1e-3 - h).first) / (2 * h);
            REQUIRE(slope == Approx(at(1e-3).second).epsilon(1e-9));  // exact for a square but for rounding
          }
}
