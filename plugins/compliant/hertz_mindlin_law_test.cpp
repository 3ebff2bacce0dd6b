#include "hertz_mindlin_law.hpp"

#include <numbers>

#include "batch_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::compliant;
using namespace scree::compliant::test;

namespace {

using Model = RollingParameters::Model;

HertzMindlinParameters parameters(double friction = 0.4, double adhesion = 0) {
  return {{1e6, 4e5}, 0.2, friction, 1, 1, adhesion, 1};
}

const RollingParameters kElasticPlastic{Model::elastic_plastic, 0.1, 2.25, 0.3}, kConstant{Model::constant, 0.1, 0, 0};

/// All choices of options, in 2D and 3D.
std::vector<HertzMindlinLaw> laws() {
  std::vector<HertzMindlinLaw> all;
  for (const int dimension : {2, 3})
    for (const double friction : {0.0, 0.4})
      for (const double adhesion : {0.0, 0.5})
        for (const RollingParameters& rolling : {RollingParameters{}, kConstant, kElasticPlastic})
          for (const PullParameters& pull : {PullParameters{}, PullParameters{2, 3}})
            if (adhesion == 0 || !pull.any())
              all.emplace_back(parameters(friction, adhesion), dimension, rolling, pull);
  return all;
}

}  // namespace

TEST_CASE("hertz-mindlin: columns are the formulas, contact by contact") {
  const HertzMindlinParameters p = parameters();
  const HertzMindlinLaw law(p, 3);
  REQUIRE(law.history_size() == 4);
  Batch before(kCount, 4);
  before.randomize(1e-3, 1, 10);
  for (std::size_t i = 0; i < kCount; ++i) {
    for (int k = 0; k < 3; ++k) before.history[k][i] = std::sin(i + k);
    before.history[3][i] = 0.02 * (i % 3);
  }
  Batch after = before;
  after.evaluate(law);
  for (std::size_t i = 0; i < kCount; ++i) {
    const V n = before.at(before.normal, i), u = before.at(before.velocity, i);
    const NormalContact<double> c = hertz_contact(1e6, 0.2, before.mass[i], before.radius[i], before.overlap[i],
                                                  test::damped_speed(before.overlap[i], dot(n, u), before.dt));
    const V old{before.history[0][i], before.history[1][i], before.history[2][i]};
    const V carried = turned_into_plane(rotated(old, before.dt * before.at(before.turn, i)), n);
    const Friction<double> t = mindlin_friction(1.6 * c.stiffness, std::sqrt(1.6) * c.damping, 0.4 * c.force,
                                                tangential(u, n), carried, c.radius, before.history[3][i], before.dt);
    const V expected = c.force * n + t.force;
    REQUIRE(length(after.at(after.force, i) - expected) == 0);
    REQUIRE(after.history[3][i] == c.radius);
    REQUIRE(length(V{after.history[0][i], after.history[1][i], after.history[2][i]} - t.history) == 0);
  }
}

TEST_CASE("hertz-mindlin: a contact has the same bits wherever it stands in a batch, with all options") {
  for (const HertzMindlinLaw& law : laws()) {
    Batch whole(kCount, law.history_size());
    whole.randomize(1e-3, 1, 10, law.history_size() == 0);
    Batch part = whole;
    whole.evaluate(law);
    part.evaluate(law, 7);
    for (std::size_t i = 7; i < kCount; ++i)
      for (int k = 0; k < 3; ++k) {
        REQUIRE(part.force[k][i] == whole.force[k][i]);
        if (law.needs().moment) REQUIRE(part.moment[k][i] == whole.moment[k][i]);
        REQUIRE(std::isfinite(whole.force[k][i]));
        REQUIRE(std::isfinite(whole.energy[i]));
      }
    REQUIRE(test::same_in_place(law, whole));
  }
}

TEST_CASE("hertz-mindlin keeps and asks for no more than its options work with") {
  const HertzMindlinLaw plain(parameters(0), 3), rubs(parameters(), 3), flat(parameters(), 2),
      rolls(parameters(), 3, kElasticPlastic), flat_rolls(parameters(), 2, kElasticPlastic), jkr(parameters(0, 0.5), 3),
      both(parameters(0.4, 0.5), 3), constant(parameters(0), 3, kConstant);
  CHECK(plain.history_size() == 0);
  CHECK(rubs.history_size() == 4);  // elastic force, radius of the contact area
  CHECK(rolls.history_size() == 7);
  CHECK(flat_rolls.history_size() == 5);
  CHECK(jkr.history_size() == 1);
  CHECK(both.history_size() == 4);
  CHECK(constant.history_size() == 0);
  CHECK_FALSE(plain.needs().turn);
  CHECK(rubs.needs().turn);
  CHECK_FALSE(flat.needs().turn);
  CHECK_FALSE(flat_rolls.needs().turn);
  CHECK_FALSE(rubs.needs().spin);
  CHECK_FALSE(rubs.needs().moment);
  CHECK((constant.needs().moment && constant.needs().spin && !constant.needs().turn));
  CHECK(rubs.needs().history_in_place);
  CHECK(rubs.range() == 0);
  CHECK(jkr.range() == Approx(jkr_neck(1e6, 0.5, 1)).epsilon(1e-15));
  CHECK(face<ForceFace>(rubs) == static_cast<const ForceFace*>(&rubs));
  CHECK(rubs.face("cone/1") == nullptr);
}

TEST_CASE("hertz-mindlin: what cannot pull does not, and a gap has neither force, couple nor memory") {
  for (const HertzMindlinLaw& law : laws()) {
    Batch batch(kCount, law.history_size());
    batch.randomize(1e-3, 1, 10);
    batch.evaluate(law);
    for (std::size_t i = 0; i < kCount; ++i) {
      if (batch.overlap[i] > 0) continue;
      REQUIRE(length(batch.at(batch.force, i)) == 0);
      if (law.needs().moment) REQUIRE(length(batch.at(batch.moment, i)) == 0);
      for (const auto& column : batch.history) REQUIRE(column[i] == 0);
      REQUIRE(batch.energy[i] == 0);
    }
  }
}

TEST_CASE("cohesion: friction holds under the pull alone, up to mu times the pull-off force") {
  const double w = 0.5, mu = 0.4, pull_off = dmt_pull_off(w, 1);
  // Overlap at which the elastic force equals the pull: no load from outside.
  const double overlap = std::pow(pull_off / (4.0 / 3 * 1e6), 2.0 / 3);
  const HertzMindlinLaw law(parameters(mu), 3, {}, {0, dmt_pull_off(w, 1)});
  Batch batch(1, law.history_size());
  batch.overlap[0] = overlap;
  batch.set(batch.velocity, 0, V{0, 1, 0});
  for (int i = 0; i < 10; ++i) batch.evaluate(law);
  CHECK(batch.at(batch.force).x == Approx(0).margin(1e-12 * pull_off));
  CHECK(batch.at(batch.force).y == Approx(-mu * pull_off).epsilon(1e-12));
}

TEST_CASE("DMT pulls 2 pi w R when it lets go, JKR 3/2 pi w R at most, quasi-statically") {
  const double w = 0.5;
  const HertzMindlinLaw dmt(parameters(0), 3, {}, {0, dmt_pull_off(w, 1)}), jkr(parameters(0, w), 3);
  for (const auto& [law, expected] :
       {std::pair{&dmt, 2 * std::numbers::pi * w}, std::pair{&jkr, 1.5 * std::numbers::pi * w}}) {
    Batch batch(1, law->history_size());
    double largest = 0;
    const double neck = jkr_neck(1e6, w, 1), step = neck / 20000;
    for (double d = neck; d > -1.1 * neck; d -= step) {
      batch.overlap[0] = d;
      batch.evaluate(*law);
      largest = std::max(largest, -batch.force[0][0]);
    }
    CHECK(largest == Approx(expected).epsilon(1e-4));  // the gate; DMT's last step is 1e-4 necks deep
    CHECK(batch.force[0][0] == 0);
  }
}

TEST_CASE("a stuck pair that turns as one keeps its friction and its rolling couple, turned with it") {
  // Whole law in 3D: sheared and rolled a little, then turned by 360 degrees about a slanted axis.
  const HertzMindlinLaw law(parameters(), 3, kElasticPlastic);
  Batch batch(1, law.history_size());
  batch.overlap[0] = 1e-3;
  batch.set(batch.velocity, 0, V{0, 0.01, 0.02});
  batch.set(batch.spin, 0, V{0, 0.02, 0.01});
  batch.evaluate(law);
  batch.set(batch.velocity, 0, V{0, 0, 0});
  batch.set(batch.spin, 0, V{0, 0, 0});
  batch.evaluate(law);
  const V force = batch.at(batch.force), moment = batch.at(batch.moment);
  REQUIRE(std::abs(force.y) > 0);
  REQUIRE(length(moment) > 0);
  const int steps = 1000;
  const V axis = (1 / length(V{1, 2, -0.5})) * V{1, 2, -0.5}, start = batch.at(batch.normal);
  const double angle = 2 * std::numbers::pi / steps;
  batch.set(batch.turn, 0, angle / batch.dt * axis);
  for (int i = 1; i <= steps; ++i) {
    const double now = angle * i;
    const V along = dot(start, axis) * axis;
    V n = along + std::cos(now) * (start - along) + std::sin(now) * cross(axis, start);
    batch.set(batch.normal, 0, (1 / length(n)) * n);
    batch.evaluate(law);
    REQUIRE(length(batch.at(batch.force)) == Approx(length(force)).epsilon(1e-10));
  }
  CHECK(length(batch.at(batch.force) - force) < 1e-10 * length(force));
  CHECK(length(batch.at(batch.moment) - moment) < 1e-10 * length(moment));
}

TEST_CASE("elastic-plastic rolling: a sphere nudged on a plane swings to rest, one rolled hard stops, none creeps") {
  // Spin of a ball (2/5 m R^2 about its centre, held at its place) against the couple alone, constant overlap.
  const HertzMindlinLaw law(parameters(0), 3, kElasticPlastic);
  Batch batch(1, law.history_size());
  batch.overlap[0] = 1e-3;
  batch.mass[0] = 0.01;
  batch.dt = 1e-6;
  double rate = 0.02;
  const auto run = [&](int steps) {
    double turned = 0;
    for (int i = 0; i < steps; ++i) {
      batch.set(batch.spin, 0, V{0, rate, 0});
      batch.evaluate(law);
      rate += batch.dt * batch.moment[1][0] / (0.4 * 0.01);
      turned += batch.dt * rate;
    }
    return turned;
  };
  run(200000);
  CHECK(std::abs(rate) < 1e-9);
  CHECK(std::abs(run(100000)) < 1e-10);  // no creep at rest
}
