#include "scree/sim/contact_pipeline.hpp"

#include <omp.h>

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/base/error.hpp"

using namespace scree;
using namespace scree::test;

TEST_CASE("1, 2, 3 threads and permuted bodies: identical bits") {
  const auto hash = [](int threads, unsigned shuffle) {
    omp_set_num_threads(threads);
    auto run = heap(1000, shuffle, true);
    run->steps(600, 2e-3);
    CHECK(run->mechanics->pipeline().rebuilds > 3);
    CHECK(run->mechanics->pipeline().counts().contacts > 100);
    return state_hash(run->world);
  };
  const auto one = hash(1, 0);
  CHECK(hash(2, 0) == one);
  CHECK(hash(3, 0) == one);
  CHECK(hash(2, 17) == one);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("a law gets the columns it asks for, and its couples act on both bodies") {
  Run run({0.5, 0.25}, std::make_unique<Curious>());
  const double big = 0.25 * std::numbers::pi, small = big / 4;  // masses of the discs, density 1
  std::vector<BodySpec> bodies(3);
  bodies[0].shape = 0;
  bodies[0].angular_velocity = {0, 0, 2};
  bodies[1].shape = 1;
  bodies[1].position = {0.7, 0, 0};
  bodies[1].angular_velocity = {0, 0, 5};
  bodies[2].shape = 2;
  bodies[2].position = {0, -0.45, 0};
  bodies[2].kind = BodyKind::fixed;
  run.methods.environment = {};
  run.world.add(bodies);
  run.mechanics->refresh();
  const auto wrench = run.mechanics->forces(1e-3);
  REQUIRE(run.mechanics->pipeline().counts().contacts == 2);
  const auto row = [&](Id id) { return *run.world.row(id); };
  const Wrench on_small = wrench[row(1)], on_floor = wrench[row(2)];
  const double mass = 1 / (1 / big + 1 / small), radius = 1 / (1 / 0.5 + 1 / 0.25);
  CHECK(on_small.force.isApprox(Vec3(mass, radius, 0), 1e-14));
  // The floor is fixed and flat: mass and radius are those of the disc.
  CHECK(on_floor.force.isApprox(Vec3(big, 0.5, 0), 1e-14));
  CHECK(wrench[row(0)].force.isApprox(-(on_small.force + on_floor.force), 1e-14));
  // The contact point is 0.475 right of the big disc and 0.225 left of the small one; the couple 3.5 + 10 * 3.
  CHECK(on_small.torque.z() == Approx(-0.225 * radius + 33.5).epsilon(1e-12));
}

TEST_CASE("weights scale what the law answers, and negative ones take back elastic force alone") {
  const auto forces_and_energy = [](bool weighted, const Vec3& velocity) {
    Run run({1.0});
    if (weighted) {
      run.methods.detectors.push_back(
          std::make_unique<WeightedDiscs>(std::vector<double>{1.0, std::numeric_limits<double>::infinity()}));
      run.methods.channels[0].detector = run.methods.detectors.back().get();
      run.methods.channels[0].weighted = true;
    }
    run.methods.environment.gravity.setZero();
    std::vector<BodySpec> bodies(2);
    bodies[1].id = 1;
    bodies[1].position = {1.9, 0, 0};
    bodies[1].velocity = velocity;
    run.world.add(bodies);
    run.mechanics->refresh();
    run.mechanics->pipeline().compute_energy = true;
    const Vec3 force = run.mechanics->forces(1e-3)[1].force;
    return std::pair(force, run.mechanics->pipeline().counts().elastic_energy);
  };
  const auto [elastic, stored] = forces_and_energy(false, Vec3::Zero());
  const auto [whole, same] = forces_and_energy(false, {0.1, 0.2, 0});
  const auto [weighted, sum] = forces_and_energy(true, {0.1, 0.2, 0});
  CHECK(elastic.x() == Approx(100));
  CHECK((weighted - (2.5 * whole - 0.5 * elastic)).norm() < 1e-12);
  CHECK(same == stored);
  CHECK(sum == Approx(2.75 * stored).epsilon(1e-14));
}

TEST_CASE("forces through lists equal brute force over all pairs") {
  auto run = heap(300, 0, true);
  run->steps(400, 2e-3);
  const auto wrench = run->mechanics->forces(1e-3);
  const World& w = run->world;
  const auto x = w.position.read(), v = w.velocity.read(), spin = w.angular_velocity.read();
  const auto r = w.radius.read(), m = w.mass.read();
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (std::isinf(r[i])) continue;
    Vec3 expected = m[i] * Vec3(0, -1, 0);
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j == i) continue;
      const bool floor = std::isinf(r[j]);
      const Vec3 branch = floor ? Vec3(0, x[i].y(), 0) : Vec3(x[i] - x[j]);
      const double overlap = (floor ? r[i] : r[i] + r[j]) - branch.norm();
      if (overlap <= 0) continue;
      const Vec3 n = branch.normalized();
      const Vec3 p = x[i] - n * (r[i] - overlap / 2);
      const Vec3 relative = (v[i] + spin[i].cross(p - x[i])) - (v[j] + spin[j].cross(p - x[j]));
      expected += 1e3 * overlap * n - 0.3 * relative;
    }
    largest = std::max(largest, (wrench[i].force - expected).norm());
  }
  CHECK(largest < 1e-10);  // forces are of order 1-100 N; the sums differ in rounding only
}

namespace {

/// A gas of discs in a cell that repeats in x and y; their springs dissipate and spin them.
std::unique_ptr<Run> periodic_gas(std::size_t count, const Vec3& drift) {
  auto run = std::make_unique<Run>(std::vector<double>{0.5, 0.25, 0.4});
  run->world.cell = {{-3, 1, 0}, {9.35, 6.8, 0}};
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->methods.environment.gravity = Vec3::Zero();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> speed(-3, 3);
  std::vector<BodySpec> bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    bodies[i].id = i;
    bodies[i].shape = i % 3;
    bodies[i].position = {-3 + 0.85 * double(i % 11), 1 + 0.85 * double(i / 11), 0};
    bodies[i].velocity = Vec3(speed(engine), speed(engine), 0) + drift;
  }
  run->world.add(bodies);
  run->mechanics->refresh();
  return run;
}

/// By id: velocities, and places had nobody been wrapped.
std::vector<Vec3> trajectory(const World& w) {
  std::vector<Vec3> out;
  const auto crossings = Column<Vec3>(const_cast<ColumnStorage*>(w.find_column("cell_crossings")));
  for (Id id = 0; id < w.size(); ++id) {
    const std::size_t i = *w.row(id);
    out.push_back(w.velocity.read()[i]);
    out.push_back(w.position.read()[i] + w.cell.length.cwiseProduct(crossings.read()[i]));
  }
  return out;
}

}  // namespace

TEST_CASE("in a periodic cell forces equal brute force over all images, and momentum is conserved to rounding") {
  auto run = periodic_gas(88, {0, 0, 0});
  const Totals before = totals(run->world, Vec3::Zero());
  run->steps(1500, 2e-3);
  const World& w = run->world;
  CHECK((totals(w, Vec3::Zero()).momentum - before.momentum).norm() < 1e-12 * before.mass);
  CHECK(run->mechanics->pipeline().rebuilds > 10);
  const auto wrench = run->mechanics->forces(1e-3);
  REQUIRE(run->mechanics->pipeline().counts().contacts > 20);
  const auto x = w.position.read(), v = w.velocity.read(), spin = w.angular_velocity.read();
  const auto r = w.radius.read();
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    Wrench expected;
    for (std::size_t j = 0; j < w.size(); ++j)
      for (int across = -1; across <= 1; ++across)
        for (int up = -1; up <= 1; ++up) {
          const Vec3 there = x[j] + w.cell.shift({across, up, 0}), branch = x[i] - there;
          const double overlap = r[i] + r[j] - branch.norm();
          if (j == i || overlap <= 0) continue;
          const Vec3 n = branch.normalized(), p = x[i] - n * (r[i] - overlap / 2);
          const Vec3 relative = (v[i] + spin[i].cross(p - x[i])) - (v[j] + spin[j].cross(p - there));
          const Vec3 force = 1e3 * overlap * n - 0.3 * relative;
          expected.force += force;
          expected.torque += (p - x[i]).cross(force);
        }
    largest =
        std::max({largest, (wrench[i].force - expected.force).norm(), (wrench[i].torque - expected.torque).norm()});
  }
  CHECK(largest < 1e-10);
}

TEST_CASE("a periodic gas does not care how fast all of it drifts") {
  const Vec3 drift(100, -40, 0);
  auto resting = periodic_gas(88, {0, 0, 0}), drifting = periodic_gas(88, drift);
  resting->steps(300, 1e-3);
  drifting->steps(300, 1e-3);
  REQUIRE(resting->mechanics->pipeline().counts().contacts > 10);
  const auto a = trajectory(resting->world), b = trajectory(drifting->world);
  for (std::size_t i = 0; i < a.size(); i += 2) {
    CHECK((b[i] - drift - a[i]).norm() < 1e-9);
    CHECK((b[i + 1] - drift * 0.3 - a[i + 1]).norm() < 1e-9);
  }
}

TEST_CASE("a gas in a periodic cell: same bits for 1, 2, 3 threads") {
  const auto hash = [](int threads) {
    omp_set_num_threads(threads);
    auto run = periodic_gas(88, {20, 3, 0});
    run->steps(400, 2e-3);
    return state_hash(run->world);
  };
  const auto one = hash(1);
  CHECK(hash(2) == one);
  CHECK(hash(3) == one);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("without walls momentum is conserved to rounding") {
  auto run = heap(400, 0, false);
  run->methods.environment.gravity = {0, 0, 0};
  const Totals before = totals(run->world, Vec3::Zero());
  run->steps(500, 2e-3);
  const Totals after = totals(run->world, Vec3::Zero());
  CHECK((after.momentum - before.momentum).norm() < 1e-12 * before.mass);
}

TEST_CASE("members hand their forces to the owner and never touch each other") {
  // A dumbbell of two overlapping discs rides on a third; a striker hits one end.
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(1);
  const Id owner = run.world.add(bodies)[0];
  std::vector<BodySpec> riders(2);
  riders[0].position = {0.8, 0, 0};
  riders[1].position = {-0.8, 0, 0};
  for (auto& b : riders) b.owner = owner;
  run.world.add(riders);
  std::vector<BodySpec> striker(1);
  striker[0].position = {0.8, 0.9, 0};
  run.world.add(striker);
  run.mechanics->refresh();
  const auto wrench = run.mechanics->forces(1e-3);
  const std::size_t o = *run.world.row(owner);
  const double f = 1e3 * 0.1;  // overlap 0.1
  CHECK(wrench[o].force.y() == Approx(-f));
  CHECK(wrench[o].torque.z() == Approx(-0.8 * f));
  CHECK(wrench[*run.world.row(1)].force.norm() == 0);
  CHECK(run.mechanics->pipeline().counts().contacts == 1);
}

TEST_CASE("a body that leaves the world or becomes NaN is named") {
  Run run({0.5});
  run.methods.domain.upper = {10, 10, 10};
  std::vector<BodySpec> bodies(2);
  bodies[1].position = {5, 5, 0};
  bodies[1].velocity = {1e4, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  try {
    run.steps(10, 1e-3);
    FAIL("no error");
  } catch (const NumericalError& e) {
    CHECK(std::string(e.what()).find("body 1: left the world in step 1 (time 0.001 s)") == 0);
  }
  run.world.velocity.write()[0] = Vec3::Constant(std::nan(""));
  run.world.velocity.write()[1].setZero();
  run.world.position.write()[1].setZero();
  CHECK_THROWS_WITH(run.steps(1, 1e-3), Catch::Matchers::ContainsSubstring("became NaN or infinite"));
}
