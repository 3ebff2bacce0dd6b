/// \file Bodies that come in mid-run: of shapes, materials and sizes that nobody had, and such as cannot be.

#include <cmath>

#include "probe_run.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Weight of a sphere [N].
double weight(double density, double radius) { return 9.81 * density * 4 / 3 * M_PI * radius * radius * radius; }

/// What the floor carries at the end [N].
double carried(const ProbeRun& run) { return -Metrics(run.folder()).column("floor_force_z_N").back(); }

}  // namespace

TEST_CASE("a body of a shape, material or size that nobody had rests on the floor like any other") {
  const double at_start = 16 * weight(2500, 0.001);
  const auto added = [&](const std::string& what, double more) {
    const ProbeRun run(
        probe_scene({R"({"type": "probe-add", "start": 0.005, "lower": [0.02, 0.02, 0.0017], )" + what + "}"}, 0.15));
    INFO(what << run.outcome.err);
    REQUIRE(run.outcome.exit_code == 0);
    // Damped to a thousandth of a force by then.
    CHECK(carried(run) == Approx(at_start + more).epsilon(2e-3));
  };
  added(R"("shape": "large", "material": "g")", weight(2500, 0.0016));
  added(R"("shape": "small", "material": "h")", weight(1000, 0.001));
  added(R"("shape": "small", "material": "g", "scale": 0.5)", weight(2500, 0.0005));
  added(R"("make_radius": 0.0012, "material": "g")", weight(2500, 0.0012));
}

TEST_CASE("species_resolver meet each other and those that were there as if they had been there from the start") {
  // Nothing moves before the species_resolver come: where they are does not matter until then.
  const std::string place = R"("lower": [0.0165, 0, 0], "counts": [3, 1, 1], "spacing": 0.0033, )"
                            R"("material": "h", "shape": "large", "group": 1, "velocity": [-1, 0.02, 0])";
  Json late = probe_scene({R"({"type": "probe-add", "start": 0, )" + place + "}"});
  late["gravity"] = {0, 0, 0};
  late["bodies"][1] = Json::parse(R"({"name": "strikers", "shape": "small", "material": "g", "position": [1, 0, 0]})");
  Json early = late;
  early["hooks"] = Json::array();
  early["bodies"].push_back(
      Json::parse(R"({"name": "large", "shape": "large", "material": "h", "velocity": [-1, 0.02, 0],
    "packing": {"type": "lattice", "lower": [0.0165, 0, 0], "counts": [3, 1, 1], "spacing": 0.0033}})"));
  const ProbeRun species_resolver(late), natives(early);
  INFO(species_resolver.outcome.err << natives.outcome.err);
  REQUIRE(species_resolver.outcome.exit_code == 0);
  REQUIRE(natives.outcome.exit_code == 0);
  const Json a = species_resolver.summary(), b = natives.summary();
  CHECK(a["contacts_mean"].get<double>() > 0.01);
  CHECK(a["contacts_mean"] == b["contacts_mean"]);
  // The order of sums differs with that of channels.
  CHECK(a["kinetic_energy_final"].get<double>() == Approx(b["kinetic_energy_final"].get<double>()).epsilon(1e-9));
}

TEST_CASE("a scene that begins with a floor alone is filled during the run") {
  Json scene = probe_scene({R"({"type": "probe-add", "start": 0.001, "shape": "small", "material": "g",
                               "lower": [0, 0, 0.0011], "counts": [8, 8, 2], "spacing": 0.0021})"},
                           0.12);
  scene["bodies"].erase(0);
  const ProbeRun run(scene);
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  CHECK(carried(run) == Approx(128 * weight(2500, 0.001)).epsilon(0.01));
  // Lists are made for the smallest shape of the scene, not for bodies of a metre.
  CHECK(run.summary()["candidate_pairs_mean"].get<double>() < 128 * 20);
}

TEST_CASE("a second body of its kind, and a dynamic one of a kind that was a wall, meet their like") {
  Json scene = probe_scene({R"({"type": "probe-add", "start": 0, "shape": "large", "material": "g", "group": 2,
                               "lower": [0.05, 0.05, 0.004805]})",
                            R"({"type": "probe-add", "start": 0, "shape": "pair", "material": "g", "group": 2,
                               "lower": [0.08, 0.08, 0.0031]})"},
                           0.03);
  scene["bodies"].push_back(Json::parse(
      R"({"name": "lone", "shape": "large", "material": "g", "position": [0.05, 0.05, 0.001601], "fixed": true})"));
  scene["bodies"].push_back(Json::parse(
      R"({"name": "post", "shape": "pair", "material": "g", "position": [0.08, 0.08, 0.001], "fixed": true})"));
  const ProbeRun run(scene);
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Metrics metrics(run.folder());
  CHECK(-metrics.column("lone_force_z_N").back() == Approx(weight(2500, 0.0016)).epsilon(0.02));
  CHECK(metrics.column("post_force_z_N").back() < 0);
}

TEST_CASE("species_resolver whom no interaction or detector serves end the run with a sentence") {
  const auto refused = [](Json scene) {
    const ProbeRun run(scene);
    CHECK(run.outcome.exit_code == 3);
    return run.outcome.err;
  };
  Json scene = probe_scene(
      {R"({"type": "probe-add", "start": 0.001, "shape": "small", "material": "h", "lower": [0, 0, 0.01]})"});
  scene["interactions"][0]["between"] = {"g", "*"};
  CHECK_THAT(refused(scene), ContainsSubstring("a body came during the run and cannot take part"));
  CHECK_THAT(refused(scene),
             ContainsSubstring("nothing says what happens between materials \"w\" and \"h\", which bodies of shapes"));
  CHECK_THAT(refused(probe_scene({R"({"type": "probe-add", "shape": "floor", "material": "g", "lower": [0, 0, -1]})"})),
             ContainsSubstring("body 17 is to move freely, but its shape \"floor\" of material \"g\" has no mass."));
  Json periodic =
      probe_scene({R"({"type": "probe-add", "shape": "small", "material": "g", "scale": 6.5, "lower": [0, 0, 0.04]})"});
  periodic["periodic"]["x"] = {-0.0015, 0.0105};
  CHECK_THAT(refused(periodic), ContainsSubstring("a body of radius 0.0065 m would touch itself around it"));
}

TEST_CASE("a range that grows with bodies is not outgrown in silence") {
  Json scene = probe_scene({R"({"type": "probe-add", "shape": "small", "material": "g", "scale": 4,
                               "lower": [0, 0, 0.04]})"});
  scene["materials"]["g"] = Json::parse(R"({"density": 2500, "youngs_modulus": 1e7, "poisson_ratio": 0.3})");
  scene["materials"]["w"] = scene["materials"]["g"];
  scene["interactions"] = Json::parse(R"([{"between": ["*", "*"], "law": {"type": "hertz-mindlin", "restitution": 0.5,
    "friction": 0.3, "cohesion": {"model": "jkr", "work_of_adhesion": 0.05}}}])");
  const ProbeRun run(scene);
  CHECK(run.outcome.exit_code == 3);
  CHECK_THAT(run.outcome.err, ContainsSubstring("grows with the size of bodies, and was made for radii up to 0.0016 m; "
                                                "a body of radius 0.004 m came during the run"));
}

TEST_CASE("bodies that cannot be are refused by what is wrong with them") {
  const auto refused = [](const std::string& what) {
    const ProbeRun run(
        probe_scene({R"({"type": "probe-add", "start": 0.001, "lower": [0.3, 0.3, 0.3], )" + what + "}"}));
    CHECK(run.outcome.exit_code != 0);
    CHECK(run.outcome.exit_code < 5);
    return run.outcome.err;
  };
  CHECK_THAT(refused(R"("id": 3)"), ContainsSubstring("body id 3 is given twice. Ids must be unique over all bodies."));
  CHECK_THAT(refused(R"("shape_index": 7)"),
             ContainsSubstring("a body is given the shape 7, but there are 4, counted from 0"));
  CHECK_THAT(refused(R"("material_index": 3)"),
             ContainsSubstring("a body is given the material 3, but there are 3, counted from 0"));
  CHECK_THAT(refused(R"("group": 2)"),
             ContainsSubstring("a body is given the group 2, but there are 2, counted from 0"));
}

TEST_CASE("a motion given to a newcomer begins where and when it is added") {
  // A lifted plate: 0.01 s at 0.1 m/s carry it and the grain on it 1 mm up.
  Json scene = probe_scene({R"({"type": "probe-add", "start": 0.01, "kind": "prescribed", "shape": "floor",
                               "material": "w", "group": 1, "lower": [0, 0, 0], "motion": [0, 0, 0.1]})"},
                           0.02);
  const ProbeRun run(scene);
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const std::vector<double> height = Metrics(run.folder()).column("potential_energy_J");
  const double mg = 16 * weight(2500, 0.001);
  CHECK((height[5] - height[0]) / mg == Approx(-1e-5).margin(2e-6));  // they fell by 10 um
  CHECK((height[10] - height[5]) / mg == Approx(1e-3).epsilon(0.1));
}

TEST_CASE("a belt that is added carries what lies on it") {
  Json scene = probe_scene({R"({"type": "probe-add", "start": 0.01, "kind": "fixed", "shape": "floor", "material": "w",
                               "group": 1, "lower": [0, 0, 1e-5], "belt": [0.01, 0, 0]})"},
                           0.05);
  const ProbeRun run(scene);
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Metrics metrics(run.folder());
  const double mass = 16 * weight(2500, 0.001) / 9.81;
  CHECK(std::abs(metrics.column("momentum_x_kg_m_per_s")[5]) < 1e-9 * mass);
  CHECK(metrics.column("momentum_x_kg_m_per_s").back() > 1e-3 * mass);
}

TEST_CASE("hooks that add, remove and make kinds: the same bits for 1, 2, 3, 5, 8 threads, and when resumed") {
  Json scene =
      probe_scene({R"({"type": "probe-add", "start": 0.004, "interval": 0.004, "shape": "large", "material": "h",
          "lower": [0, 0, 0.009], "drift": [0.1, 0, 0], "counts": [6, 6, 2], "spacing": 0.0033, "velocity": [0, 0, -1]})",
                   R"({"type": "probe-add", "start": 0.003, "interval": 0.004, "shape": "pair", "material": "g",
          "lower": [0, 0, 0.016], "counts": [5, 5, 2], "spacing": 0.0034, "velocity": [0.1, 0, -1]})",
                   R"({"type": "probe-remove", "start": 0.006, "interval": 0.003, "every": 7})"},
                  0.016);
  scene["interactions"].push_back(Json::parse(R"({"between": ["h", "*"], "law": {"type": "linear",
    "normal_stiffness": 800, "normal_damping": 0.05, "tangential": "spring", "tangential_stiffness": 300, "friction": 0.2,
    "rolling": {"model": "elastic-plastic", "friction": 0.05}}})"));
  scene["bodies"][0]["packing"]["counts"] = {20, 20, 2};
  scene["bodies"][0]["packing"]["spacing"] = 0.00205;
  scene["output"]["checkpoint_interval"] = 0.008;
  const ProbeRun run(scene, "--threads 1");
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Json one = run.summary();
  CHECK(one["candidate_pairs_mean"].get<double>() > 1500);
  for (const int threads : {2, 3, 5, 8}) {
    const std::string out = fmt::format("out{}", threads);
    const Outcome outcome = run.run(out, fmt::format("--threads {}", threads));
    INFO(outcome.err);
    REQUIRE(outcome.exit_code == 0);
    CHECK(run.summary(out)["state_hash"] == one["state_hash"]);
  }
  const Outcome resumed =
      run.run("resumed", "--threads 3 --resume " + (run.folder() / "checkpoints" / "checkpoint_000000800.h5").string());
  INFO(resumed.err);
  REQUIRE(resumed.exit_code == 0);
  CHECK(run.summary("resumed")["state_hash"] == one["state_hash"]);

  // With a shape of the hook's own, which no checkpoint holds.
  scene["hooks"].push_back(Json::parse(R"({"type": "probe-add", "start": 0.002, "make_radius": 0.0012,
    "material": "g", "lower": [0.0005, 0.0005, 0.0075], "counts": [10, 10, 1], "spacing": 0.0025})"));
  const ProbeRun made(scene, "--threads 1");
  INFO(made.outcome.err);
  REQUIRE(made.outcome.exit_code == 0);
  for (const int threads : {2, 5}) {
    const std::string out = fmt::format("out{}", threads);
    REQUIRE(made.run(out, fmt::format("--threads {}", threads)).exit_code == 0);
    CHECK(made.summary(out)["state_hash"] == made.summary()["state_hash"]);
  }
  const Outcome refused =
      made.run("resumed", "--resume " + (made.folder() / "checkpoints" / "checkpoint_000000800.h5").string());
  CHECK(refused.exit_code == 4);
  CHECK_THAT(refused.err, ContainsSubstring("made by a hook during the run"));
}

TEST_CASE("large bodies that come in mid-run and turn: the same bits for 1, 2, 3 threads, and when resumed") {
  // Two bars of 1 m, one lying on the grains, one turned through those beside; grains alone until then.
  Json scene =
      probe_scene({R"({"type": "probe-add", "start": 0.002, "shape": "bar", "material": "h",
                               "lower": [0.02, 0, 0.00301], "spin": [0, 0, 1]})",
                   R"({"type": "probe-add", "start": 0.003, "shape": "bar", "material": "w", "kind": "prescribed",
                               "lower": [0.0935, 0.3, 0.0012], "spin": [0, 0, -0.5]})"},
                  0.02);
  scene["shapes"]["bar"] = Json::parse(R"({"type": "box", "half_sizes": [0.002, 0.5, 0.001]})");
  scene["materials"]["h"]["density"] = 20;
  scene["bodies"][0]["packing"] = Json::parse(
      R"({"type": "lattice", "lower": [0, -0.02, 0.000999], "counts": [45, 20, 1], "spacing": 0.00203, "jitter": 1e-5})");
  scene["interactions"].push_back(Json::parse(R"({"between": ["h", "w"], "law": "none"})"));
  scene["interactions"].push_back(Json::parse(R"({"between": ["h", "h"], "law": "none"})"));
  scene["interactions"].push_back(Json::parse(R"({"between": ["h", "g"], "law": {"type": "linear",
    "normal_stiffness": 1000, "normal_damping": 0.05, "tangential": "spring", "tangential_stiffness": 500, "friction": 0.3}})"));
  const ProbeRun run(scene, "--threads 1");
  INFO(run.outcome.err);
  REQUIRE(run.outcome.exit_code == 0);
  const Json one = run.summary();
  // Some four neighbours and the floor: no bar is listed with all grains.
  CHECK(one["candidate_pairs_mean"].get<double>() < 900 * 5);
  CHECK(one["rebuilds"].get<int>() > 5);
  for (const int threads : {2, 3}) {
    const std::string out = fmt::format("out{}", threads);
    REQUIRE(run.run(out, fmt::format("--threads {}", threads)).exit_code == 0);
    CHECK(run.summary(out)["state_hash"] == one["state_hash"]);
  }
  for (const int step : {330, 770, 1210, 1650}) {
    const std::string at = fmt::format("--set /output/checkpoint_interval={}", 1e-5 * step),
                      cut = fmt::format("cut{}", step);
    REQUIRE(run.run(cut, at + fmt::format(" --set /run/duration={}", 1e-5 * step)).exit_code == 0);
    const fs::path checkpoint = run.folder(cut) / "checkpoints" / fmt::format("checkpoint_{:09}.h5", step);
    const Outcome resumed = run.run(cut, "--threads 2 --resume " + checkpoint.string());
    INFO(step << resumed.err);
    REQUIRE(resumed.exit_code == 0);
    CHECK(run.summary(cut)["state_hash"] == one["state_hash"]);
    CHECK(run.summary(cut)["candidate_pairs_mean"] == one["candidate_pairs_mean"]);
  }
}
