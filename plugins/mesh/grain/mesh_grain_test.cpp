#include "grain/mesh_grain.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "grain/solid_moments.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "scree/shape/sphere_mesh.hpp"
#include "test_meshes.hpp"
#include "verify.hpp"

namespace scree::mesh {
namespace {

using scree::test::verify;

/// A geodesic mesh of the surface r(direction).
template <class Radius>
SurfaceMesh ball(int parts, const Radius& radius) {
  const scree::SphereMesh sphere = geodesic_mesh(parts);
  SurfaceMesh s;
  for (const Vec3& d : sphere.directions) s.vertices.push_back(radius(d) * d);
  for (const auto& [p, q, r] : sphere.triangles) s.faces.push_back({p, q, r});
  return s;
}

/// A ring about the z axis.
SurfaceMesh torus(double ring, double tube, int around, int across) {
  SurfaceMesh s;
  const auto at = [&](int i, int j) { return static_cast<std::uint32_t>(i % around * across + j % across); };
  for (int i = 0; i < around; ++i)
    for (int j = 0; j < across; ++j) {
      const double u = 2 * std::numbers::pi * i / around, v = 2 * std::numbers::pi * j / across;
      const double r = ring + tube * std::cos(v);
      s.vertices.push_back({r * std::cos(u), r * std::sin(u), tube * std::sin(v)});
      s.faces.push_back({at(i, j), at(i + 1, j), at(i + 1, j + 1)});
      s.faces.push_back({at(i, j), at(i + 1, j + 1), at(i, j + 1)});
    }
  return s;
}

MeshGrain grain(const SurfaceMesh& surface, int resolution = 24, int nodes = 642) {
  return MeshGrain(surface, {resolution, nodes, 0, "/file"});
}

Vec3 direction(std::mt19937& random) {
  std::normal_distribution<double> normal;
  return Vec3(normal(random), normal(random), normal(random)).normalized();
}

TEST_CASE("mesh-grain: volume and moments are those of the polyhedron") {
  const MeshGrain box = grain(test::box({0.5, 1, 1.5}));
  const MassProperties m = box.mass(2);
  CHECK(m.mass == Approx(2 * 6.0).epsilon(1e-13));
  CHECK(m.inertia.x() == Approx(12.0 / 12 * (4 + 9)).epsilon(1e-12));
  CHECK(m.inertia.y() == Approx(12.0 / 12 * (1 + 9)).epsilon(1e-12));
  CHECK(m.inertia.z() == Approx(12.0 / 12 * (1 + 4)).epsilon(1e-12));

  // A tetrahedron: V = e^3/(6 sqrt 2), I = m e^2/20.
  const double e = std::sqrt(2.0);
  const MeshGrain tetrahedron =
      grain({{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}, {1, 1, 1}}, {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}}});
  CHECK(tetrahedron.mass(1).mass == Approx(1.0 / 3).epsilon(1e-13));
  CHECK(tetrahedron.mass(1).inertia.x() == Approx(1.0 / 3 * e * e / 20).epsilon(1e-12));

  const MeshGrain scaled(torus(2, 0.7, 80, 40), {24, 2000, 3.0, "/file"});
  CHECK(scaled.mass(1).mass == Approx(3).epsilon(1e-13));
}

TEST_CASE("mesh-grain: the depth of a ball is its distance, as in the table of the specification") {
  const MeshGrain ten = grain(ball(60, [](const Vec3&) { return 1.0; }), 20),
                  twenty = grain(ball(60, [](const Vec3&) { return 1.0; }), 40);
  std::mt19937 random(1);
  double coarse = 0, fine = 0, normal = 0;
  for (int i = 0; i < 2000; ++i) {
    const Vec3 d = direction(random);
    const double depth = 0.02 * i / 2000;
    coarse = std::max(coarse, std::abs(ten.curvature((1 - depth) * d).depth - depth));
    const DepthCurvature here = twenty.curvature((1 - depth) * d);
    fine = std::max(fine, std::abs(here.depth - depth));
    normal = std::max(normal, (here.gradient + d).norm());
  }
  // Both include the triangles, which lie within the ball by e^2/6, 6e-5 for edges e of 1/55.
  verify("10 cells per radius: depth", 0, coarse, 4e-4);
  verify("20 cells per radius: depth", 0, fine, 3e-4);
  CHECK(normal < 0.02);
}

TEST_CASE("mesh-grain: gradients and second derivatives are those of the depth, outside of the grid too") {
  const MeshGrain rock =
      grain(ball(12, [](const Vec3& d) { return 1 + 0.2 * d.x() * d.y() + 0.1 * std::sin(5 * d.z()); }));
  std::mt19937 random(2);
  std::uniform_real_distribution<double> away(0.3, 3);
  double gradient = 0, second = 0, alone = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 p = away(random) * direction(random);
    const double h = 1e-5;
    const DepthCurvature here = rock.curvature(p);
    double depth;
    rock.depth({&p, 1}, {&depth, 1}, {});
    alone = std::max(alone, std::abs(depth - here.depth));
    for (int k = 0; k < 3; ++k) {
      const DepthCurvature right = rock.curvature(p + h * Vec3::Unit(k)), left = rock.curvature(p - h * Vec3::Unit(k));
      gradient = std::max(gradient, std::abs((right.depth - left.depth) / (2 * h) - here.gradient[k]));
      second += ((right.gradient - left.gradient) / (2 * h) - here.second.col(k)).norm() / 9000;
    }
  }
  CHECK(alone < 1e-12);
  CHECK(gradient < 2e-3);  // a few points lie at the sides of cells, where second derivatives jump
  CHECK(second < 1e-2);
}

TEST_CASE("mesh-grain: nodes lie on the surface, evenly, and are joined to one closed net") {
  const auto check = [](const MeshGrain& g, int euler) {
    double off = 0;
    for (const Vec3& p : g.nodes()) off = std::max(off, std::abs(g.curvature(p).depth));
    CHECK(off < 1e-7);
    const auto edges = static_cast<int>(g.neighbours().size() / 2), nodes = static_cast<int>(g.nodes().size());
    CHECK(nodes - edges + 2 * edges / 3 == euler);
    double shortest = 1e9;
    for (std::size_t i = 0; i < g.nodes().size(); ++i)
      for (std::uint32_t k = g.first_neighbour()[i]; k < g.first_neighbour()[i + 1]; ++k)
        shortest = std::min(shortest, (g.nodes()[i] - g.nodes()[g.neighbours()[k]]).norm());
    CHECK(shortest > 0.15 * g.spacing());
  };
  const MeshGrain rock = grain(ball(20, [](const Vec3& d) { return 1 + 0.3 * d.x() * d.y(); }));
  CHECK(rock.nodes().size() > 450);
  CHECK(rock.nodes().size() < 900);
  check(rock, 2);
  check(grain(test::box({0.5, 0.6, 0.7})), 2);
  check(grain(torus(2, 0.7, 80, 40), 24, 1500), 0);
}

TEST_CASE("mesh-grain: wrong input is named") {
  SurfaceMesh open = test::box({1, 1, 1});
  open.faces.pop_back();
  CHECK_THROWS_WITH(grain(open), Catch::Matchers::ContainsSubstring("must be closed"));
  SurfaceMesh two = test::box({1, 1, 1});
  for (const auto& v : test::box({1, 1, 1}).vertices) two.vertices.push_back(v + Vec3(5, 0, 0));
  for (auto face : test::box({1, 1, 1}).faces) {
    for (std::uint32_t& k : face) k += 8;
    two.faces.push_back(face);
  }
  CHECK_THROWS_WITH(grain(two), Catch::Matchers::ContainsSubstring("in 2 pieces"));
  CHECK_THROWS_WITH(grain(test::box({1, 1, 100}), 200), Catch::Matchers::ContainsSubstring("needs"));
}

/// A scene of grains with a mesh as shape "grain", made of triangles.
std::string scene(const SurfaceMesh& surface, const std::string& more_shapes, const std::string& bodies,
                  const std::string& law, double dt, const std::string& gravity = "[0, 0, 0]") {
  std::string vertices, faces;
  for (const Vec3& v : surface.vertices)
    vertices += fmt::format("{}[{:.17g}, {:.17g}, {:.17g}]", vertices.empty() ? "" : ", ", v[0], v[1], v[2]);
  for (const auto& f : surface.faces)
    faces += fmt::format("{}[{}, {}, {}]", faces.empty() ? "" : ", ", f[0], f[1], f[2]);
  return fmt::format(
      R"({{"dimension": 3, "gravity": {}, "materials": {{"m": {{"density": 2500}}}},
"shapes": {{"grain": {{"type": "mesh-grain", "vertices": [{}], "faces": [{}], "scale": 0.001}}{}}},
"bodies": [{}], "interactions": [{{"between": ["*", "*"], "law": {}}}],
"integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      gravity, vertices, faces, more_shapes, bodies, law, dt);
}

const std::string kSpring = R"({"type": "linear", "normal_stiffness": 1e4, "normal_damping": 0, "friction": 0})";

SurfaceMesh rock() {
  return ball(
      16, [](const Vec3& d) { return 1 + 0.25 * d.x() * d.y() - 0.2 * d.z() * d.z() + 0.08 * std::sin(6 * d.x()); });
}

TEST_CASE("mesh-grain: a fine ball bounces as a sphere does") {
  const SurfaceMesh fine = ball(40, [](const Vec3&) { return 1.0; });
  const std::string bodies =
      R"({{"shape": "{0}", "material": "m", "position": [0, 0, 0], "velocity": [0.5, 0, 0]}},
         {{"shape": "{0}", "material": "m", "position": [0.0021, 0.0008, 0.0003]}})";
  Simulation grains = Simulation::from_text(scene(fine, "", fmt::format(fmt::runtime(bodies), "grain"), kSpring, 1e-6));
  Simulation spheres = Simulation::from_text(scene(fine, R"(, "sphere": {"type": "sphere", "radius": 0.001})",
                                                   fmt::format(fmt::runtime(bodies), "sphere"), kSpring, 1e-6));
  for (Simulation* run : {&grains, &spheres}) run->run_until(0.005);
  for (const Id id : {0, 1}) {
    const Vec3 a = grains.world().velocity.read()[*grains.world().row(id)],
               b = spheres.world().velocity.read()[*spheres.world().row(id)];
    CHECK((a - b).norm() < 0.01 * 0.5);
  }
}

TEST_CASE("mesh-grain: hits of rocks keep energy to second order in the step") {
  const auto lost = [](double dt) {
    Simulation run = Simulation::from_text(
        scene(rock(), "", R"({"shape": "grain", "material": "m", "position": [0, 0, 0], "velocity": [0.5, 0, 0]},
         {"shape": "grain", "material": "m", "position": [0.0023, 0.0006, -0.0004], "angular_velocity": [100, 200, 50]})",
              kSpring, dt));
    const double before = totals(run.world(), Vec3::Zero()).kinetic();
    run.run_until(0.005);
    CHECK(run.world().velocity.read()[*run.world().row(1)].norm() > 0.05);  // they met
    return std::abs(totals(run.world(), Vec3::Zero()).kinetic() / before - 1);
  };
  const double coarse = lost(2e-6), fine = lost(5e-7);
  verify("steps of 2 us: change of the energy", 0, coarse, 1e-3);
  CHECK(fine < coarse / 4);
}

TEST_CASE("mesh-grain: the bits of a heap of rocks do not depend on threads") {
  std::string bodies = R"({"shape": "floor", "material": "m", "fixed": true, "position": [0, 0, 0]})";
  for (int k = 0; k < 12; ++k)
    bodies += fmt::format(
        R"(, {{"shape": "grain", "material": "m", "position": [{}, {}, {}], "angular_velocity": [{}, 50, 0]}})",
        0.0009 * (k % 3), 0.0008 * (k % 2), 0.0016 + 0.0024 * k, 10 * k);
  const std::string json = scene(
      rock(), R"(, "floor": {"type": "half-space"}, "ball": {"type": "sphere", "radius": 0.0008})",
      bodies + R"(, {"shape": "ball", "material": "m", "position": [0, 0, 0.04]})",
      R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 0.4, "friction": 0.5})", 5e-6, "[0, 0, -9.81]");
  Simulation one = Simulation::from_text(json, {.threads = 1}), two = Simulation::from_text(json, {.threads = 2});
  for (Simulation* run : {&one, &two}) run->run_until(0.04);
  CHECK(state_hash(one.world()) == state_hash(two.world()));
  CHECK(totals(one.world(), Vec3::Zero()).kinetic_translation > 0);
}

}  // namespace
}  // namespace scree::mesh
