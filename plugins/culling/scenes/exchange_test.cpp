/// \file Granules go into the ledger and come back: nothing is lost, and nothing shows.

#include <numbers>

#include "column.hpp"
#include "one_thread.hpp"
#include "scree/base/error.hpp"
#include "skip.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::culling::test;
using scree::test::Running;

namespace {

/// Gives all bodies the motion of one rigid body about the origin.
void spin(World& world, const Vec3& omega) {
  for (std::size_t i = 0; i < world.size(); ++i) {
    world.velocity.write()[i] = omega.cross(world.position.read()[i]);
    world.angular_velocity.write()[i] = omega;
  }
}

/// Share of a ball's volume less than t below its surface. The share of a shell of an ellipsoid is 1 - prod(1 - t/a_i)
double shell(double radius, double t) { return 1 - std::pow(1 - t / radius, 3); }

/// Returns the largest change of distances between places [m]; distances from the first few suffice.
double change_of_distances(const std::vector<Vec3>& before, const std::vector<Vec3>& after) {
  double worst = 0;
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < before.size(); ++k)
      worst = std::max(worst, std::abs((after[k] - after[i]).norm() - (before[k] - before[i]).norm()));
  return worst;
}

constexpr double kTurn = 0.5;  // [s]
const Vec3 kSpin(0, 0, 2 * std::numbers::pi / kTurn);

/// Nothing comes out on its own.
const std::string kClosed = R"(, "expose_every": 1000000, "impact_height": 1e6)";

}  // namespace

TEST_CASE("S1: a spinning ball is culled, turns once, and is restored where a rigid body would be") {
  GranularScene scene{lump(8), "", kClosed + fmt::format(R"(, "restore_every": {}, "cull_every": 1000)", 50)};
  scene.gravity = "[0, 0, 0]";
  Running run(scene.text());
  World& world = run.world();
  spin(world, kSpin);
  const std::size_t granules = world.size();
  const auto before = poses(world);
  run.steps(1);
  std::vector<Vec3> from, to;
  std::vector<Id> stored;
  for (const auto& [id, pose] : before)
    if (!world.row(id)) stored.push_back(id), from.push_back(pose.position);
  REQUIRE(static_cast<double>(stored.size()) == figure(run, "stored"));
  // Centres lie up to 8 d from the middle, the surface half a d above; the shell is 2 d and a layer of interface.
  const double active = figure(run, "active") / static_cast<double>(granules);
  CHECK(active == Approx(shell(8.5, 3)).epsilon(0.1));
  check_invariants(run, granules);

  run_for(run, kTurn);
  REQUIRE(figure(run, "stored") == 0);
  check_invariants(run, granules);
  // Restored before the last step, in which they flew straight on.
  for (const Id id : stored) {
    const std::size_t i = *world.row(id);
    to.push_back(world.position.read()[i] - run.scene.dt * world.velocity.read()[i]);
  }
  scree::test::verify("change of distances between stored granules [diameters]", 0,
                      change_of_distances(from, to) / kDiameter, 1e-10);
  // They turned about once: what flies off from around them takes some of their spin along.
  CHECK((to[0] - from[0]).norm() < 0.3 * from[0].norm());
}

TEST_CASE("S2: a spinning block is solid by the rigid motion of neighbours, and never by their mean velocity") {
  for (const bool mean : {false, true}) {
    GranularScene scene{lump(7), "", mean ? R"(, "compare_with": "mean-velocity")" : ""};
    scene.gravity = "[0, 0, 0]";
    Running run(scene.text());
    spin(run.world(), {0, 0, 5});  // over a diameter, 8 times the tolerance
    run.steps(1);
    CHECK((figure(run, "stored") > 0) != mean);
  }
}

TEST_CASE("dense and sparse fields store the same granules and bring the same back") {
  std::vector<double> events;
  std::vector<std::map<Id, Pose>> places;
  for (const char* const field : {"dense", "openvdb"}) {
    GranularScene scene{lump(6), "",
                        fmt::format(R"(, "expose_every": 1, "depth_in": 1.8, "depth_out": 0.7, "field": "{}")", field)};
    scene.gravity = "[0, 0, 0]";
    try {
      Running run(scene.text());
      run.steps(1);
      REQUIRE(figure(run, "stored") > 0);
      World& world = run.world();
      for (std::size_t i = 0; i < world.size(); ++i)  // half of them fly off, which bares others
        if (world.owner.read()[i] == world.id.read()[i] && world.position.read()[i].z() > 0)
          world.velocity.write()[i] = {0, 0, 5};
      run_for(run, 0.05);
      CHECK(figure(run, "granules_restored") > 0);
      events.push_back(figure(run, "event_hash"));
      places.push_back(poses(world));
    } catch (const Error& error) {
      REQUIRE(std::string(error.what()).find("built without OpenVDB") != std::string::npos);
      return scree::test::skip_not_built("OpenVDB");
    }
  }
  CHECK(events[0] == events[1]);
  REQUIRE(places[0].size() == places[1].size());
  for (const auto& [id, pose] : places[0]) CHECK(pose.position == places[1].at(id).position);
}

TEST_CASE("walls count as matter where they should: fixed ones by default, moved ones too, or none") {
  const scree::test::OneThread one;
  const auto stored = [](const std::string& floor, const std::string& walls) {
    GranularScene scene{R"({"type": "lattice", "lower": [0, 0, 0.0051], "counts": [11, 11, 11], "spacing": 0.01})",
                        floor.empty() ? "" : R"(, {"name": "floor", "shape": "floor", "material": "w", )" + floor + "}",
                        kClosed + walls};
    scene.gravity = "[0, 0, 0]";
    Running run(scene.text());
    run.steps(1);
    return figure(run, "stored");
  };
  const std::string fixed = R"("fixed": true)", moved = R"("motion": {})";
  const std::string none = R"(, "walls_as_solid": "none")", all = R"(, "walls_as_solid": "all")";
  const double alone = stored("", ""), on_floor = stored(fixed, "");
  CHECK(alone >= 5 * 5 * 5);
  CHECK(on_floor > alone + 20);  // a layer or more below
  CHECK(stored(fixed, none) == alone);
  CHECK(stored(moved, "") == alone);
  CHECK(stored(moved, all) == on_floor);
}

TEST_CASE("a run that is saved and resumed in mid-window ends its windows when they end") {
  const scree::test::OneThread one;
  GranularScene scene{R"({"type": "lattice", "lower": [0, 0, 0], "counts": [11, 11, 11], "spacing": 0.01})", "",
                      kClosed + R"(, "cull_every": 1000)"};
  scene.gravity = "[0, 0, 0]";
  Running run(scene.text());
  run.steps(1);
  REQUIRE(figure(run, "stored") > 0);
  run_for(run, 0.003);  // windows last 0.01 s
  Modifier& culling = *run.prepared.modifiers.at(0).modifier;
  culling.load(culling.save());
  run_for(run, 0.0075);
  World& world = run.world();
  const auto windows = world.find_column("culling_windows")->as<std::uint32_t>();
  REQUIRE(!world.members().empty());
  for (const World::Member& m : world.members()) CHECK(windows[m.row] == 1);  // that which ended at 0.01 s
}

TEST_CASE("what is culled and restored has the springs it had, and rests on as if nothing had been") {
  // Culled in window 100, restored in window 101.
  Running run = settled_column(R"(, "cull_every": 100, "restore_every": 101)");
  World& world = run.world();
  REQUIRE(figure(run, "stored") == 0);
  const auto before = mechanics_of(run.prepared).extract();
  const auto placed = poses(world);
  run.steps(1);
  REQUIRE(figure(run, "stored") >= 10);
  CHECK(mechanics_of(run.prepared).extract().size() < before.size());
  run_for(run, 0.01);
  REQUIRE(figure(run, "stored") == 0);
  const auto after = mechanics_of(run.prepared).extract();
  CHECK(after.size() == before.size());
  std::map<std::pair<Id, Id>, std::vector<double>> springs;
  for (const auto& r : after) springs[{r.a, r.b}] = r.values;
  double worst = 0, largest = 0;
  for (const auto& r : before) {
    REQUIRE(springs.contains({r.a, r.b}));
    for (std::size_t k = 0; k < r.values.size(); ++k) {
      largest = std::max(largest, std::abs(r.values[k]));
      worst = std::max(worst, std::abs(r.values[k] - springs[{r.a, r.b}][k]));
    }
  }
  double moved = 0;
  for (const auto& [id, pose] : poses(world))
    if (placed.contains(id)) moved = std::max(moved, (pose.position - placed.at(id).position).norm());
  INFO("springs changed by " << worst << " of " << largest << " m, granules moved by " << moved << " m");
  CHECK(worst < 1e-3 * largest);
  CHECK(moved < 1e-5 * kDiameter);
}

TEST_CASE("S7: a column at rest that is culled and restored in turns does not move and gains no energy") {
  Running run = settled_column(R"(, "cull_every": 1, "restore_every": 2)");
  const Vec3 before = centre_of_mass(run.world());
  double fastest = 0;
  const auto granules = static_cast<std::size_t>(figure(run, "active") + figure(run, "stored"));
  const double lift = run.world().mass.read()[0] * 9.81 * kDiameter;
  for (int cycle = 0; cycle < 50; ++cycle) {
    run_for(run, 0.02);
    fastest = std::max(fastest, totals(run.world(), Vec3::Zero()).kinetic() / lift);
  }
  INFO("kinetic energy, at most " << fastest << " m g d; centre moved by "
                                  << (centre_of_mass(run.world()) - before).norm() / kDiameter << " d");
  CHECK(figure(run, "culls") >= 50);
  scree::test::verify("way of the centre of mass [diameters]", 0,
                      (centre_of_mass(run.world()) - before).norm() / kDiameter, 1e-3);
  scree::test::verify("largest speed [m/s]", 0, fastest, 1e-6);
  check_invariants(run, granules);
}
