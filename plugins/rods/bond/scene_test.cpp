// Rods in whole scenes: packing, bonds, explicit steps, contact of strands.

#include <fmt/format.h>

#include <cmath>
#include <string>
#include <vector>

#include "bond/test_chain.hpp"
#include "catch.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "test_scene.hpp"

using namespace scree;
using namespace scree::rods::test;
using Catch::Matchers::Contains;

namespace {

/// Two strands of 10 segments that hang side by side from a beam.
const std::string kStrands = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"hair": {"density": 1000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}, "wood": {}},
  "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder"},
             "beam": {"type": "box", "half_sizes": [0.05, 0.05, 0.005]}},
  "bodies": [
    {"name": "strands", "shape": "segment", "material": "hair",
     "packing": {"type": "strands", "segments": 10,
                 "roots": {"normal": [0, 0, -1], "positions": [[0, 0, -0.007], [0.004, 0, -0.007]]}}},
    {"name": "beam", "shape": "beam", "material": "wood", "fixed": true}],
  "bonds": [{"between": ["strands", "strands"], "law": {"type": "elastic-rod"}},
            {"between": ["beam", "strands"], "pairs": "roots", "law": {"type": "elastic-rod"}}],
  "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000, "restitution": 1}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-5}, "run": {"duration": 1}})";

std::string refusal(const std::vector<std::string>& sets, const std::string& json = kStrands) {
  try {
    made(json, sets);
  } catch (const InputError& e) {
    return e.what();
  }
  return "taken";
}

double energy(Simulation& s) { return figures(s, {"kinetic_energy_J", "potential_energy_J", "elastic_energy_J"}); }

/// The first strand is thrown sideways, its tip fastest.
void push(Simulation& s, double speed) {
  World& world = s.world();
  const auto velocity = world.velocity.write();
  std::vector<Id> thrown;
  for (Id id = 0; id < 10; ++id) {
    velocity[*world.row(id)] = {speed * static_cast<double>(id) / 9, 0, 0};
    thrown.push_back(id);
  }
  world.mark_moved(thrown);
}

}  // namespace

TEST_CASE("the packing places segments end to end, and one bond at every joint") {
  Simulation s = made(kStrands);
  World& world = s.world();
  CHECK(world.size() == 21);
  CHECK(world.bonds().size() == 20);
  for (Id id = 0; id < 10; ++id) {
    const Vec3 x = world.position.read()[*world.row(id)];
    CHECK((x - Vec3(0, 0, -0.007 - 0.01 * (static_cast<double>(id) + 0.5))).norm() < 1e-15);
  }
  std::size_t of_beam = 0;
  for (std::size_t k = 0; k < world.bonds().size(); ++k) of_beam += world.bonds().b[k] == 20;
  CHECK(of_beam == 2);
}

TEST_CASE("a helix that is packed is without stress, whatever the frame of its root") {
  Simulation s =
      made(kStrands, {"/bodies/0/packing/curvature=[50, 20]", "/bodies/0/packing/twist=80",
                      "/bodies/0/packing/roots/normal=[0.3, -0.5, -0.8]",
                      R"(/bonds/0/law={"type": "elastic-rod", "rest": {"curvature": [50, 20], "twist": 80}})",
                      R"(/bonds/1/law={"type": "elastic-rod"})", "/gravity=[0, 0, 0]"});
  s.step(2000);
  for (const Vec3& v : s.world().velocity.read()) CHECK(v.norm() < 1e-9);
}

TEST_CASE("strands follow a line of points") {
  Simulation s = made(kStrands, {"/bodies/0/packing/points=[[0, 0, 0], [0, 0, 0.05], [0.08, 0, 0.11]]"});
  const World& world = s.world();
  const Vec3 last = world.position.read()[*world.row(9)];
  // Five on each edge; the second runs 4 to 3.
  CHECK((last - Vec3(0.045 * 0.8, 0, -0.057 - 0.045 * 0.6)).norm() < 1e-12);
  CHECK_THAT(refusal({"/bodies/0/packing/points=[[0, 0, 0], [0, 0, 0.05]]"}),
             Contains("5 segments of 0.01 m find place; 10"));
}

TEST_CASE("a swinging rod keeps its energy, to second order in dt", "[long]") {
  const auto worst = [](double dt) {
    Simulation s =
        made(kStrands, {fmt::format("/integrator/dt={}", dt), "/bodies/0/packing/roots/positions=[[0, 0, -0.007]]",
                        "/bodies/0/velocity=[0.3, 0, 0]"});
    const double before = energy(s);
    double error = 0;
    for (int k = 1; k <= 10; ++k) {
      s.run_until(0.02 * k);
      error = std::max(error, std::abs(energy(s) - before));
    }
    return error;
  };
  const double coarse = worst(1e-5), fine = worst(5e-6);
  INFO("errors " << coarse << " J, " << fine << " J");
  CHECK(coarse / fine > 3);
  CHECK(coarse / fine < 5.5);
}

TEST_CASE("strands of one entry of bonds do not pass through each other") {
  Simulation s = made(kStrands);
  push(s, 1);
  double nearest = 1;
  for (int k = 0; k < 100; ++k) {
    s.run_until(0.002 * (k + 1));
    const World& world = s.world();
    const double tip_a = world.position.read()[*world.row(9)].x(), tip_b = world.position.read()[*world.row(19)].x();
    nearest = std::min(nearest, tip_b - tip_a);
  }
  CHECK(nearest > 0.0017);  // 0.002 less the overlap of a bounce
}

TEST_CASE("roots ride on a body that moves") {
  Simulation s =
      made(kStrands,
           {R"(/bodies/1={"name": "beam", "shape": "beam", "material": "wood", "motion": {"velocity": [0.1, 0, 0]}})"});
  s.run_until(0.2);
  const World& world = s.world();
  const std::size_t first = *world.row(0), beam = *world.row(20);
  const Vec3 root = world.position.read()[first] - world.orientation.read()[first] * Vec3(0, 0, 0.005);
  CHECK((root - world.position.read()[beam] - Vec3(0, 0, -0.007)).norm() < 1e-4);
}

TEST_CASE("rods give the same bits for any number of threads, and resumed") {
  const auto places = [](Simulation& s) {
    std::vector<double> x;
    for (Id id = 0; id < 20; ++id) x.push_back(s.world().position.read()[*s.world().row(id)].x());
    return x;
  };
  const auto run = [&](int threads) {
    Simulation s = made(kStrands, {}, threads);
    push(s, 1);
    s.run_until(0.1);
    return places(s);
  };
  const auto one = run(1);
  CHECK(run(2) == one);
  CHECK(run(3) == one);
  const scree::test::TemporaryFolder folder;
  Simulation begun = made(kStrands, {}, 2);
  push(begun, 1);
  begun.run_until(0.05);
  const std::string file = folder / "half.h5";
  begun.save(file);
  Simulation resumed = made(kStrands, {}, 1);
  resumed.load(file);
  resumed.run_until(0.1);
  CHECK(places(resumed) == one);
}

TEST_CASE("a step shorter than what the law says is stable, and a longer one is not by much") {
  rods::test::Chain chain(10);
  chain.options.section = rods::Section{1e4, {1, 1}, 0.8};
  chain.make();
  const double m = chain.h, across = m * chain.h * chain.h / 12, axial = 1e-3 * across;
  const std::vector<double> mass(11, m), moment(11, axial);
  const double said = chain.law().stable_time_step(chain.configuration(), mass, moment);
  Eigen::VectorXd root(60);
  for (int k = 0; k < 10; ++k)
    root.segment<6>(6 * k) << Vec3::Constant(1 / std::sqrt(m)), 1 / std::sqrt(across + axial / 2),
        1 / std::sqrt(across + axial / 2), 1 / std::sqrt(axial);
  const Eigen::MatrixXd scaled = root.asDiagonal() * chain.hessian() * root.asDiagonal();
  const double limit =
      2 / std::sqrt(Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(scaled, Eigen::EigenvaluesOnly).eigenvalues()[59]);
  CHECK(said <= limit);
  CHECK(said > 0.6 * limit);
}

TEST_CASE("in the plane a rod bends as in space") {
  // Own weight w L^3/EI = 10, 20 segments: deflection 0.700200 L, less the chain's error.
  const std::string json = R"({
    "dimension": 2, "gravity": [0, -9.81], "materials": {"hair": {"density": 1000}, "wall": {}},
    "shapes": {"segment": {"type": "capsule", "length": 0.01, "radius": 0.001, "mass_of": "cylinder", "thickness": 0.01},
               "post": {"type": "half-plane", "normal": [1, 0]}},
    "bodies": [
      {"name": "rod", "shape": "segment", "material": "hair",
       "packing": {"type": "strands", "segments": 20, "roots": {"normal": [1, 0], "positions": [[0, 0]]}}},
      {"name": "post", "shape": "post", "material": "wall", "fixed": true, "position": [-0.0015, 0]}],
    "bonds": [
      {"between": ["rod", "rod"], "law": {"type": "elastic-rod", "stiffness": {"EA": 1000, "EI": [1.5696e-4], "GJ": 1}}},
      {"between": ["post", "rod"], "pairs": "roots",
       "law": {"type": "elastic-rod", "stiffness": {"EA": 1000, "EI": [1.5696e-4], "GJ": 1}}}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
    "integrator": {"type": "variational", "dt": 0.02}, "run": {"duration": 10}})";
  Simulation s = made(json);
  s.run_until(10);
  const World& world = s.world();
  const std::size_t last = *world.row(19);
  const Vec3 tip = world.position.read()[last] + world.orientation.read()[last] * Vec3(0.005, 0, 0);
  CHECK(-tip.y() / 0.2 / 0.700200 - 1 == Approx(2.0e-4).epsilon(0.25));
}

TEST_CASE("what cannot be a rod is refused with what to do about it") {
  CHECK_THAT(refusal({R"(/shapes/segment={"type": "sphere", "radius": 0.005})"}),
             Contains("\"segment\", which has none"));
  CHECK_THAT(refusal({"/materials/hair={\"density\": 1000}"}), Contains("/bonds/0/law") && Contains("youngs_modulus"));
  CHECK_THAT(refusal({"/materials/hair={\"density\": 1000, \"youngs_modulus\": 1e7}"}), Contains("\"shear_modulus\""));
  CHECK_THAT(refusal({"/bonds/1/between=[\"strands\", \"strands\"]"}),
             Contains("\"strands\" has 20 bodies and 2 strands"));
  CHECK_THAT(refusal({R"(/bonds/0/law={"type": "elastic-rod", "rest": {"curvature": [400]}})"}),
             Contains("/bonds/0/law") && Contains("turns by 4 rad at one joint; at most 1.57"));
  CHECK_THAT(refusal({"/bodies/0/packing/roots/normal=[0, 0, 0]"}), Contains("/packing/roots/normal"));
  CHECK_THAT(refusal({"/bodies/0/packing/points=[[0, 0, 0], [0, 0, 0], [0, 0, 1]]"}),
             Contains("repeats the point before it"));
}
