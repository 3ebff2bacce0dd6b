// Runs with meshes: what a half-space or a box of their form does, and what no wall may do.
#include "sphere_mesh.hpp"

#include <fmt/format.h>

#include <cmath>
#include <fstream>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "temporary_folder.hpp"
#include "test_meshes.hpp"

using namespace scree;
using namespace scree::mesh;
using namespace scree::mesh::test;
using scree::test::TemporaryFolder;

namespace {

/// The surface as `vertices` and `faces` of a scene.
std::string as_json(const SurfaceMesh& s) {
  std::string vertices, faces;
  for (const Vec3& v : s.vertices)
    vertices += fmt::format("{}[{}, {}, {}]", vertices.empty() ? "" : ", ", v[0], v[1], v[2]);
  for (const auto& f : s.faces) {
    std::string corners;
    for (const std::uint32_t v : f) corners += fmt::format("{}{}", corners.empty() ? "" : ", ", v);
    faces += fmt::format("{}[{}]", faces.empty() ? "" : ", ", corners);
  }
  return fmt::format(R"("vertices": [{}], "faces": [{}])", vertices, faces);
}

std::string as_mesh(const SurfaceMesh& s, const std::string& more = "") {
  return fmt::format(R"({{"type": "mesh", {}{}}})", as_json(s), more);
}

constexpr const char* kLinear = R"({"type": "linear", "normal_stiffness": 1e4, "restitution": 0.5, "friction": 0.4})";

std::string scene(const std::string& wall, const std::string& bodies, const std::string& law = kLinear,
                  const std::string& integrator = "velocity-verlet", double dt = 2e-5,
                  const std::string& wall_is = R"("fixed": true)") {
  return fmt::format(
      R"({{"dimension": 3, "gravity": [0, 0, -9.81], "materials": {{"m": {{"density": 2500}}, "w": {{"density": 1000}}}},
"shapes": {{"ball": {{"type": "sphere", "radius": 0.01}}, "wall": {},
            "pair": {{"type": "clump", "spheres": [{{"position": [-0.008, 0, 0], "radius": 0.01}},
                                                   {{"position": [0.008, 0, 0], "radius": 0.008}}]}},
            "stick": {{"type": "capsule", "length": 0.02, "radius": 0.006}},
            "die": {{"type": "spheropolyhedron", "solid": "box", "edges": [0.014, 0.012, 0.01], "radius": 0.004}}}},
"bodies": [{}, {{"name": "wall", "shape": "wall", "material": "w", {}}}],
"interactions": [{{"between": ["*", "*"], "law": {}}}], "integrator": {{"type": "{}", "dt": {}}},
"run": {{"duration": 1}}, "output": {{"writers": []}}}})",
      wall, bodies, wall_is, law, integrator, dt);
}

Simulation made(const std::string& json, int threads = 0) { return Simulation::from_text(json, {.threads = threads}); }

double metric(Simulation& run, const std::string& name) {
  for (const auto& [known, value] : run.metrics())
    if (known == name) return value;
  FAIL("no metric " << name);
  return 0;
}

}  // namespace

TEST_CASE("balls, clumps, capsules and dice bounce, roll and slide over a flat mesh of 1800 triangles as over two") {
  const std::string bodies =
      R"({"shape": "ball", "material": "m", "position": [-0.3, 0.013, 0.0105], "velocity": [0.7, 0.11, -0.4], "angular_velocity": [0, 30, 8]},
         {"shape": "pair", "material": "m", "position": [-0.3, 0.2, 0.02], "velocity": [0.9, 0.05, 0], "angular_velocity": [3, 10, 5]},
         {"shape": "stick", "material": "m", "position": [-0.3, -0.2, 0.02], "velocity": [0.9, 0.05, 0], "angular_velocity": [3, 10, 5]},
         {"shape": "die", "material": "m", "position": [-0.3, -0.4, 0.02], "velocity": [0.9, 0.05, 0], "angular_velocity": [3, 10, 5]})";
  const auto flat = [](double, double) { return 0.0; };
  Simulation plane = made(scene(R"({"type": "half-space"})", bodies));
  Simulation coarse = made(scene(as_mesh(sheet(1, 0, flat)), bodies));
  Simulation fine = made(scene(as_mesh(sheet(30, 0.4, flat)), bodies));
  for (Simulation* run : {&plane, &coarse, &fine}) run->run_until(0.4);
  const auto place = [](Simulation& run, Id id) { return run.world().position[*run.world().row(id)]; };
  for (const Id id : {0, 1, 2, 3}) {
    CHECK((place(coarse, id) - place(fine, id)).norm() < 1e-9);
    // Velocities are turned to their moment as on a ball of the wall's bounding radius, which is infinite here.
    CHECK((place(plane, id) - place(fine, id)).norm() < 1e-4);
  }
  CHECK(place(fine, 0).x() > -0.1);
}

TEST_CASE("a ball comes to rest in a box of triangles, which carries its weight") {
  Simulation run = made(scene(as_mesh(box({0.1, 0.1, 0.1}), R"(, "inside": true)"),
                              R"({"shape": "ball", "material": "m", "position": [0.02, 0.01, -0.085]})"));
  run.run_until(1);
  const World& world = run.world();
  CHECK(world.velocity[*world.row(0)].norm() < 1e-6);
  const double weight = world.mass[*world.row(0)] * 9.81;
  CHECK(metric(run, "wall_force_z_N") == Approx(-weight).epsilon(1e-4));
  CHECK(world.position[*world.row(0)].z() == Approx(-0.09 - weight / 1e4).epsilon(1e-9));
}

TEST_CASE("a mesh turns and carries: a closed box that spins keeps its balls inside") {
  const std::string bodies =
      R"({"shape": ["ball", "pair", "stick", "die"], "material": "m", "seed": 3, "random_speed": 0.5,
          "packing": {"type": "lattice", "lower": [-0.05, -0.05, -0.05], "counts": [3, 3, 3], "spacing": 0.045}})";
  const std::string json = scene(as_mesh(box({0.1, 0.1, 0.1}), R"(, "inside": true)"), bodies, kLinear,
                                 "velocity-verlet", 5e-5, R"("motion": {"angular_velocity": [3, 0, 2]})");
  Simulation one = made(json, 1), two = made(json, 2);
  one.run_until(0.5);
  const auto saved = one.snapshot();
  one.run_until(1);
  two.run_until(1);
  const World &a = one.world(), &b = two.world();
  for (Id id = 0; id < 27; ++id) {
    CHECK(a.position[*a.row(id)].norm() < 0.1 * std::sqrt(3));
    CHECK(a.position[*a.row(id)] == b.position[*b.row(id)]);
  }
  one.restore(*saved);
  one.run_until(1);
  for (Id id = 0; id < 27; ++id) CHECK(a.position[*a.row(id)] == b.position[*b.row(id)]);
}

TEST_CASE("a rigid clump rests on a slope of triangles below the angle of friction, and slides above it") {
  constexpr double kFriction = 0.4;
  for (const double slope : {0.2, 0.6}) {
    INFO(slope);
    const std::string law = fmt::format(R"({{"type": "coulomb", "friction": {}}})", kFriction);
    const SurfaceMesh s = sheet(10, 0.4, [&](double x, double) { return slope * x; });
    const std::string clump =
        fmt::format(R"({{"shape": "pair", "material": "m", "position": [0, 0, {}]}})", 0.012 + 0.03 * slope);
    Simulation run = made(scene(as_mesh(s), clump, law, "moreau-jean", 1e-3));
    run.run_until(0.3);
    const Vec3 before = run.world().velocity[*run.world().row(0)];
    run.run_until(0.4);
    const Vec3 after = run.world().velocity[*run.world().row(0)];
    const double angle = std::atan(slope), pull = 9.81 * (std::sin(angle) - kFriction * std::cos(angle));
    if (pull < 0)
      CHECK(after.norm() < 1e-9);
    else
      CHECK((after - before).norm() == Approx(0.1 * pull).epsilon(1e-3));
  }
}

TEST_CASE("an STL file in mm is a wall in m, and what was found in it is told") {
  const TemporaryFolder folder;
  std::ofstream file(folder / "floor.stl");
  file << "solid floor\n";
  const SurfaceMesh s = sheet(2, 0, [](double, double) { return 0.0; });
  for (const auto& f : s.faces) {
    file << "facet normal 0 0 0\nouter loop\n";
    for (const std::uint32_t v : f)
      file << fmt::format("vertex {} {} {}\n", 100 * s.vertices[v][0], 100 * s.vertices[v][1], 100 * s.vertices[v][2]);
    file << "endloop\nendfacet\n";
  }
  file << "endsolid\n";
  file.close();
  const std::string wall = R"({"type": "mesh", "file": "floor.stl", "scale": 0.001, "translation": [0, 0, 0.05]})";
  Simulation run =
      Simulation::from_text(scene(wall, R"({"shape": "ball", "material": "m", "position": [0.02, 0.01, 0.065]})"), {},
                            (folder / "scene.json").string());
  run.run_until(0.6);
  CHECK(run.world().position[*run.world().row(0)].z() == Approx(0.06).epsilon(1e-3));
  std::string told;
  for (const std::string& note : run.notes()) told += note + "\n";
  CHECK_THAT(told, Catch::Contains("8 triangles, 0.2 x 0.2 x 0 m, a sheet of 0.04 m^2 (8 open edges)."));
  CHECK(run.warnings().empty());
  const std::string in_mm = R"({"type": "mesh", "file": "floor.stl", "scale": 1e-6})";
  Simulation small =
      Simulation::from_text(scene(in_mm, R"({"shape": "ball", "material": "m", "position": [0.02, 0.01, 0.065]})"), {},
                            (folder / "scene.json").string());
  told.clear();
  for (const std::string& warning : small.warnings()) told += warning + "\n";
  CHECK_THAT(told, Catch::Contains("/shapes/wall: the whole wall fits into a sphere of radius 0.000141 m, and the "
                                   "smallest body that moves has one of 0.01 m. The units of one of them are wrong"));
}

TEST_CASE("a mesh that is to move freely is refused, and so are a surface given twice or not at all") {
  const std::string ball = R"({"shape": "ball", "material": "m", "position": [0, 0, 1]})";
  CHECK_THROWS_WITH(
      made(scene(as_mesh(box({1, 1, 1})), ball, kLinear, "velocity-verlet", 2e-5, R"("velocity": [0, 0, 1])")),
      Catch::Contains("A mesh has no mass. Fix its bodies or give them a motion"));
  CHECK_THROWS_WITH(
      made(scene(R"({"type": "mesh"})", ball)),
      Catch::Contains("the surface is either a \"file\", or \"vertices\" and \"faces\"; give one of the two."));
  CHECK_THROWS_WITH(made(scene(R"({"type": "mesh", "vertices": [[0,0,0],[1,0,0],[0,1,0]], "faces": [[0,1,7]]})", ball)),
                    Catch::Contains("/shapes/wall/faces: face 0 names vertex 7; there are 3, numbered from 0."));
  CHECK_THROWS_WITH(made(scene(R"({"type": "mesh", "file": "/nowhere.stl"})", ball)),
                    Catch::Contains("/shapes/wall/file"));
}
