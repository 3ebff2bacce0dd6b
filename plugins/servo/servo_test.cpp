/// \file A wall under control: loads are reached, held, lost and found again.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "gain.hpp"
#include "one_thread.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "sealed_again.hpp"
#include "temporary_folder.hpp"

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
  std::string others = "";                          ///< more bodies, each after a comma
  std::string ends = R"("run": {"duration": 10})";  ///< or stages

  std::string text() const {
    const double top = 2 * kRadius * beads + gap;
    return fmt::format(R"({{"dimension": 3, "gravity": [0, 0, 0], "damping": {{"mass_proportional": 20}},
"materials": {{"m": {{"density": 2500}}, "w": {{}}}},
"shapes": {{"bead": {{"type": "sphere", "radius": {0}}}, "floor": {{"type": "half-space", "normal": [0, 0, 1]}},
 "lid": {{"type": "half-space", "normal": [0, 0, -1]}}}},
"bodies": [{{"name": "beads", "shape": "bead", "material": "m", "packing": {{"type": "lattice", "lower": [0, 0, {0}],
  "counts": [1, 1, {1}], "spacing": {2}}}}},
 {{"name": "floor", "shape": "floor", "material": "w", "fixed": true}},
 {{"name": "lid", "shape": "lid", "material": "w", "position": [0, 0, {3}], {4}}}{12}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {5}, "restitution": {6}, "friction": 0}}}}],
"hooks": [{{"type": "servo-wall", "bodies": "lid", "direction": [0, 0, -2], {7}, "max_speed": {8}{9}, "interval": {10}}}],
"integrator": {{"type": "velocity-verlet", "dt": {11}}}, {13}}})",
                       kRadius, beads, 2 * kRadius, top, lid, kStiffness, restitution, target, max_speed, more,
                       interval, kStep, others, ends);
  }
};

double figure(const Simulation& run, const std::string& name) { return run.world().metrics().at("lid_servo_" + name); }

Vec3 place_of_lid(const Simulation& run) {
  for (std::size_t i = 0; i < run.world().size(); ++i)
    if (run.world().group[i] == 2) return run.world().position[i];
  return Vec3::Zero();
}
double height_of_lid(const Simulation& run) { return place_of_lid(run).z(); }

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

TEST_CASE("a bed so soft that the wall needs long at its largest speed is loaded without overshoot") {
  // 5 springs in a row yield by 1 mm under 2 N: half a second at 2 mm/s. Near the target the wall still goes at its
  // largest speed, and what is missing meanwhile must not be summed up: that would be a fifth too much.
  Simulation run = Simulation::from_text(Press{.beads = 4, .max_speed = 0.002}.text());
  run.run_until(0.4);
  CHECK(figure(run, "speed_m_per_s") == 0.002);
  CHECK(figure(run, "force_N") > 1.5);
  double most = 0;
  while (run.time() < 1) {
    run.step(5);
    most = std::max(most, figure(run, "force_N"));
  }
  CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-3));
  CHECK(most < 1.01 * 2);
}

TEST_CASE("the speed answers springs by half of what they allow, and dashpots by half of what these allow") {
  // Springs allow G K T < 1, dashpots share G C < 1/2, and a bed 20 times as soft G^2 C K T < 20/4.
  const double interval = 1e-4, k = 1e4;
  servo::WallContacts contacts;
  for (const double mass : {1e-12, 4e-12}) contacts.add(k, mass);
  CHECK(contacts.stiffness == 2 * k);
  CHECK(contacts.damping == Approx(2 * std::sqrt(k * 1e-12) + 2 * std::sqrt(k * 4e-12)).epsilon(1e-14));
  const servo::Answer light = servo::stable_answer(contacts, interval);
  CHECK(light.gain * contacts.stiffness * interval == Approx(0.5).epsilon(1e-14));
  CHECK(light.share == 1);
  servo::WallContacts one;
  one.add(k, 1);
  CHECK(one.damping == Approx(2 * std::sqrt(k)).epsilon(1e-14));  // critical damping of a mass on a spring
  const servo::Answer heavy = servo::stable_answer(one, interval);
  CHECK(heavy.gain * heavy.gain * one.damping * k * interval == Approx(20. / 16).epsilon(1e-14));
  CHECK(heavy.share * heavy.gain * one.damping == Approx(0.25).epsilon(1e-14));
}

TEST_CASE("a stage that moves the lid otherwise begins where the servo has brought it") {
  const Press press{.gap = 0.01, .ends = R"("stages": [{"name": "press", "until": {"time": 1.5}},
      {"name": "shear", "change": {"bodies": {"lid": {"motion": {"velocity": [0.01, 0, 0]}}}}, "until": {"time": 4}}])"};
  Simulation run = Simulation::from_text(press.text());
  run.run_until(1.5 - 10 * kStep);
  const Vec3 before = place_of_lid(run);
  CHECK(figure(run, "displacement_m") == Approx(0.01 + 2 * 2 / kStiffness).epsilon(1e-4));
  for (int k = 0; k < 30; ++k) {
    run.step(1);  // the force is found: what the servo still does is less than 1e-9 m/s
    const Vec3 way(0.01 * std::max(0.0, run.time() - 1.5), 0, 0);
    CHECK((place_of_lid(run) - before - way).norm() < 1e-12);
  }
  run.run_until(3);
  CHECK(figure(run, "force_N") == Approx(2).epsilon(1e-6));
  CHECK(place_of_lid(run).x() == Approx(0.01 * 1.5).epsilon(1e-4));
}

TEST_CASE("the load follows a table, linear between its rows") {
  const Press press{
      .more = R"(, "load": [{"time": 0.5, "factor": 0.5}, {"time": 1, "factor": 1.5}, {"time": 2.5, "factor": 3}])"};
  Simulation run = Simulation::from_text(press.text());
  run.run_until(0.2);
  CHECK(figure(run, "target_N") == 1);  // as in the first row
  run.run_until(1.5);
  CHECK(figure(run, "target_N") == Approx(4).epsilon(1e-3));
  CHECK(figure(run, "force_N") == Approx(4).epsilon(1e-3));  // it does not lag behind
  run.run_until(5);
  CHECK(figure(run, "force_N") == Approx(6).epsilon(1e-4));
}

TEST_CASE("a pressure acts on the area that the walls span now") {
  // Two sides that draw apart, 0.1 m to begin with, in a sample 0.02 m thick. What lies along the direction in which
  // the servo pushes counts nothing: they stand at different heights.
  Press press{
      .target = R"("pressure": 1000, "area": 0.02, "spans": [{"between": ["west", "east"]}])",
      .others = R"(, {"name": "west", "shape": "bead", "material": "w", "position": [-0.05, 0, 0.03], "fixed": true},
 {"name": "east", "shape": "bead", "material": "w", "position": [0.03, 0.06, 0.07], "motion": {"velocity": [0.08, 0.06, 0.1]}})"};
  Simulation wide = Simulation::from_text(press.text());
  for (const double t : {0.01, 0.4}) {
    wide.run_until(t + 1.5 * kStep);
    CHECK(figure(wide, "target_N") == Approx(1000 * 0.02 * (0.1 + 0.1 * t)).epsilon(1e-9));
  }
  // Two spans make an area by themselves: here the square of the distance.
  press.target = R"("pressure": 1000, "spans": [{"between": ["west", "east"]}, {"between": ["east", "west"]}])";
  Simulation square = Simulation::from_text(press.text());
  square.run_until(0.2 + 1.5 * kStep);
  CHECK(figure(square, "target_N") == Approx(1000 * 0.12 * 0.12).epsilon(1e-9));
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

TEST_CASE("a wall that gives way to an overload stops where its stroke ends, and the bed bears what it bears there") {
  // 0.2 mm too deep into two springs in a row: 1 N, of which half is asked for. It may go back by half of what that
  // needs.
  Simulation run = Simulation::from_text(
      Press{.gap = -0.0002, .target = R"("force": 0.5)", .more = R"(, "shortest": -0.00005)"}.text());
  run.run_until(1);
  CHECK(figure(run, "displacement_m") == Approx(-0.00005).epsilon(1e-12));
  CHECK(figure(run, "force_N") == Approx(0.00015 * kStiffness / 2).epsilon(1e-6));
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

TEST_CASE("states of a servo that no run writes are refused") {
  const test::TemporaryFolder folder;
  const std::string file = (folder / "state.h5").string();
  Press press;
  Simulation run = Simulation::from_text(press.text(), {.threads = 1});
  run.run_until(0.01);
  run.save(file);
  const std::string good = read_file(file);
  CHECK_NOTHROW(run.load(file));
  for (const std::size_t at : {0, 8, 16, 24, 32, 40, 48}) {
    write_atomically(file, good);
    test::change_sealed(file, "modifiers/000000", [&](std::vector<std::byte>& s) { test::overwrite(s, at, HUGE_VAL); });
    CHECK_THROWS_WITH(run.load(file),
                      Catch::Contains("servo-wall of \"lid\"") && Catch::Contains("holds what is no number"));
  }
  write_atomically(file, good);
  test::change_sealed(file, "modifiers/000000", [&](std::vector<std::byte>& s) { s[56] = std::byte{2}; });
  CHECK_THROWS_WITH(run.load(file), Catch::Contains("neither yes nor no"));
}

TEST_CASE("servos that cannot work are refused with what is missing") {
  Press press;
  press.lid = R"("fixed": true)";
  CHECK_THAT(refusal(press), Catch::Contains("servo-wall: body 2 of \"lid\" has no motion that could be set. Give the "
                                             "entry \"motion\": {} in place of \"fixed\""));
  press = {};
  std::string flat = press.text();
  flat.replace(flat.find("[0, 0, -2]"), 10, "[0, -1]");
  CHECK_THROWS_WITH(Simulation::from_text(flat),
                    Catch::Contains("/hooks/0/direction") && Catch::Contains("needs 3 numbers here"));
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
