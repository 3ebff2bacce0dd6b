/// \file Bonds that are made during a run, by the hook "bond-maker".

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"
#include "thread_ranks.hpp"

using namespace scree;

namespace {

/// Balls of radius 0.01 m, bonds "balls-balls" that hooks make, and hooks.
struct Balls {
  int dimension = 3;
  std::string places = R"({"position": [0, 0]}, {"position": [0.02, 0]}, {"position": [0.0405, 0]})";
  std::string of_bodies = "";  ///< more of the entry, each after a comma
  std::string others = "";     ///< more bodies, each after a comma
  std::string bonds =
      R"({"between": ["balls", "balls"], "pairs": "by-hook", "law": {"type": "bonded-beam", "normal_stiffness": 1e8}})";
  std::string hooks = R"({"type": "bond-maker", "start": 1e-4})";
  std::string integrator = R"({"type": "velocity-verlet", "dt": 1e-5})";
  std::string law = R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 1, "friction": 0.3})";
  std::string gravity = "0, 0";
  std::string ends = R"("output": {"writers": []}, "run": {"duration": 10})";  ///< or stages

  std::string vector(const std::string& xy) const { return dimension == 2 ? xy : xy + ", 0"; }

  std::string text() const {
    std::string list = places;
    if (dimension == 3)
      for (std::size_t at = 0; (at = list.find(']', at)) != std::string::npos; at += 4) list.replace(at, 1, ", 0]");
    return fmt::format(R"({{"dimension": {}, "gravity": [{}], "materials": {{"m": {{"density": 2500}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}}},
"bodies": [{{"name": "balls", "shape": "ball", "material": "m", "packing": {{"type": "list", "places": [{}]}}{}}}{}],
"bonds": [{}], "hooks": [{}], "interactions": [{{"between": ["*", "*"], "law": {}}}],
"integrator": {}, {}}})",
                       dimension, vector(gravity), list, of_bodies, others, bonds, hooks, law, integrator, ends);
  }
};

Simulation run_of(const Balls& scene) { return Simulation::from_text(scene.text()); }

std::string refusal(const Balls& scene) {
  try {
    Simulation::from_text(scene.text());
  } catch (const InputError& e) {
    return e.what();
  }
  return "no error";
}

void check_refusal(const Balls& scene, const std::string& text) {
  const std::string told = refusal(scene);
  INFO(told);
  CHECK(told.find(text) != std::string::npos);
}

std::vector<std::pair<Id, Id>> pairs(const Simulation& s) {
  const Bonds& bonds = s.world().bonds();
  std::vector<std::pair<Id, Id>> all;
  for (std::size_t k = 0; k < bonds.size(); ++k)
    if (bonds.whole(k)) all.emplace_back(bonds.a[k], bonds.b[k]);
  return all;
}

using Pairs = std::vector<std::pair<Id, Id>>;

Vec3 place(const Simulation& s, Id id) { return s.world().position[*s.world().row(id)]; }
Vec3 velocity(const Simulation& s, Id id) { return s.world().velocity[*s.world().row(id)]; }
double figure(Simulation& s, const std::string& name) {
  for (const auto& [key, value] : s.metrics())
    if (key == name) return value;
  FAIL("no figure " + name);
  return 0;
}

/// A wall of balls that falls onto a floor and is joined where it touches, again and again.
Balls setting() {
  Balls scene;
  scene.of_bodies = R"(, "velocity": [0.3, -0.5, 0])";
  scene.gravity = "0, -9.81";
  scene.places.clear();
  for (int k = 0; k < 60; ++k)
    scene.places += fmt::format(R"({}{{"position": [{}, {}]}})", k > 0 ? ", " : "",
                                0.021 * (k % 10) + 0.001 * (k / 10 % 3), 0.01 + 0.0205 * (k / 10));
  scene.others = R"(, {"name": "floor", "shape": "floor", "material": "m", "fixed": true})";
  scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "law": {"type": "bonded-beam",
    "normal_stiffness": 1e8, "tensile_strength": 2e4, "shear_strength": 2e4, "strength_scatter": 0.3}})";
  scene.law = R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 0.2, "friction": 0.3})";
  scene.hooks = R"({"type": "bond-maker", "start": 2e-3, "interval": 2e-3, "gap": 1e-5})";
  scene.integrator = R"({"type": "velocity-verlet", "dt": 2e-5})";
  return scene;
}

/// \param periodic  true for a wall that goes on beyond the sides of a cell
std::string setting_text(bool periodic) {
  std::string text = setting().text();
  const std::string ball = R"("radius": 0.01}})";
  text.replace(text.find(ball), ball.size(),
               R"("radius": 0.01}, "floor": {"type": "half-space", "normal": [0, 1, 0]}})");
  return periodic ? text.replace(1, 0, R"("periodic": {"x": [0.0995, 0.309]},)") : text;
}

}  // namespace

TEST_CASE("a bond-maker joins balls that touch, once at its time, in 2D and 3D") {
  for (const int dimension : {2, 3}) {
    INFO(dimension << " dimensions");
    Simulation s = run_of({.dimension = dimension});
    s.step(10);
    CHECK(pairs(s).empty());
    CHECK(figure(s, "bonds") == 0);
    s.step(1);
    CHECK(pairs(s) == Pairs{{0, 1}});
    CHECK(figure(s, "bonds") == 1);
    CHECK(figure(s, "bond-maker_count") == 1);
  }
}

TEST_CASE("the gap of the hook, or that of the bonds, says how near is near enough") {
  Balls scene;
  scene.hooks = R"({"type": "bond-maker", "gap": 6e-4})";
  Simulation of_hook = run_of(scene);
  of_hook.step();
  CHECK(pairs(of_hook) == Pairs{{0, 1}, {1, 2}});
  scene.hooks = R"({"type": "bond-maker"})";
  scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "gap": 6e-4,
    "law": {"type": "bonded-beam", "normal_stiffness": 1e8}})";
  Simulation of_bonds = run_of(scene);
  of_bonds.step();
  CHECK(pairs(of_bonds) == Pairs{{0, 1}, {1, 2}});
}

TEST_CASE("balls that meet are joined at every call, and go on together") {
  Balls scene;
  scene.hooks = R"({"type": "bond-maker", "interval": 1e-5, "gap": 1e-5})";
  scene.places = R"({"position": [0, 0]}, {"position": [0.03, 0]}, {"position": [0.06, 0]})";
  Simulation s = run_of(scene);
  s.world().velocity.write()[*s.world().row(0)] = {1, 0, 0};
  s.world().mark_moved(std::vector<Id>{0});
  s.run_until(0.2);
  CHECK(pairs(s) == Pairs{{0, 1}, {1, 2}});
  // Momentum is that of the first ball; what they vibrate by averages out.
  CHECK((velocity(s, 0) + velocity(s, 1) + velocity(s, 2)).x() == Approx(1).epsilon(1e-12));
  CHECK((place(s, 2) - place(s, 0)).norm() < 0.042);
}

TEST_CASE("a stage joins the bodies that an earlier one has brought together") {
  Balls scene;
  scene.hooks = "";
  scene.ends = R"("output": {"writers": []}, "stages": [{"name": "loose", "until": {"steps": 20}},
    {"name": "set", "change": {"hooks": [{"type": "bond-maker"}]}, "until": {"steps": 20}},
    {"name": "go", "change": {"hooks": []}, "until": {"steps": 20}}], "run": {})";
  Simulation s = run_of(scene);
  s.step(20);
  CHECK(pairs(s).empty());
  s.step(1);
  CHECK(s.stage() == "set");
  CHECK(pairs(s) == Pairs{{0, 1}});
  s.step(30);
  CHECK(s.stage() == "go");
  CHECK(pairs(s) == Pairs{{0, 1}});
}

TEST_CASE("what broke is joined again only if the scene asks for it") {
  for (const bool again : {false, true}) {
    Balls scene;
    scene.places = R"({"position": [0, 0]}, {"position": [0.02, 0]})";
    scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "beside_contact": false, "law":
      {"type": "bonded-beam", "normal_stiffness": 1e8, "tensile_strength": 1e3}})";
    scene.hooks = fmt::format(R"({{"type": "bond-maker", "interval": 1e-3, "gap": 1e-3, "again": {}}})", again);
    Simulation s = run_of(scene);
    s.step();
    CHECK(pairs(s) == Pairs{{0, 1}});
    s.world().position.write()[*s.world().row(1)].x() = 0.02 + 1e-4;
    s.world().mark_moved(std::vector<Id>{1});
    s.step();
    CHECK(pairs(s).empty());
    CHECK(s.world().column<double>("damage")[0] == 1);
    s.step(200);
    CHECK(s.world().bonds().size() == (again ? 2 : 1));
    CHECK(pairs(s) == (again ? Pairs{{0, 1}} : Pairs{}));
  }
}

TEST_CASE("columns tell the fragment of each body and its share of broken bonds") {
  Balls scene;
  scene.places = R"({"position": [0, 0]}, {"position": [0.02, 0]}, {"position": [0.04, 0]}, {"position": [0.1, 0]})";
  scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "law":
    {"type": "bonded-beam", "normal_stiffness": 1e8, "tensile_strength": 1e3}})";
  Simulation s = run_of(scene);
  const auto of = [&](Id id) {
    const std::size_t i = *s.world().row(id);
    return std::pair(s.world().column<Id>("fragment")[i], s.world().column<double>("damage")[i]);
  };
  using Of = std::pair<Id, double>;
  for (Id id = 0; id < 4; ++id) CHECK(of(id) == Of(id, 0));
  s.step(11);
  for (Id id = 0; id < 3; ++id) CHECK(of(id) == Of(0, 0));
  CHECK(of(3) == Of(3, 0));
  s.world().position.write()[*s.world().row(2)].x() += 1e-4;
  s.world().mark_moved(std::vector<Id>{2});
  s.step();
  CHECK(of(0) == Of(0, 0));
  CHECK(of(1) == Of(0, 0.5));
  CHECK(of(2) == Of(2, 1));
  s.world().remove(std::vector<Id>{0});
  s.step();
  CHECK(of(1) == Of(1, 1));
}

TEST_CASE("a bond beside a contact changes nothing where bodies press on each other") {
  Balls scene;
  scene.places = R"({"position": [0, 0]}, {"position": [0.0199, 0]})";
  scene.law = R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 0.5})";
  Simulation joined = run_of(scene);
  scene.hooks = "";
  Simulation loose = run_of(scene);
  joined.step(11);
  loose.step(11);
  CHECK(pairs(joined).size() == 1);
  // In its first step the bond has come to resist a motion of 1e-7 m. Without the contact a step's kick were missing.
  CHECK(velocity(joined, 1).x() == Approx(velocity(loose, 1).x()).epsilon(1e-3));
  REQUIRE(joined.contacts().size() == 1);
  CHECK(joined.contacts()[0].force.x() == Approx(loose.contacts()[0].force.x()).epsilon(1e-3));
  joined.step(500);
  CHECK((place(joined, 1) - place(joined, 0)).norm() < 0.021);
}

TEST_CASE("a hook joins the bodies that it names, in its region") {
  Balls scene;
  scene.places = R"({"position": [0, 0]}, {"position": [0.02, 0]}, {"position": [0.04, 0]})";
  scene.others = R"(, {"name": "lid", "shape": "ball", "material": "m", "position": [0.06, 0, 0], "fixed": true})";
  scene.hooks = R"({"type": "bond-maker", "bodies": ["balls", "lid"], "gap": 1e-6})";
  Simulation all = run_of(scene);
  all.step();
  CHECK(pairs(all) == Pairs{{0, 1}, {1, 2}, {2, 3}});
  scene.hooks = R"({"type": "bond-maker", "gap": 1e-6,
    "region": {"type": "box", "lower": [0.01, -1, -1], "upper": [1, 1, 1]}})";
  Simulation some = run_of(scene);
  some.step();
  CHECK(pairs(some) == Pairs{{1, 2}});
}

TEST_CASE("bodies of an emitter are joined when they have come, with each other and with what stands there") {
  Balls scene;
  scene.places = R"({"position": [0, 0]})";
  const std::string emitter = R"({"type": "emitter", "name": "feed", "shape": "ball", "material": "m", "number": 2,
    "points": [[0.02, 0, 0], [0.04, 0, 0]]})";
  scene.hooks = emitter + R"(, {"type": "bond-maker", "start": 1e-4})";
  for (const std::string other : {"feed", "balls"}) {
    scene.bonds = R"({"between": ["feed", ")" + other + R"("], "pairs": "by-hook", "gap": 1e-6,
      "law": {"type": "bonded-beam", "normal_stiffness": 1e8}})";
    Simulation s = run_of(scene);
    s.step(11);
    CHECK(pairs(s) == (other == "feed" ? Pairs{{1, 2}} : Pairs{{0, 1}}));
  }
  scene.hooks = R"({"type": "bond-maker", "start": 1e-4}, )" + emitter;
  check_refusal(scene,
                "/hooks/0/bonds: the bonds \"feed-balls\" join \"feed\", and there is no entry of bodies and no "
                "emitter of this name before this hook. There are: balls.");
  scene.hooks = "";
  check_refusal(scene, "/bonds/0/between/0: unknown entry of bodies \"feed\". Defined: balls.");
}

TEST_CASE("a body may be joined and taken out at once") {
  Balls scene;
  scene.places = R"({"position": [0, 0]}, {"position": [0.02, 0]}, {"position": [0.04, 0]})";
  scene.hooks = R"({"type": "bond-maker", "gap": 1e-6}, {"type": "outlet",
    "region": {"type": "sphere", "centre": [0.02, 0, 0], "radius": 0.03}})";
  Simulation s = run_of(scene);
  s.step();  // what hangs together leaves as one
  CHECK(s.world().size() == 0);
  CHECK(pairs(s).empty());
  CHECK(figure(s, "bond-maker_count") == 2);
}

TEST_CASE("bodies of any shape are joined where they had a contact") {
  const auto with = [](int dimension, const std::string& shape) {
    Balls scene;
    scene.dimension = dimension;
    scene.places = R"({"position": [0, 0]}, {"position": [0.0399, 0]}, {"position": [0.0801, 0]})";
    scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "radius": 0.002,
      "law": {"type": "bonded-beam", "normal_stiffness": 1e9}})";
    scene.hooks = R"({"type": "bond-maker", "start": 1e-4, "pairs": "contacts"})";
    std::string text = scene.text();
    const std::string ball = R"({"type": "sphere", "radius": 0.01})";
    return Simulation::from_text(text.replace(text.find(ball), ball.size(), shape));
  };
  const std::string dumbbell = R"({"type": "clump", "spheres": [{"position": [-0.01, 0, 0], "radius": 0.01},
    {"position": [0.01, 0, 0], "radius": 0.01}]})";
  const std::string cross = R"({"type": "star", "coefficients": {"a0": 2, "cos": {"4": 0.3}}, "radius": 0.02})";
  for (auto& [dimension, shape] : {std::pair(3, dumbbell), {2, cross}}) {
    INFO(shape);
    Simulation s = with(dimension, shape);
    s.step(10);
    CHECK(pairs(s).empty());
    s.step(1);
    CHECK(pairs(s) == Pairs{{0, 1}});
    // The section is that of the scene, and the bond holds what springs would have thrown apart.
    CHECK(s.world().bonds().section[0] == Approx(std::numbers::pi * 4e-6));
    s.step(2000);
    CHECK((place(s, 1) - place(s, 0)).norm() == Approx(0.04).margin(2e-4));
  }
}

TEST_CASE("bonds made in a run have the same bits for threads, ranks, a restored snapshot and a checkpoint") {
  for (const bool periodic : {false, true}) {
    INFO((periodic ? "in a periodic cell" : "in open space"));
    const std::string scene = setting_text(periodic);
    using End = std::pair<std::uint64_t, std::size_t>;
    const auto end = [](const Simulation& s) { return End(state_hash(s.world()), s.world().bonds().size()); };
    const auto run = [&](int threads) {
      Simulation s = Simulation::from_text(scene, {.threads = threads});
      s.step(600);
      return end(s);
    };
    const End one = run(1);
    Simulation s = Simulation::from_text(scene);
    s.step(300);
    const auto snapshot = s.snapshot();
    const test::TemporaryFolder folder;
    s.save((folder / "half.h5").string());
    CHECK(s.world().bonds().alive() > 10);
    s.step(300);
    CHECK(s.world().bonds().alive() < s.world().bonds().size());  // some broke
    CHECK(one == end(s));
    CHECK(one == run(3));
    Simulation again = Simulation::from_text(scene);
    again.restore(*snapshot);
    again.step(300);
    CHECK(one == end(again));
    again.load((folder / "half.h5").string());
    again.step(300);
    CHECK(one == end(again));
    std::vector<End> ends(3);
    for (const Failure& failure :
         test::on_thread_ranks(3, [&](Ranks& ranks) { ends[static_cast<std::size_t>(ranks.rank())] = run(1); }))
      CHECK(failure.text == "");
    for (const End& of_rank : ends) CHECK(of_rank == one);
  }
}

TEST_CASE("what a bond-maker cannot do is refused before the first step") {
  Balls scene;
  scene.bonds = "";
  check_refusal(scene, "the scene has no bonds that hooks make. Give an entry of /bonds with \"pairs\": \"by-hook\"");
  scene = {};
  scene.hooks = R"({"type": "bond-maker", "bonds": "glue"})";
  check_refusal(scene,
                "/hooks/0/bonds: there is no entry \"glue\" of /bonds with \"pairs\": \"by-hook\". There are: "
                "balls-balls.");
  scene.hooks = R"({"type": "bond-maker", "pairs": "contacts", "gap": 1e-3})";
  check_refusal(scene, "/hooks/0/gap: bodies with a contact have no gap. Remove it, or say \"pairs\": \"touching\".");
  scene.hooks = R"({"type": "bond-maker", "bodies": ["ball"]})";
  check_refusal(scene, "there is no entry \"ball\" of bodies");
  scene.hooks = R"({"type": "bond-maker"}, {"type": "bond-maker"})";
  check_refusal(scene, "/hooks/1/name: \"bond-maker\" is the name of another hook of type \"bond-maker\"");
  scene.hooks = "";
  const std::string one = scene.bonds;
  scene.bonds += ", " + one;
  scene.hooks = R"({"type": "bond-maker"})";
  check_refusal(scene,
                "several entries of /bonds are made by hooks: balls-balls, balls-balls. Name one of them in "
                "\"bonds\"; give them a \"name\"");
  scene = {};
  scene.integrator = R"({"type": "variational", "dt": 1e-3})";
  check_refusal(scene,
                "integrator \"variational\" does not take bonds of law \"bonded-beam\" as forces, as it has to "
                "where hooks such as \"bond-maker\" make them. Choose an explicit integrator");
}

TEST_CASE("options of a parallel bond that contradict each other are refused") {
  Balls scene;
  const auto with = [&](const std::string& law, const std::string& entry = "") {
    scene.bonds = R"({"between": ["balls", "balls"], "pairs": "by-hook", "law": {"type": "bonded-beam", )" + law + "}" +
                  entry + "}";
    return scene;
  };
  check_refusal(with(R"("shear_ratio": 0.4)"), "has neither \"youngs_modulus\" [Pa] and \"normal_stiffness\" [Pa/m]");
  check_refusal(with(R"("youngs_modulus": 1e7, "normal_stiffness": 1e9)"), "has both \"youngs_modulus\" [Pa]");
  check_refusal(with(R"("youngs_modulus": 1e7, "shear_stiffness": 1e9)"),
                "/bonds/0/law/shear_stiffness: goes with \"normal_stiffness\".");
  check_refusal(with(R"("normal_stiffness": 1e9)", R"(, "radius": 0.01, "radius_multiplier": 0.5)"),
                "/bonds/0/radius_multiplier: goes with the radius of the smaller body, but a \"radius\" is given.");
  check_refusal(with(R"("normal_stiffness": 1e9)", R"(, "self_contact": false)"), "no error");
  check_refusal(with(R"("normal_stiffness": 1e9)", R"(, "self_contact": false, "beside_contact": true)"),
                "/bonds/0/self_contact: is false, but with \"beside_contact\" even bodies joined by a bond touch");
}

TEST_CASE("a step that is too long for bonds that were just made ends the run with a remedy") {
  Balls scene;
  scene.integrator = R"({"type": "velocity-verlet", "dt": 2e-3})";
  scene.law = R"("none")";
  Simulation s = run_of(scene);
  std::string told;
  try {
    s.step(3);
  } catch (const NumericalError& e) {
    told = e.what();
  }
  INFO(told);
  CHECK(told.find("with the bonds that were just made, steps are surely stable up to") != std::string::npos);
  CHECK(told.find("Lower dt to") != std::string::npos);
}
