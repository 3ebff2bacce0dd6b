/// \file A wall under control: loads are reached, held, lost and found again.

#include <fmt/format.h>

#include <cmath>

#include "catch.hpp"
#include "gain.hpp"
#include "one_thread.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;

namespace {

constexpr double kRadius = 0.005, kStiffness = 1e4, kStep = 2e-5;  // [m], [N/m], [s]: contacts take some 50 steps

/// Beads in a column between a floor and a lid, which a servo pushes down.
struct Press {
  int beads = 1;
  double restitution = 0.5;
  double gap = 0;  ///< between lid and beads at the start [m]
  std::string target = R"("force": 2)";
  std::string more = "";  ///< options of the servo
  double max_speed = 0.05;
  std::string lid = R"("motion": {})";
  std::string interval = "1e-4";

  std::string text() const {
    const double top = 2 * kRadius * beads + gap;
    return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, 0], "damping": {{"mass_proportional": 20}},
"materials": {{"m": {{"density": 2500}}, "w": {{}}}},
"shapes": {{"bead": {{"type": "sphere", "radius": {0}}}, "floor": {{"type": "half-space", "normal": [0, 0, 1]}},
 "lid": {{"type": "half-space", "normal": [0, 0, -1]}}}},
"bodies": [{{"name": "beads", "shape": "bead", "material": "m", "packing": {{"type": "lattice", "lower": [0, 0, {0}],
  "counts": [1, 1, {1}], "spacing": {2}}}}},
 {{"name": "floor", "shape": "floor", "material": "w", "fixed": true}},
 {{"name": "lid", "shape": "lid", "material": "w", "position": [0, 0, {3}], {4}}}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {5}, "restitution": {6}, "friction": 0}}}}],
"hooks": [{{"type": "servo-wall", "bodies": "lid", "direction": [0, 0, -2], {7}, "max_speed": {8}{9}, "interval": {10}}}],
"integrator": {{"type": "velocity-verlet", "dt": {11}}}, "run": {{"duration": 10}}}})",
                       kRadius, beads, 2 * kRadius, top, lid, kStiffness, restitution, target, max_speed, more,
                       interval, kStep);
  }
};

double figure(const Simulation& run, const std::string& name) { return run.world().figures().at("lid_servo_" + name); }

double height_of_lid(const Simulation& run) {
  for (std::size_t i = 0; i < run.world().size(); ++i)
    if (run.world().group[i] == 2) return run.world().position[i].z();
  return 0;
}

std::string refusal(const Press& press) {
  try {
    Simulation::from_text(press.text());
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("a wall presses on beads with the force asked for, whatever their restitution") {
  for (const double restitution : {0.2, 0.9})
    for (const int beads : {1, 20}) {
      Simulation run = Simulation::from_text(Press{.beads = beads, .restitution = restitution}.text());
      run.run_until(4);
      INFO(restitution << " " << beads);
      CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-6));
      // Springs in a row: one between wall and bead at each end.
      CHECK(2 * kRadius * beads - height_of_lid(run) == Approx((beads + 1) * 2 / kStiffness).epsilon(1e-6));
      CHECK(std::abs(figure(run, "speed_m_per_s")) < 1e-8);
    }
}

TEST_CASE("a gain from the stiffness alone, as is common, does not settle where dashpots are strong") {
  // 0.5 / (k dt): what is asked of it by springs, which forgets the dashpots of restitution 0.2.
  const Press press{.restitution = 0.2, .more = fmt::format(R"(, "gain": {})", 0.5 / (kStiffness * 1e-4))};
  Simulation run = Simulation::from_text(press.text());
  double fastest = 0;
  for (int k = 0; k < 100; ++k) {
    run.run_until(1 + 1e-3 * k);
    fastest = std::max(fastest, std::abs(figure(run, "speed_m_per_s")));
  }
  CHECK(fastest == 0.05);  // to and fro for good
}

TEST_CASE("a wall that touches nothing approaches at its largest speed, and finds the force when contact is there") {
  Simulation run = Simulation::from_text(Press{.gap = 0.01}.text());
  run.run_until(0.1);
  CHECK(figure(run, "speed_m_per_s") == 0.05);
  CHECK(figure(run, "displacement_m") == Approx(0.05 * 0.0999));  // at the last correction
  run.run_until(4);
  CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-6));
}

TEST_CASE("a load is found from no contact and from an overload, in some corrections, with little overshoot") {
  // The wall answers in 2 K/K_bed corrections or more, some 40 here.
  for (const double gap : {0., -0.0002}) {
    Simulation run = Simulation::from_text(Press{.beads = 4, .gap = gap, .target = R"("force": 1)"}.text());
    double most = 0;
    for (int k = 0; k < 400; ++k) {
      run.step(5);
      if (k > 100) most = std::max(most, figure(run, "force_N"));
    }
    INFO(gap);
    CHECK(figure(run, "force_N") == Approx(1).epsilon(0.01));
    CHECK(most < 1.2);
  }
}

TEST_CASE("a load that was lost is found again without overshoot") {
  Simulation run = Simulation::from_text(Press{}.text());
  run.run_until(0.5);
  Id bead = 0;
  run.world().remove(std::vector<Id>{bead});
  BodySpec smaller;
  smaller.shape = 0, smaller.material = 0, smaller.scale = 0.8;
  smaller.position = {0, 0, 0.8 * kRadius};
  run.world().add(std::vector<BodySpec>{smaller});
  run.run_until(0.51);
  CHECK(figure(run, "force_N") == 0);
  double most = 0;
  for (int k = 1; k <= 1000; ++k) {
    run.step(50);
    most = std::max(most, figure(run, "force_N"));
  }
  run.run_until(4);
  CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-6));
  // The wall arrives at 0.05 m/s: that is the impact of a mass m with v sqrt(k m) = 0.13 N, no wind-up.
  CHECK(most < 2.2);
}

TEST_CASE("the load follows a table, linear between its rows") {
  const Press press{.more = R"(, "load": [{"time": 0.5, "factor": 1}, {"time": 2.5, "factor": 3}])"};
  Simulation run = Simulation::from_text(press.text());
  run.run_until(1.5);
  CHECK(figure(run, "target_N") == Approx(4).epsilon(1e-3));
  CHECK(figure(run, "force_N") == Approx(4).epsilon(1e-3));  // it does not lag behind
  run.run_until(5);
  CHECK(figure(run, "force_N") == Approx(6).epsilon(1e-4));
}

TEST_CASE("a pressure acts on the area that the walls span now") {
  const Press press{.target = R"("pressure": 1000, "area": 0.01, "spans": [{"between": ["floor", "lid"]}])"};
  // A span along the direction counts nothing: floor and lid face each other that way.
  Simulation flat = Simulation::from_text(press.text());
  flat.run_until(0.01);
  CHECK(figure(flat, "target_N") == 0);
  Simulation plain = Simulation::from_text(Press{.target = R"("pressure": 1000, "area": 0.002)"}.text());
  plain.run_until(4);
  CHECK(figure(plain, "force_N") == Approx(2).epsilon(1e-6));
}

TEST_CASE("a servo's motion is added to that of the scene, and ends with its stroke") {
  const Press turning{.lid = R"("motion": {"angular_velocity": [0, 0, 3]})"};
  Simulation run = Simulation::from_text(turning.text());
  run.run_until(4);
  CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-6));
  CHECK(run.world().angular_velocity[2].z() == 3);
  Simulation stopped = Simulation::from_text(Press{.gap = 0.01, .more = R"(, "longest": 0.004)"}.text());
  stopped.run_until(1);
  CHECK(figure(stopped, "displacement_m") == Approx(0.004).epsilon(1e-12));
  CHECK(figure(stopped, "force_N") == 0);
}

TEST_CASE("a servo goes on with the same bits from a snapshot, and for any number of threads") {
  const std::string text = Press{.beads = 5, .gap = 0.002}.text();
  const auto hash_at = [&](Simulation& run, double t) {
    run.run_until(t);
    return state_hash(run.world());
  };
  Simulation whole = Simulation::from_text(text, {.threads = 1});
  whole.run_until(0.0501234);  // in the middle of an interval
  const auto half = whole.snapshot();
  const std::uint64_t end = hash_at(whole, 0.3);
  for (const int threads : {1, 2, 3}) {
    Simulation again = Simulation::from_text(text, {.threads = threads});
    CHECK(hash_at(again, 0.3) == end);
    again.restore(*half);
    CHECK(hash_at(again, 0.3) == end);
  }
}

TEST_CASE("servos that cannot work are refused with what is missing") {
  Press press;
  press.lid = R"("fixed": true)";
  CHECK_THAT(refusal(press), Catch::Contains("servo-wall: body 2 of \"lid\" has no motion that could be set. Give the "
                                             "entry \"motion\": {} in place of \"fixed\""));
  press = {};
  press.target = R"("force": 1, "pressure": 2)";
  CHECK_THAT(refusal(press), Catch::Contains("\"force\" and \"pressure\" are both given. Remove one."));
  press.target = R"("pressure": 2)";
  CHECK_THAT(refusal(press), Catch::Contains("/hooks/0/pressure: servo-wall: a pressure needs the area"));
  press.target = R"("force": 2, "area": 1)";
  CHECK_THAT(refusal(press), Catch::Contains("acts on the whole wall and needs no area"));
  press.target = R"("pressure": 2, "spans": [{"between": ["floor", "wall"]}])";
  CHECK_THAT(refusal(press), Catch::Contains("/hooks/0/spans/0/between/1: servo-wall: no entry of the scene's bodies "
                                             "is called \"wall\". There are: beads, floor, lid."));
  press = {};
  press.interval = "0";
  CHECK_THAT(refusal(press), Catch::Contains("has no \"interval\""));
  press = {};
  press.more = R"(, "longest": 0.1, "shortest": 0.2)";
  CHECK_THAT(refusal(press), Catch::Contains("is 0.1 m, not above \"shortest\", 0.2 m"));
  press.more = R"(, "load": [{"time": 1, "factor": 1}, {"time": 1, "factor": 2}])";
  CHECK_THAT(refusal(press), Catch::Contains("/load/1/time: servo-wall: 1 s is not after the 1 s of the row before"));
}
