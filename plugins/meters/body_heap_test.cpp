/// \file Bodies and heaps as meters tell of them, against values by hand and built cones.

#include <cmath>
#include <numbers>
#include <random>

#include "body_meter.hpp"
#include "catch.hpp"
#include "heap_meter.hpp"
#include "meters_scenes.hpp"
#include "mixing_meter.hpp"
#include "scree/base/error.hpp"
#include "temporary_folder.hpp"
#include "verify.hpp"

namespace scree::meters {

namespace {

using test::TemporaryFolder;

/// Three balls of 6 kg on a line, of which one is fixed, with forces on them.
struct Three {
  World world{3};
  Three() {
    world.add_shape("ball", std::make_shared<Ball>(3));
    world.add_material({"m", 3});
    world.group_names = {"balls", "wall"};
    std::vector<BodySpec> all(3);
    all[0].position = {1, 0, 0}, all[1].position = {3, 0, 0}, all[2].position = {0, 0, -1};
    all[0].velocity = {0, 2, 0}, all[0].angular_velocity = {0, 0, 4};
    all[2].group = 1, all[2].kind = BodyKind::fixed;
    world.add(all);
    const auto force = world.column<Vec3>("force", "N").write(), torque = world.column<Vec3>("torque", "N m").write();
    force[0] = {0, 5, 0}, torque[0] = {0, 0, 0.5}, force[1] = {0, 0, 7}, force[2] = {1, 2, -9};
  }
};

Table measure(const World& world, const std::string& more) {
  const TemporaryFolder folder;
  BodyMeter meter(Options::parse(R"({"name": "b", )" + more + "}"));
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, nullptr, {0, 0, 0.5});
  return read(folder / "b.csv");
}

/// Balls of diameter 1 on a lattice that is jittered, whose centres lie in a cone on the floor z = 0, in 2D in a
/// triangle on y = 0, with a ridge in a prism.
std::vector<BodySpec> cone(double radius, double degrees, int dimension, double ridge = 0) {
  std::vector<BodySpec> all;
  std::mt19937_64 random(3);
  std::uniform_real_distribution<double> jitter(-0.5, 0.5);
  const double slope = std::tan(degrees * std::numbers::pi / 180);
  const int n = static_cast<int>(radius) + 1, deep = ridge > 0 ? static_cast<int>(ridge) : dimension == 2 ? 0 : n;
  for (int i = -n; i <= n; ++i)
    for (int j = ridge > 0 ? 0 : -deep; j <= deep; ++j)
      for (int k = 0; k < slope * radius; ++k) {
        const Vec3 x(i + jitter(random), j + (dimension == 2 ? 0 : jitter(random)), 0.5 + k + 0.2 * jitter(random));
        const double out = dimension == 2 || ridge > 0 ? std::abs(x[0]) : std::hypot(x[0], x[1]);
        if (x[2] > slope * (radius - out)) continue;
        all.emplace_back().position = dimension == 2 ? Vec3(x[0], x[2], 0) : x;
      }
  return all;
}

std::map<std::string, double> heap_in(std::vector<BodySpec> bodies, int dimension, const std::string& more = "") {
  World world(dimension);
  world.add_shape("ball", std::make_shared<Sphere>(dimension, 0.5));
  world.add_material({"m", 3});
  world.group_names = {"balls"};
  world.add(bodies);
  const TemporaryFolder folder;
  HeapMeter meter(Options::parse(R"({"name": "h", "floor": 0, "sectors": 16, "from": 0.2, "to": 0.8)" + more + "}"));
  meter.begin(world);
  meter.open(folder.path().string());
  meter.observe(world, nullptr, {0, 0, 0});
  return read(folder / "h.csv").at(0);
}

}  // namespace

TEST_CASE("a body meter tells pose, velocity, force, torque about a point and power, a row per body") {
  const Three three;
  const Table table = measure(three.world, R"("ids": [2], "bodies": ["balls"], "together": false, "point": [0, 0, 0])");
  REQUIRE(table.size() == 3);
  CHECK(table[0].at("id") == 0);
  CHECK(table[2].at("id") == 2);
  CHECK(table[0].at("position_x_m") == 1);
  CHECK(table[0].at("quaternion_w") == 1);
  CHECK(table[0].at("angular_velocity_z_rad_per_s") == 4);
  CHECK(table[0].at("force_y_N") == 5);
  CHECK(table[0].at("torque_z_N_m") == 0.5 + 1 * 5);
  CHECK(table[0].at("power_W") == 5 * 2 + 0.5 * 4);
  CHECK(table[1].at("torque_y_N_m") == -3 * 7);
  CHECK(table[2].at("torque_x_N_m") == 2);  // (0, 0, -1) x (1, 2, -9)
  CHECK(table[2].at("torque_y_N_m") == -1);
  CHECK(measure(three.world, R"("ids": [0], "together": false)")[0].at("torque_z_N_m") == 0.5);
}

TEST_CASE("bodies together have sums of force, torque and power, and the motion of their centre of mass") {
  const Three three;
  const auto now = measure(three.world, R"("bodies": ["balls"], "together": true)").at(0);
  CHECK(now.at("count") == 2);
  CHECK(now.at("mass_kg") == 12);
  CHECK(now.at("centre_x_m") == 2);
  CHECK(now.at("velocity_y_m_per_s") == 1);
  CHECK(now.at("force_y_N") == 5);
  CHECK(now.at("force_z_N") == 7);
  CHECK(now.at("torque_z_N_m") == 0.5 - 5);  // about x = 2
  CHECK(now.at("torque_y_N_m") == -7);
  CHECK(now.at("power_W") == 12);
}

TEST_CASE("bodies that are not there, or not named, are refused with place and remedy") {
  const Three three;
  CHECK_THROWS_WITH(measure(three.world, R"("ids": [1, 9], "together": false)"),
                    "is 9, but no body of this number exists at the start. Numbers count from 0, in the order of the "
                    "entries; 3 bodies exist.");
  CHECK_THROWS_WITH(measure(three.world, R"("together": false)"),
                    "body-meter: names no bodies. Give names of entries in \"bodies\", or numbers in \"ids\".");
  CHECK_THROWS_WITH(measure(three.world, R"("ids": [1], "together": false, "average": {"start": 0})"),
                    "is over one row per moment, but here each body has its own. Add \"together\": true, or remove "
                    "this.");
  CHECK_THROWS_WITH(measure(three.world, R"("bodies": ["bals"], "together": false)"),
                    Catch::Contains("there is no entry \"bals\" of bodies"));
}

TEST_CASE(
    "the angle of a built cone of spheres is found within half a degree by two definitions, and by all to errors") {
  for (const double degrees : {20., 30., 40.}) {
    const auto heap = heap_in(cone(30, degrees, 3), 3);
    CAPTURE(degrees, heap.at("angle_fit_error_deg"), heap.at("angle_height_error_deg"));
    test::verify("angle of a cone of spheres by lines [deg]", degrees, heap.at("angle_fit_deg"), 0.5 / degrees);
    test::verify("angle of a cone of spheres by moments [deg]", degrees, heap.at("angle_moments_deg"), 0.5 / degrees);
    CHECK(std::abs(heap.at("angle_height_deg") - degrees) < heap.at("angle_height_error_deg"));
    CHECK(heap.at("angle_fit_error_deg") < 0.5);
    CHECK(std::abs(heap.at("angle_fit_deg") - degrees) < 4 * heap.at("angle_fit_error_deg"));
    CHECK(heap.at("radius_m") == Approx(30).margin(1));
    CHECK(heap.at("height_m") == Approx(30 * std::tan(degrees * std::numbers::pi / 180)).margin(1));
  }
}

TEST_CASE("in 2D, and of a ridge, the sides' angle is found within half a degree") {
  for (const double degrees : {15., 25., 35.}) {
    const auto flat = heap_in(cone(80, degrees, 2), 2);
    CAPTURE(degrees);
    test::verify("angle of a triangle of discs by lines [deg]", degrees, flat.at("angle_fit_deg"), 0.5 / degrees);
    test::verify("angle of a triangle of discs by moments [deg]", degrees, flat.at("angle_moments_deg"), 0.5 / degrees);
    CHECK(std::abs(flat.at("angle_height_deg") - degrees) < flat.at("angle_height_error_deg"));
    const auto ridge = heap_in(cone(50, degrees, 3, 12), 3, R"(, "ridge": [0, 2, 0])");
    CHECK(std::abs(ridge.at("angle_fit_deg") - degrees) < 0.5);
    CHECK(std::abs(ridge.at("angle_moments_deg") - degrees) < 0.5);
  }
}

TEST_CASE("grains that have rolled away do not move the fitted angle, and an empty heap has none") {
  auto bodies = cone(20, 30, 3);
  const double before = heap_in(bodies, 3).at("angle_fit_deg");
  for (int k = 0; k < 8; ++k) bodies.emplace_back().position = {40 * std::cos(k), 40 * std::sin(k), 0.5};
  const auto heap = heap_in(bodies, 3, R"(, "centre": [0, 0, 0])");
  CHECK(heap.at("angle_fit_deg") == Approx(before).margin(0.5));
  const auto none = heap_in({}, 3);
  CHECK(none.at("count") == 0);
  CHECK(std::isnan(none.at("angle_fit_deg")));
  CHECK(std::isnan(none.at("angle_moments_deg")));
  CHECK_THROWS_WITH(heap_in({}, 3, R"(, "up": [0, 0, 0])"), "has no direction. Give a vector that is not zero.");
  CHECK_THROWS_WITH(heap_in({}, 3, R"(, "ridge": [0, 0, 2])"),
                    "is not across \"up\". Give the horizontal direction that the ridge is long in.");
  CHECK_THROWS_WITH(heap_in({}, 2, R"(, "ridge": [0, 0, 1])"), "is for 3D: in 2D each heap is one. Remove it.");
  CHECK_THROWS_WITH(heap_in({}, 3, R"(, "from": 0.9)"), "is 0.8, not above \"from\", 0.9. Exchange the two.");
}

TEST_CASE("averages of bodies, heaps and mixing are those of their rows, without those that are none") {
  const TemporaryFolder folder;
  Three three;
  BodyMeter meter(Options::parse(R"({"name": "b", "ids": [0], "together": true, "average": {"start": 0}})"));
  meter.begin(three.world);
  meter.open(folder.path().string());
  meter.observe(three.world, nullptr, {0, 0, 0});
  three.world.column<Vec3>("force").write()[0] = {0, 1, 0};
  meter.observe(three.world, nullptr, {1, 1, 1});
  const Table table = read(folder / "b.csv");
  CHECK(table[1].at("averaged_rows") == 2);
  CHECK(table[1].at("mean_force_y_N") == 3);
  HeapMeter heap(
      Options::parse(R"({"name": "h", "floor": 0, "sectors": 16, "from": 0.2, "to": 0.8, "average": {"start": 0}})"));
  heap.begin(three.world);
  heap.open(folder.path().string());
  heap.observe(three.world, nullptr, {0, 0, 0});
  CHECK(read(folder / "h.csv")[0].at("mean_angle_fit_deg") == 0);  // none yet
  MixingMeter mixing(Options::parse(
      R"({"name": "m", "bodies": ["balls", "wall"], "cell_size": 1, "origin": [0, 0, 0], "average": {"start": 0}})"));
  mixing.begin(three.world);
  mixing.open(folder.path().string());
  mixing.observe(three.world, nullptr, {0, 0, 0});
  CHECK(read(folder / "m.csv")[0].at("mean_count") == 2);
}

}  // namespace scree::meters
