/// \file A periodic cell whose sides move: images go with them, in place and velocity.

#include <cmath>
#include <memory>
#include <random>
#include <set>

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/base/error.hpp"
#include "scree/contacts/contact_pipeline.hpp"

using namespace scree;
using namespace scree::test;

namespace {

std::unique_ptr<Run> discs_in(const PeriodicCell& cell, const std::vector<Vec3>& places) {
  auto run = std::make_unique<Run>(std::vector<double>{0.5});
  run->world.cell = cell;
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->methods.environment.gravity.setZero();
  std::vector<BodySpec> bodies(places.size());
  for (std::size_t i = 0; i < places.size(); ++i) bodies[i].position = places[i];
  run->world.add(bodies);
  run->mechanics->refresh();
  return run;
}

/// Pairs that touch, all images within three cells seen to.
std::size_t touching(const World& w) {
  std::size_t count = 0;
  const auto x = w.position.read();
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = i + 1; j < w.size(); ++j)
      for (int u = -3; u <= 3; ++u)
        for (int v = -3; v <= 3; ++v) count += (x[j] + w.cell.shift({u, v, 0}) - x[i]).norm() < 1;
  return count;
}

}  // namespace

TEST_CASE("an image lies where the cell of now puts it, and moves with it") {
  const auto run = discs_in({{0, 0, 0}, {4, 0, 0}}, {{0.4, 0, 0}, {3.5, 0, 0}});
  const auto force = [&] { return run->mechanics->forces(1e-3)[*run->world.row(1)].force; };
  CHECK((force() - Vec3(-100, 0, 0)).norm() < 1e-10);  // overlap 0.1
  run->world.cell.rate(0, 0) = -0.2;
  run->world.cell.rate(1, 0) = 0.7;
  // The image of body 1 to the left moves with (0.2, -0.7) m/s relative to body 0; the law takes 0.3 N s/m of it.
  CHECK((force() - Vec3(-100.06, 0.21, 0)).norm() < 1e-10);
  const auto rebuilds = run->mechanics->pipeline().rebuilds;
  run->world.cell.edges(0, 0) = 3.95;
  CHECK((force() - Vec3(-150.06, 0.21, 0)).norm() < 1e-10);
  CHECK(run->mechanics->pipeline().rebuilds == rebuilds);
  run->world.cell.edges(0, 0) = 3.8;
  CHECK((force() - Vec3(-300.06, 0.21, 0)).norm() < 1e-10);
  CHECK(run->mechanics->pipeline().rebuilds == rebuilds + 1);
}

TEST_CASE("two bodies that fly at each other through a side that comes nearer too are listed before they touch") {
  // Lists hold pairs up to a gap of 0.2. Neither what both bodies go exceeds that, nor what one goes and twice the way
  // of the side, but all of it together.
  const auto run = discs_in({{0, 0, 0}, {4, 0, 0}}, {{0.6, 0, 0}, {3.395, 0, 0}});
  const auto force = [&] { return run->mechanics->forces(1e-3)[*run->world.row(1)].force; };
  CHECK(force() == Vec3::Zero());
  const auto rebuilds = run->mechanics->pipeline().rebuilds;
  const auto x = [&](Id id) { return *run->world.row(id); };
  run->world.position.write()[x(0)] -= Vec3(0.095, 0, 0);
  run->world.position.write()[x(1)] += Vec3(0.095, 0, 0);
  run->world.cell.edges(0, 0) -= 0.05;
  // The gap was 0.205: the overlap is 0.035 [m], the stiffness 1000 N/m.
  CHECK((force() - Vec3(-35, 0, 0)).norm() < 1e-9);
  CHECK(run->mechanics->pipeline().rebuilds == rebuilds + 1);
}

TEST_CASE("who comes back into a cell that grows loses the speed between its sides") {
  const auto run = discs_in({{0, 0, 0}, {4, 0, 0}}, {{2, 0, 0}});
  run->world.cell.rate.col(0) = Vec3(0.5, 0.25, 0);
  run->world.position.write()[0] = {4.5, 0, 0};
  run->world.velocity.write()[0] = {3, 1, 0};
  run->world.wrap();
  CHECK(run->world.position.read()[0] == Vec3(0.5, 0, 0));
  CHECK(run->world.velocity.read()[0] == Vec3(2.5, 0.75, 0));
}

TEST_CASE("no contact is missed in a cell that is pressed together") {
  std::vector<Vec3> places;
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> jitter(-0.1, 0.1);
  for (int i = 0; i < 64; ++i) places.push_back({1.3 * (i % 8) + jitter(engine), 1.3 * (i / 8) + jitter(engine), 0});
  const auto run = discs_in({{0, 0, 0}, {10.4, 10.4, 0}}, places);
  PeriodicCell& cell = run->world.cell;
  cell.rate.diagonal() = Vec3(-1, -0.5, 0);
  std::size_t seen = 0;
  for (int step = 0; step < 1000; ++step) {
    cell.edges += 2e-3 * cell.rate;
    run->mechanics->forces(2e-3);
    const std::size_t contacts = run->mechanics->pipeline().counts().contacts;
    REQUIRE(contacts == touching(run->world));
    seen += contacts;
    run->steps(1, 2e-3);
  }
  CHECK(seen > 5000);
  CHECK(run->mechanics->pipeline().rebuilds < 100);
}

TEST_CASE("no contact is missed in a cell that is sheared, as its edge leans and is replaced") {
  std::vector<Vec3> places;
  std::mt19937 engine(4);
  std::uniform_real_distribution<double> jitter(-0.1, 0.1);
  for (int i = 0; i < 64; ++i) places.push_back({1.1 * (i % 8) + jitter(engine), 1.1 * (i / 8) + jitter(engine), 0});
  const auto run = discs_in({{0, 0, 0}, {8.8, 8.8, 0}}, places);
  PeriodicCell& cell = run->world.cell;
  cell.rate(0, 1) = 10;
  for (Vec3& v : run->world.velocity.write()) v = {jitter(engine), jitter(engine), 0};
  std::size_t seen = 0, shorter = 0;
  for (int step = 0; step < 2000; ++step) {
    const double before = cell.edges(0, 1);
    run->world.move_prescribed(run->world.time + 2e-3);
    run->mechanics->forces(2e-3);
    const std::size_t contacts = run->mechanics->pipeline().counts().contacts;
    REQUIRE(contacts == touching(run->world));
    seen += contacts;
    run->steps(1, 2e-3);
    shorter += cell.edges(0, 1) < before;
  }
  CHECK(seen > 5000);
  CHECK(shorter == 5);  // 40 m of shear, edges of 8.8 m, of which it leans by half at most
  CHECK(std::abs(cell.edges(0, 1)) < 0.6 * 8.8);
}

TEST_CASE("a body that crosses sides of a sheared and pressed cell flies straight") {
  const auto run = discs_in({{0, 0, 0}, {4, 3, 0}}, {{2, 2, 0}});
  World& world = run->world;
  world.cell.rate.col(0) = Vec3(-0.05, 0, 0);
  world.cell.rate.col(1) = Vec3(1.3, 0.1, 0);
  const Vec3 v0(-3, 5, 0);
  world.velocity.write()[0] = v0;
  const auto unwrapped = [&] {
    return Vec3(world.position[0] + world.cell.edges * world.column<Vec3>("cell_crossings")[0]);
  };
  const Vec3 x0 = unwrapped();
  for (int step = 0; step < 2000; ++step) {
    world.move_prescribed(world.time + 1e-2);
    run->steps(1, 1e-2);
    run->mechanics->pipeline().rebuild(true, 0.2, 0);
  }
  CHECK(world.column<Vec3>("cell_crossings")[0].cwiseAbs().minCoeff() == 0);
  CHECK(world.column<Vec3>("cell_crossings")[0].y() > 15);
  CHECK((unwrapped() - x0 - 20 * v0).norm() < 1e-10);
  CHECK((world.velocity[0] + world.cell.rate * world.column<Vec3>("cell_crossings")[0] - v0).norm() < 1e-12);
}

TEST_CASE("springs survive that an edge is replaced by another one of the lattice") {
  // The image of body 1 below the cell passes over body 0 while the edge leans by half of its length.
  const auto run = discs_in({{0, 0, 0}, {4, 4, 0}}, {{2, 0.4, 0}, {3.95, 3.5, 0}});
  World& world = run->world;
  world.cell.edges(0, 1) = 1.95;
  world.cell.rate(0, 1) = 0.4;
  run->mechanics->refresh();
  std::set<std::int32_t> images;
  for (int step = 1; step <= 500; ++step) {
    world.move_prescribed(world.time + 1e-3);
    run->mechanics->forces(1e-3);
    run->mechanics->commit();
    world.time += 1e-3;
    ++world.step;
    const auto records = run->mechanics->extract();
    REQUIRE(records.size() == 1);
    images.insert(records[0].image);
    REQUIRE(records[0].values[0] == Approx(step * 1e-3));
  }
  CHECK(images.size() == 2);
}

TEST_CASE("edges that have turned, or are so short that a body touches itself, are refused") {
  using Catch::Matchers::ContainsSubstring;
  const auto run = discs_in({{0, 0, 0}, {4, 4, 0}}, {{2, 2, 0}});
  run->mechanics->forces(1e-3);
  run->world.cell.edges(1, 0) = 0.01;
  CHECK_THROWS_WITH(run->mechanics->forces(1e-3), ContainsSubstring("the edges of the periodic cell have turned"));
  run->world.cell.edges(1, 0) = 0;
  run->world.cell.edges(1, 1) = 1.1;
  CHECK_THROWS_WITH(run->mechanics->forces(1e-3),
                    ContainsSubstring("has become 1.1 m long in y") && ContainsSubstring("longer than 1.2 m"));
}
