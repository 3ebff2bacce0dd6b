#include "scree/contacts/contact_pipeline.hpp"

#include <omp.h>

#include <map>

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
  bodies[1].velocity = {0, 0.7 * 3.5, 0};
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
  // The contact point is 0.475 right of the big disc and 0.225 left of the small one; the couple 3.5 + 10 * 3:
  // the line of centres turns with the speed across it over its length, and 3 is the difference of the spins.
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
    run.mechanics->pipeline().compute_energy(true);
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

namespace {

/// The largest difference between forces on discs and what all pairs of them, and the floor, sum up to [N].
double largest_error(const Run& run, const Wrenches& wrench) {
  const World& w = run.world;
  const auto x = w.position.read(), v = w.velocity.read(), spin = w.angular_velocity.read();
  const auto r = w.radius.read(), m = w.mass.read();
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (std::isinf(r[i])) continue;
    Vec3 expected = m[i] * run.methods.environment.gravity;
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
  return largest;
}

}  // namespace

TEST_CASE("forces through lists equal brute force over all pairs, in one chunk and in several") {
  for (const std::size_t count : {300, 6000}) {
    auto run = heap(count, 0, true);
    run->steps(count > 1000 ? 40 : 400, 2e-3);
    const auto wrench = run->mechanics->forces(1e-3);
    CHECK((run->mechanics->pipeline().counts().candidate_pairs > 3 * 1024) == (count > 1000));
    CHECK(run->mechanics->pipeline().counts().contacts > 50);
    CHECK(largest_error(*run, wrench) < 1e-10);  // forces are of order 1-100 N; the sums differ in rounding only
  }
}

TEST_CASE("two bodies that were just outside the skin are listed before they touch") {
  for (const double gap : {1.001, 1.01, 1.03, 1.05, 1.07, 1.09, 1.2}) {
    Run run({0.5});
    run.methods.environment.gravity.setZero();
    std::vector<BodySpec> bodies(2);
    bodies[1].position = {1 + gap * run.methods.skin, 0, 0};
    bodies[0].velocity = {1, 0, 0};
    bodies[1].velocity = {-1, 0, 0};
    run.world.add(bodies);
    run.mechanics->refresh();
    REQUIRE(run.mechanics->pipeline().counts().candidate_pairs == 0);
    double deepest = 0;
    for (int k = 0; k < 160; ++k) {
      run.steps(1, 1e-3);
      // A look: no step is begun with it.
      CHECK(largest_error(run, run.mechanics->forces(0)) < 1e-10);
      deepest = std::max(deepest, run.mechanics->pipeline().counts().max_overlap);
    }
    CHECK(deepest > 0.01);
  }
}

namespace {

/// Two discs of radius 0.5 with their surfaces `gap` apart, and what acts between gaps up to `margin`.
struct Apart {
  /// \param all  the integrator's margin
  Apart(double gap, double margin, double all, bool floor) : run({0.5}) {
    run.methods.channels[0].margin = margin;
    run.methods.margin = all;
    run.methods.environment.gravity.setZero();
    std::vector<BodySpec> bodies(2);
    bodies[1].position = {0, 1 + gap, 0};
    if (floor) {
      bodies[0].shape = 1;
      bodies[0].kind = BodyKind::fixed;
      bodies[1].position = {0, 0.5 + gap, 0};
    }
    run.world.add(bodies);
    run.mechanics->refresh();
    force = run.mechanics->forces(1e-3)[*run.world.row(1)].force.y();
    listed = run.mechanics->pipeline().counts().candidate_pairs;
  }
  Run run;
  double force;
  std::size_t listed;
};

}  // namespace

TEST_CASE("lists hold what a law with a range or an integrator's margin reaches beyond the skin") {
  const double margin = 0.3, skin = 0.2;
  for (const bool floor : {false, true})
    for (const double integrators : {0.0, margin}) {
      const auto at = [&](double gap) { return Apart(gap, margin, integrators, floor); };
      INFO("floor " << floor << " integrator's margin " << integrators);
      CHECK(at(0.25).force == Approx(-250));  // between skin and skin + margin: Spring pulls where it is asked
      CHECK(at(0.299).force == Approx(-299));
      CHECK(at(0.301).force == 0);
      CHECK(at(margin + skin - 1e-9).listed == 1);
      CHECK(at(margin + skin + 1e-9).listed == 0);
    }
}

TEST_CASE("a law with a range elsewhere changes nothing for those without") {
  const auto run_with = [](double range, bool periodic) {
    auto run = std::make_unique<Run>(std::vector<double>{0.5, 0.4});
    Methods& m = run->methods;
    m.channels.push_back(m.channels[0]);
    m.channels[1].place = m.channels[1].group = 1;
    m.channels[1].margin = range;
    m.set_channel(1, 0, 1, 0, 1);
    m.set_channel(0, 0, 1, 0, Methods::kNoChannel);
    if (periodic) {
      run->world.cell = {{-60, -60, 0}, {120, 120, 0}};
      run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
    }
    std::vector<BodySpec> bodies;
    for (int i = 0; i < 400; ++i) {
      BodySpec b;
      b.position = {1.02 * (i % 20), 1.02 * (i / 20) + 0.51, 0};
      b.velocity = {0.3 * (i % 3 - 1), 0.2 * (i % 5 - 2), 0};
      bodies.push_back(b);
    }
    for (int k = 0; k < 2; ++k) {
      BodySpec b;
      b.shape = 1;
      b.position = {-50 + 0.9 * k, 30, 0};  // 0.1 apart: within the skin, so that both lists have as many pairs
      bodies.push_back(b);
    }
    run->world.add(bodies);
    run->methods.environment.gravity.setZero();
    run->mechanics->refresh();
    return run;
  };
  for (const bool periodic : {false, true}) {
    // Beyond the range in both: the two stay where they are.
    auto near = run_with(0, periodic), far = run_with(0.09, periodic);
    for (const auto& run : {near.get(), far.get()}) run->steps(60, 1e-3);
    CHECK(near->mechanics->pipeline().counts().contacts > 50);
    CHECK(near->mechanics->pipeline().counts().contacts == far->mechanics->pipeline().counts().contacts);
    CHECK(near->mechanics->pipeline().counts().candidate_pairs == far->mechanics->pipeline().counts().candidate_pairs);
    CHECK(state_hash(near->world) == state_hash(far->world));
    // A range of a whole body lists no more pairs of bodies without one.
    auto wide = run_with(1, periodic);
    CHECK(wide->mechanics->forces(1e-3).force.size() == 402);
    auto narrow = run_with(0, periodic);
    narrow->mechanics->forces(1e-3);
    CHECK(wide->mechanics->pipeline().counts().candidate_pairs ==
          narrow->mechanics->pipeline().counts().candidate_pairs);
    CHECK(wide->mechanics->pipeline().counts().contacts == narrow->mechanics->pipeline().counts().contacts);
  }
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
  const auto crossings = w.find_column("cell_crossings")->as<Vec3>();
  for (Id id = 0; id < w.size(); ++id) {
    const std::size_t i = *w.row(id);
    out.push_back(w.velocity.read()[i]);
    out.push_back(w.position.read()[i] + w.cell.edges * crossings[i]);
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

TEST_CASE("two images of one body keep a history each") {
  Run run({0.5});
  run.world.cell = {{0, 0, 0}, {1.98, 0, 0}};
  run.mechanics = std::make_unique<HostMechanics>(run.world, run.methods);
  run.methods.environment.gravity.setZero();
  std::vector<BodySpec> bodies(2);
  bodies[0].position = {0.3, 0, 0};
  bodies[1].position = {1.27, 0, 0};  // 0.97 to the right, 1.01 to the left
  run.world.add(bodies);
  run.mechanics->refresh();
  const auto hold = [&](int steps) {
    for (int k = 0; k < steps; ++k) {
      run.mechanics->forces(1e-3);
      run.mechanics->commit();
    }
  };
  hold(5);
  REQUIRE(run.mechanics->pipeline().counts().contacts == 1);
  run.world.position.write()[*run.world.row(1)][0] = 1.285;  // 0.985 and 0.995
  hold(2);
  REQUIRE(run.mechanics->pipeline().counts().contacts == 2);
  const auto times = [&] {
    std::map<std::int32_t, double> by_image;
    for (const HistoryRecord& r : run.mechanics->extract()) by_image[r.image] = r.values[0];
    return by_image;
  };
  const std::map<std::int32_t, double> expected = {{packed({-1, 0, 0}), 2e-3}, {0, 7e-3}};
  CHECK(times().size() == 2);
  for (const auto& [image, time] : expected) CHECK(times()[image] == Approx(time));
  run.mechanics->pipeline().rebuild(true);
  for (const auto& [image, time] : expected) CHECK(times()[image] == Approx(time));
  hold(1);
  for (const auto& [image, time] : expected) CHECK(times()[image] == Approx(time + 1e-3));
}

namespace {

/// Stands for one that solves for impulses.
class LooksAhead final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.looks_ahead = true}; }
  void step(Mechanics&, double) override {}
};

}  // namespace

TEST_CASE("a skin for fast bodies grows with their speed, but not around a periodic cell") {
  const auto skin = [](double speed, double length, double margin) {
    Run run({0.5});
    run.methods.integrator = std::make_unique<LooksAhead>();
    run.methods.channels[0].margin = margin;
    run.world.cell = {{0, 0, 0}, {length, 0, 0}};
    run.mechanics = std::make_unique<HostMechanics>(run.world, run.methods);
    std::vector<BodySpec> bodies(1);
    bodies[0].velocity = {0, speed, 0};
    run.world.add(bodies);
    run.mechanics->refresh();
    return run.mechanics->pipeline().skin_for(1e-2);
  };
  CHECK(skin(1, 0, 0) == 0.2);
  CHECK(skin(100, 0, 0) == Approx(4));  // of two steps, for two bodies
  CHECK(skin(100, 10, 0) == Approx(4));
  CHECK(skin(100, 3, 0) == Approx(0.99 * 2));
  CHECK(skin(100, 3, 0.5) == Approx(0.99 * 1.5));
  CHECK(skin(100, 1.1, 0) == 0.2);
}

TEST_CASE("lists that are made again after a resume have the skin that fast bodies had when they were made") {
  Run run({0.5});
  run.methods.environment.gravity.setZero();
  run.methods.integrator = std::make_unique<LooksAhead>();
  run.mechanics = std::make_unique<HostMechanics>(run.world, run.methods);
  std::vector<BodySpec> bodies(10);
  for (std::size_t i = 0; i < bodies.size(); ++i) bodies[i].position = {1.3 * static_cast<double>(i), 0, 0};
  bodies[0].velocity = {0, 100, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  ContactPipeline& pipeline = run.mechanics->pipeline();
  pipeline.rebuild(false, pipeline.skin_for(1e-2));
  run.mechanics->forces(1e-3);
  // A skin of 4 m: each body is listed with those up to three places on.
  CHECK(pipeline.counts().candidate_pairs == 9 + 8 + 7);
  run.world.velocity.write()[*run.world.row(0)].setZero();
  pipeline.rebuild_at_reference();
  run.mechanics->forces(1e-3);
  CHECK(pipeline.counts().candidate_pairs == 9 + 8 + 7);
}

TEST_CASE("overlaps that pieces of a solid tolerate are no contacts") {
  Run run({0.5});
  run.methods.environment.gravity.setZero();
  std::vector<BodySpec> bodies(3);
  bodies[1].position = {0.9, 0, 0};
  bodies[2].position = {0, 0.95, 0};
  run.world.add(bodies);
  run.world.bonds().tolerate({{0, 1, 0.2}});
  run.mechanics->refresh();
  run.mechanics->forces(1e-3);
  CHECK(run.mechanics->pipeline().counts().contacts == 1);
  CHECK(run.mechanics->pipeline().counts().touching_pairs == 1);
  CHECK(run.mechanics->pipeline().counts().max_overlap == Approx(0.05));
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

TEST_CASE("what its own contacts give a member can be read, about its own centre, and costs nothing unasked") {
  Run run({0.5});
  run.methods.environment.gravity = {0, -10, 0};
  std::vector<BodySpec> bodies(4);
  bodies[1].position = {1.2, 0, 0};
  bodies[2].position = {1.2, 0.9, 0};  // strikes the second, turning: friction of the law's damping
  bodies[2].angular_velocity = {0, 0, 2};
  bodies[3].position = {30, 30, 0};
  run.world.add(bodies);
  run.world.attach(std::vector<Id>{1}, 0, {2, {0, 0, 1}, {}, {}});
  run.mechanics->refresh();
  run.mechanics->forces(1e-3);
  CHECK(!run.world.find_column("own_force"));
  const auto at = [&](const char* name, Id id) { return run.world.column<Vec3>(name).read()[*run.world.row(id)]; };
  const Vec3 on_owner = at("force", 0), torque_on_owner = at("torque", 0);
  run.world.keep_own_forces();
  run.mechanics->forces(1e-3);
  CHECK(at("force", 0) == on_owner);
  CHECK(at("torque", 0) == torque_on_owner);
  CHECK(at("force", 1) == Vec3::Zero());
  const Vec3 weight = 2 * Vec3(0, -10, 0), own = at("own_force", 1);
  CHECK(own.norm() > 50);
  CHECK(std::abs(own.x()) > 0.1);
  CHECK((own - (on_owner - weight)).norm() < 1e-12);
  CHECK((at("own_torque", 1) + Vec3(1.2, 0, 0).cross(own) - torque_on_owner).norm() < 1e-12);
  CHECK(std::abs(at("own_torque", 1).z()) > 0.01);
  CHECK((at("own_force", 2) + own).norm() < 1e-12);
  CHECK(at("own_force", 3) == Vec3::Zero());
  CHECK(at("own_force", 0) == own);
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
