// Liquid bridges: the closed form, what it stores, and how a contact makes, keeps and loses one.

#include "liquid_force.hpp"

#include "batch_test.hpp"
#include "catch.hpp"
#include "termed_law.hpp"

using namespace scree;
using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

constexpr double kTension = 0.07, kGrain = 1e-3;  // two spheres of this radius
const Liquid kWater{kTension, 0.3, 1e-11, 0, 0, false};

/// A contact of two such spheres, led along overlaps with a velocity.
struct WetPair {
  TermedLaw<LinearLaw> law;
  Batch batch;
  double offers[4] = {};  ///< offer of a, of b, turn of a, of b

  explicit WetPair(const Liquid& liquid, double friction = 0)
      : law(LinearLaw({1000, 0, -1}, {TangentialParameters::Model::spring, 500, 0, friction}, 3),
            Terms{{}, 0, liquid, 0}),
        batch(1, law.history_size()) {
    batch.radius[0] = kGrain / 2;
  }
  V at(double overlap, V velocity = {0, 0, 0}) {
    batch.overlap[0] = overlap;
    batch.set(batch.velocity, 0, velocity);
    ContactColumns c = batch.view();
    c.of_a[0] = &offers[0], c.of_b[0] = &offers[1], c.of_a[1] = &offers[2], c.of_b[1] = &offers[3];
    const std::vector<std::vector<double>> before = batch.history;
    const double* last[8] = {};
    double* now[8] = {};
    for (std::size_t k = 0; k < before.size(); ++k) last[k] = before[k].data(), now[k] = batch.history[k].data();
    law.force(c, last, now, {{batch.force[0].data(), batch.force[1].data(), batch.force[2].data()}, {}});
    law.energy(c, now, batch.energy.data());
    return batch.at(batch.force);
  }
  double volume() const { return batch.history[3][0]; }
};

}  // namespace

TEST_CASE("the closed form of a bridge: its table, and how far it is from Young and Laplace") {
  // F/(2 pi r g) of two spheres of radius r over s = S sqrt(r/V); exact values by shooting the profile, V = 0.01 r^3.
  const struct {
    double degrees, form[4], exact[2];
  } rows[] = {{0, {1, 0.705, 0.465, 0.220}, {0.884, 0.662}},
              {20, {0.940, 0.662, 0.437, 0.207}, {0.819, 0.618}},
              {40, {0.766, 0.540, 0.356, 0.168}, {0.636, 0.493}}};
  const double s[] = {0, 0.25, 0.5, 1}, volume = 0.01;
  for (const auto& row : rows) {
    const Liquid l{1, row.degrees * std::numbers::pi / 180, volume, 0, 0, false};
    for (int k = 0; k < 4; ++k) {
      const double force = bridge_force(l, 0.5, volume, s[k] * std::sqrt(volume)) / (2 * std::numbers::pi);
      CHECK(force == Approx(row.form[k]).margin(6e-4));  // three digits
      CHECK(force == Approx(std::cos(l.angle) / (1 + 1.05 * s[k] + 2.5 * s[k] * s[k])).epsilon(1e-12));
      if (k < 2) CHECK((force > row.exact[k] && force < 1.25 * row.exact[k]));
    }
  }
  CHECK(bridge_force(kWater, kGrain / 2, 1e-11, -1e-5) == bridge_pull(kWater, kGrain / 2));
  CHECK(bridge_pull(kWater, kGrain) == Approx(2 * bridge_pull(kWater, kGrain / 2)));  // a wall: 4 pi r g cos t
}

TEST_CASE("a bridge: the force is the slope of the work, and rupture is Willett's") {
  const double volume = 1e-11, radius = kGrain / 2, end = rupture_gap(kWater, radius, volume), h = 1e-10;
  for (const double gap : {-1e-5, 1e-8, 0.3 * end, 0.9 * end})
    CHECK((bridge_energy(kWater, radius, volume, gap + h) - bridge_energy(kWater, radius, volume, gap - h)) / (2 * h) ==
          Approx(bridge_force(kWater, radius, volume, gap)).epsilon(1e-6));
  CHECK(bridge_energy(kWater, radius, volume, 0) == 0);
  const double size = std::cbrt(volume);
  CHECK(end == Approx((1 + 0.15) * (size + size * size / (10 * kGrain))).epsilon(1e-14));
}

TEST_CASE("a contact forms its bridge at touch, keeps it at a gap, and loses it at rupture") {
  WetPair pair(kWater);
  REQUIRE(pair.law.history_size() == 4);
  const double end = rupture_gap(kWater, kGrain / 2, kWater.volume);
  CHECK(pair.law.range() >= end);
  CHECK(pair.at(-0.1 * end).x == 0);  // films do not jump
  CHECK(pair.volume() == 0);
  CHECK(pair.at(1e-6).x == Approx(1e-3 - bridge_pull(kWater, kGrain / 2)).epsilon(1e-12));
  CHECK(pair.volume() == kWater.volume);
  double work = 0;
  constexpr int kSteps = 2000;
  for (int k = 0; k < kSteps; ++k) {
    const double gap = (k + 0.5) * end / kSteps, force = pair.at(-gap).x;
    REQUIRE(force == Approx(-bridge_force(kWater, kGrain / 2, kWater.volume, gap)).epsilon(1e-12));
    REQUIRE(pair.batch.energy[0] == Approx(bridge_energy(kWater, kGrain / 2, kWater.volume, gap)).epsilon(1e-12));
    work -= force * end / kSteps;
  }
  // What the ledger calls dissipated at rupture is the energy that goes: the area under the force.
  pair.at(-end * (1 - 1e-12));
  CHECK(pair.batch.energy[0] == Approx(work).epsilon(1e-6));  // O(1/steps^2)
  CHECK(pair.at(-end * (1 + 1e-12)).x == 0);
  CHECK(pair.volume() == 0);
  CHECK(pair.batch.energy[0] == 0);
  CHECK(pair.at(-0.1 * end).x == 0);
}

TEST_CASE("a wet contact that nothing presses holds by friction, on the load without the pull") {
  WetPair pair(kWater, 0.5);
  const double pull = bridge_pull(kWater, kGrain / 2), overlap = pull / 1000;
  const V force = pair.at(overlap, {0, 100, 0});
  CHECK(force.x == Approx(0).margin(1e-15 * pull));
  CHECK(force.y == Approx(-0.5 * pull).epsilon(1e-12));
}

TEST_CASE("viscous bridges resist along and across the normal, and their rates say so") {
  Liquid oil = kWater;
  oil.viscosity = 0.1, oil.roughness = 1e-6;
  WetPair pair(oil);
  pair.at(1e-7);
  const double gap = 2e-5, r = kGrain / 2, unit = 6 * std::numbers::pi * 0.1 * r;
  const V rest = pair.at(-gap), moving = pair.at(-gap, {0.01, 0.02, 0});
  CHECK(moving.x - rest.x == Approx(-unit * r / gap * 0.01).epsilon(1e-12));
  CHECK(moving.y == Approx(-unit * (8.0 / 15 * std::log(r / gap) + 0.9588) * 0.02).epsilon(1e-12));
  const ContactRates rates = pair.law.rates(1e-6, r);
  CHECK(rates.damping == Approx(unit * r / 1e-6).epsilon(1e-12));
  CHECK(rates.tangential_damping == Approx(unit * (8.0 / 15 * std::log(r / 1e-6) + 0.9588)).epsilon(1e-12));
  CHECK(pair.at(-1).y == 0);
}

TEST_CASE("bridges from films wait for the modifier, and take what is offered, up to the largest") {
  Liquid films = kWater;
  films.films = true;
  WetPair pair(films);
  REQUIRE(pair.law.history_size() == 5);
  REQUIRE(pair.law.body_inputs().size() == 2);
  CHECK(pair.law.body_inputs()[0] == "liquid_offer");
  pair.at(1e-6);
  CHECK(pair.volume() == -1);
  CHECK(pair.batch.history[4][0] == kLiquidMark);
  pair.offers[0] = 1e-12, pair.offers[1] = 3e-12;
  CHECK(pair.at(1e-6).x == Approx(1e-3));  // the same turn: nobody has counted it
  pair.offers[2] = pair.offers[3] = 1;
  pair.at(1e-6);
  CHECK(pair.volume() == 4e-12);
  CHECK(pair.batch.history[4][0] == kLiquidMark);
  pair.at(-1);
  CHECK((pair.volume() == 0 && pair.batch.history[4][0] == 0));
  pair.at(1e-6);
  CHECK(pair.volume() == -2);
  pair.at(-1e-6);
  CHECK(pair.volume() == 0);  // it has parted before it got any
  pair.at(1e-6);
  pair.offers[0] = 1, pair.offers[2] = pair.offers[3] = 2;
  pair.at(1e-6);
  CHECK(pair.volume() == kWater.volume);
}
