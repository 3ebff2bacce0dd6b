// Rods that hang as they were placed: "rest": "sag-free".

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;
using Catch::Matchers::Contains;

namespace {

/// A curl of 30 segments, radius 0.3 mm, length 0.15 m, that leaves a peg sideways and falls in coils; a weight on its
/// tip is added by with_weight(). Its own weight times L^3/EI is 24.
const std::string kCurl = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"hair": {"density": 1300, "youngs_modulus": 8e7, "poisson_ratio": 0.3}, "stone": {"density": 100}},
  "shapes": {"segment": {"type": "capsule", "length": 0.005, "radius": 0.0003, "mass_of": "cylinder"},
             "peg": {"type": "sphere", "radius": 0.004}},
  "bodies": [
    {"name": "curl", "shape": "segment", "material": "hair",
     "packing": {"type": "strands", "segments": 30, "curvature": [60, 20], "twist": 40,
                 "roots": {"normal": [0.3, 0, -1], "positions": [[0, 0, -0.004]]}}},
    {"name": "peg", "shape": "peg", "material": "stone", "fixed": true}],
  "bonds": [{"between": ["curl", "curl"], "law": {"type": "elastic-rod", "rest": "sag-free"}},
            {"between": ["peg", "curl"], "pairs": "roots", "law": {"type": "elastic-rod", "rest": "sag-free"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
  "integrator": {"type": "moreau-jean", "dt": 1e-3, "newton_tolerance": 1e-9, "newton_iterations": 20},
  "run": {"duration": 10}})";

constexpr double kLength = 0.15;

std::vector<std::string> and_more(std::vector<std::string> sets, const std::vector<std::string>& more) {
  sets.insert(sets.end(), more.begin(), more.end());
  return sets;
}

std::vector<std::string> by_forces(const std::string& integrator) {
  return {"/integrator=" + integrator, R"(/interactions/0/law={"type": "linear", "normal_stiffness": 10})"};
}

/// The curl with one more ball, joined to its tip by a third entry of bonds.
std::string with_ball(const std::string& body, const std::string& bond) {
  nlohmann::json scene = nlohmann::json::parse(kCurl);
  scene["bodies"].push_back(nlohmann::json::parse(body));
  scene["bonds"].push_back(nlohmann::json::parse(bond));
  return scene.dump();
}

std::string with_weight() {
  Simulation s = made(kCurl);
  const std::size_t last = *s.world().row(29);
  const Vec3 at = s.world().position.read()[last] + s.world().orientation.read()[last] * Vec3(0, 0, 0.0065);
  return with_ball(
      fmt::format(R"({{"name": "bead", "shape": "peg", "material": "stone", "position": [{:.17g}, {:.17g}, {:.17g}]}})",
                  at.x(), at.y(), at.z()),
      R"({"between": ["bead", "curl"], "pairs": "tips", "law": {"type": "elastic-rod", "rest": "sag-free"}})");
}

/// The curl hangs for 0.05 s, then without weight.
std::string weightless_later() {
  nlohmann::json scene = nlohmann::json::parse(kCurl);
  scene.erase("run");
  scene["stages"] = nlohmann::json::parse(
      R"([{"name": "hang", "until": {"duration": 0.05}},
          {"name": "spring", "change": {"gravity": [0, 0, 0]}, "until": {"duration": 0.1}}])");
  return scene.dump();
}

Vec3 tip(const World& world) { return world.position.read()[*world.row(29)]; }

/// Over 0.5 s, as a part of the length.
double drift(const std::vector<std::string>& sets) {
  Simulation s = made(kCurl, sets);
  const Vec3 before = tip(s.world());
  s.run_until(0.5);
  return (tip(s.world()) - before).norm() / kLength;
}

/// Largest force that is left as bodies lie, as a part of the weight of all: from what an explicit step makes of it.
double unbalanced(std::vector<std::string> sets, const std::string& json = kCurl) {
  const double dt = 1e-7;
  sets = and_more(sets, by_forces(fmt::format(R"({{"type": "symplectic-euler", "dt": {}}})", dt)));
  Simulation s = made(json, sets);
  s.step(1);
  const World& world = s.world();
  double worst = 0, weight = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass.read()[i] == 0) continue;
    weight += world.mass.read()[i] * 9.81;
    worst = std::max({worst, world.mass.read()[i] * world.velocity.read()[i].norm() / dt,
                      world.inertia.read()[i].maxCoeff() * world.angular_velocity.read()[i].norm() / dt / 0.005});
  }
  return worst / weight;
}

std::string refusal_of_rest(const std::vector<std::string>& sets, const std::string& json = kCurl) {
  try {
    made(json, sets);
  } catch (const InputError& e) {
    return e.what();
  }
  return "taken";
}

const std::vector<std::string> kAsPlaced = {R"(/bonds/0/law/rest="as-placed")", R"(/bonds/1/law/rest="as-placed")"};

}  // namespace

TEST_CASE("a curl that is free of sag hangs as it was placed, and sags without", "[long]") {
  const std::string verlet = R"({"type": "velocity-verlet", "dt": 5e-6})";
  const double sagging = drift(kAsPlaced), implicit = drift({}),
               minimal = drift(by_forces(R"({"type": "variational", "dt": 1e-3})")),
               explicit_one = drift(by_forces(verlet));
  INFO("tips move by " << sagging << " L as placed; free of sag by " << implicit << " L in moreau-jean, " << minimal
                       << " L in variational, " << explicit_one << " L in velocity-verlet");
  CHECK(sagging > 0.1);
  CHECK(implicit < 1e-5);
  CHECK(minimal < 1e-5);
  CHECK(explicit_one < 1e-5);
}

TEST_CASE("all forces are balanced as bodies lie, whichever end is held and whatever the order of bodies") {
  // Rounding of gaps, which stiffness EA/h makes forces.
  CHECK(unbalanced(kAsPlaced) > 0.03);
  CHECK(unbalanced({}) < 1e-6);
  CHECK(unbalanced({R"(/bonds/1/pairs="tips")", "/bodies/1/position=[0.1, 0, 0]"}) < 1e-6);
  CHECK(unbalanced({}, with_weight()) < 1e-6);
  const std::vector<std::string> soft = {R"(/bonds/0/law/stiffness={"EA": 0.02, "EI": [1e-6, 3e-7], "GJ": 4e-7})",
                                         R"(/bonds/1/law/stiffness={"EA": 0.02, "EI": [1e-6, 3e-7], "GJ": 4e-7})"};
  CHECK(unbalanced(soft) < 1e-12);
  const std::string swapped = R"(/bodies=[{"name": "peg", "shape": "peg", "material": "stone", "fixed": true},
    {"name": "curl", "shape": "segment", "material": "hair",
     "packing": {"type": "strands", "segments": 30, "curvature": [60, 20], "twist": 40,
                 "roots": {"normal": [0.3, 0, -1], "positions": [[0, 0, -0.004]]}}}])";
  CHECK(unbalanced(and_more(soft, {swapped})) < 1e-12);
}

TEST_CASE("in the plane a beam that is free of sag stays straight") {
  const std::string plane = R"({
    "dimension": 2, "gravity": [0, -9.81], "materials": {"hair": {"density": 1000}, "wall": {}},
    "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder", "thickness": 0.01},
               "post": {"type": "half-plane", "normal": [1, 0]}},
    "bodies": [
      {"name": "rod", "shape": "segment", "material": "hair",
       "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0], "positions": [[0, 0]]}}},
      {"name": "post", "shape": "post", "material": "wall", "fixed": true, "position": [-0.0015, 0]}],
    "bonds": [
      {"between": ["rod", "rod"],
       "law": {"type": "elastic-rod", "rest": "sag-free", "stiffness": {"EA": 10, "EI": [1.5696e-4], "GJ": 1}}},
      {"between": ["post", "rod"], "pairs": "roots",
       "law": {"type": "elastic-rod", "rest": "sag-free", "stiffness": {"EA": 10, "EI": [1.5696e-4], "GJ": 1}}}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "coulomb", "friction": 0.3}}],
    "integrator": {"type": "moreau-jean", "dt": 1e-3}, "run": {"duration": 10}})";
  CHECK(unbalanced({}, plane) < 1e-12);
}

TEST_CASE("gravity may change: a rod keeps the rest that it was given, through stages and checkpoints") {
  const scree::test::TemporaryFolder folder;
  const std::string file = folder / "half.h5";
  Simulation one = made(weightless_later(), {}, 1);
  const Vec3 before = tip(one.world());
  one.run_until(0.05);
  CHECK((tip(one.world()) - before).norm() < 1e-5 * kLength);
  one.run_until(0.08);
  one.save(file);
  one.run_until(0.15);
  INFO("it springs by " << (tip(one.world()) - before).norm() / kLength << " L");
  CHECK((tip(one.world()) - before).norm() > 0.05 * kLength);
  Simulation three = made(weightless_later(), {}, 3), resumed = made(weightless_later(), {}, 2);
  three.run_until(0.15);
  CHECK(tip(three.world()) == tip(one.world()));
  resumed.load(file);
  resumed.run_until(0.15);
  CHECK(tip(resumed.world()) == tip(one.world()));
}

TEST_CASE("a later stage may have more weight than its rest could be found for") {
  nlohmann::json scene = nlohmann::json::parse(weightless_later());
  scene["stages"][1]["change"]["gravity"] = {0, 0, -1000};
  CHECK(refusal_of_rest({}, scene.dump()) == "taken");
  CHECK_THAT(refusal_of_rest({"/gravity=[0, 0, -1000]"}), Contains("the natural shape that bears what hangs there"));
}

TEST_CASE("a rest free of sag that cannot be found is refused with what to do about it", "[long]") {
  CHECK_THAT(refusal_of_rest(
                 {R"(/bonds=[{"between": ["curl", "curl"], "law": {"type": "elastic-rod", "rest": "sag-free"}}])"}),
             Contains("/bonds/0/law") && Contains("bodies 0 and 1 are part of what hangs on nothing that is fixed"));
  const std::string held_twice =
      with_ball(R"({"name": "other", "shape": "peg", "material": "stone", "fixed": true, "position": [0.1, 0, 0]})",
                R"({"between": ["other", "curl"], "pairs": "tips", "law": {"type": "elastic-rod"}})");
  CHECK_THAT(refusal_of_rest({}, held_twice), Contains("is held at more than one place. Hold it at one end only"));
  CHECK_THAT(refusal_of_rest({R"(/bodies/0/packing={"type": "strands", "segments": 12, "curvature": [104.7197551, 0],
                                 "roots": {"normal": [0, 0, -1], "positions": [[0, 0, -0.004]]}})",
                              R"(/bonds/0/pairs="touching")", "/bonds/0/radius=1e-4", "/bonds/0/gap=1e-5"}),
             Contains("is closed to a ring. Leave it open"));
  CHECK_THAT(refusal_of_rest({"/materials/hair/youngs_modulus=1e6"}),
             Contains("the natural shape that bears what hangs there turns by") && Contains("segments of at most"));
  CHECK_THAT(refusal_of_rest({R"(/bonds/0/law/stiffness={"EA": 1e-4, "EI": [1e-6], "GJ": 1e-6})"}),
             Contains("more than its length of 0.005 m"));
  CHECK_THAT(refusal_of_rest({"/bonds/1/law/tensile_strength=1e4"}),
             Contains("/bonds/1/law") && Contains("times its strength"));
  CHECK_THAT(refusal_of_rest({"/bonds/1/law/yield_moment=1e-9"}), Contains("beyond the moment at which it yields"));
}
