#include "scree/contacts/lists/list_reach.hpp"

#include <omp.h>

#include <cmath>
#include <mutex>
#include <random>

#include "catch.hpp"
#include "disc_world.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// A heap of discs, some of which fly through it.
std::unique_ptr<Run> heap_with_flyers(std::size_t count, std::size_t flyers, double speed, bool periodic = false) {
  auto run = heap(count, 0, !periodic);
  if (periodic) {
    run->world.cell = {{-1, -1, 0}, {25 * 1.48, 1 + 1.48 * static_cast<double>(count / 25), 0}};
    run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
    run->methods.environment.gravity = Vec3::Zero();
  }
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> turn(0, 6.28);
  for (std::size_t k = 0; k < flyers; ++k) {
    const double angle = turn(engine);
    run->world.velocity.write()[*run->world.row(k * (count / flyers))] =
        speed * Vec3(std::cos(angle), std::sin(angle), 0);
  }
  run->mechanics->refresh();
  return run;
}

/// Pairs that overlap, by looking at all of them and at their images.
std::size_t overlapping(const World& w) {
  const auto x = w.position.read();
  const auto r = w.radius.read();
  const int most = w.cell.any() ? 2 : 0;
  std::size_t pairs = 0;
  for (std::size_t i = 0; i < w.size(); ++i)
    for (std::size_t j = 0; j < i; ++j) {
      if (std::isinf(r[i]) || std::isinf(r[j])) {
        pairs += std::min(r[i], r[j]) > x[std::isinf(r[i]) ? j : i].y();
        continue;
      }
      for (int across = -most; across <= most; ++across)
        for (int up = -most; up <= most; ++up)
          pairs += (x[j] + w.cell.shift({across, up, 0}) - x[i]).norm() < r[i] + r[j];
    }
  return pairs;
}

/// Notes by how much bodies are said to come nearer.
class Noting final : public ContactDetector {
 public:
  DetectorTraits traits() const override { return {}; }
  void bind(std::span<const Shape* const>) override {}
  void prepare(const BodyView&, std::span<const Pair>, double skin, double, PairCache&) const override {
    const std::lock_guard lock(mutex_);
    largest = std::max(largest, skin);
  }
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override {
    discs_.detect(bodies, pairs, cache, margin, out);
  }
  mutable double largest = 0;  ///< [m]

 private:
  Discs discs_{{0.5, 0.25, 1.0, std::numeric_limits<double>::infinity()}};
  mutable std::mutex mutex_;
};

}  // namespace

TEST_CASE("detectors are told that two fast bodies may come nearer by what both may go") {
  auto run = heap(500, 0, false);
  auto detector = std::make_unique<Noting>();
  const Noting& noting = *detector;
  run->methods.channels[0].detector = detector.get();
  run->methods.detectors[0] = std::move(detector);
  const auto row = [&](Id id) { return static_cast<std::uint32_t>(*run->world.row(id)); };
  run->world.velocity.write()[row(100)] = {0, 60, 0};  // side by side
  run->world.velocity.write()[row(101)] = {0, -60, 0};
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->mechanics->refresh();
  const std::uint64_t rebuilds = run->mechanics->pipeline().rebuilds;
  while (run->mechanics->pipeline().rebuilds < rebuilds + 2) {
    noting.largest = 0;
    run->steps(1, 5e-4);
  }
  ListReach reach;
  reach.restore(run->world, run->methods.skin);
  CHECK(reach.beyond(row(100)) > 0);
  CHECK(reach.beyond(row(101)) > 0);
  CHECK(noting.largest == Approx(run->methods.skin + reach.beyond(row(100)) + reach.beyond(row(101))));
}

TEST_CASE("lists of a resumed run hold all that its fast bodies may meet") {
  auto run = heap_with_flyers(500, 2, 60);
  run->steps(7, 5e-4);
  run->mechanics->forces(5e-4);
  const std::size_t pairs = run->mechanics->pipeline().counts().candidate_pairs;
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->mechanics->pipeline().rebuild_at_reference();
  run->mechanics->forces(5e-4);
  CHECK(run->mechanics->pipeline().counts().candidate_pairs == pairs);
  // As brute force finds them where bodies were listed.
  ListReach reach;
  reach.restore(run->world, run->methods.skin);
  const auto x = run->world.find_column("reference_position")->as<Vec3>();
  const auto r = run->world.radius.read();
  std::size_t expected = 0;
  for (std::uint32_t i = 0; i < run->world.size(); ++i)
    for (std::uint32_t j = 0; j < i; ++j) {
      const double most = run->methods.skin + reach.beyond(i) + reach.beyond(j);
      const bool floor = std::isinf(r[i]) || std::isinf(r[j]);
      const double gap =
          floor ? x[std::isinf(r[i]) ? j : i].y() - std::min(r[i], r[j]) : (x[i] - x[j]).norm() - r[i] - r[j];
      expected += gap <= most;
    }
  CHECK(pairs == expected);
}

TEST_CASE("bodies that fly through others meet all they touch, and seldom end lists") {
  for (const bool periodic : {false, true}) {
    auto run = heap_with_flyers(500, 2, 60, periodic);
    const std::uint64_t rebuilds = run->mechanics->pipeline().rebuilds;
    const int steps = 200;
    std::size_t contacts = 0;
    for (int k = 0; k < steps; ++k) {
      run->mechanics->forces(5e-4);
      const std::size_t found = run->mechanics->pipeline().counts().contacts;
      if (found != overlapping(run->world)) FAIL("step " << k << ": " << found << " of " << overlapping(run->world));
      contacts += found;
      run->steps(1, 5e-4);
    }
    CHECK(contacts > 100);
    CHECK(run->world.find_column(kListReach) != nullptr);
    // Half of the skin is gone after one to two steps.
    CHECK(run->mechanics->pipeline().rebuilds - rebuilds < steps / 4);
  }
}

TEST_CASE("lists with fast bodies have the same bits for any threads, and when made again at the reference") {
  const auto hash = [](int threads, bool again) {
    omp_set_num_threads(threads);
    auto run = heap_with_flyers(1000, 3, 30);
    for (int k = 0; k < 20; ++k) {
      run->steps(11, 1e-3);
      if (again) run->mechanics->pipeline().rebuild_at_reference();
    }
    CHECK(run->world.find_column(kListReach) != nullptr);
    return state_hash(run->world);
  };
  const auto one = hash(1, false);
  CHECK(hash(2, false) == one);
  CHECK(hash(3, false) == one);
  CHECK(hash(2, true) == one);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("only few bodies go farther than half of the skin, and only where they are much faster") {
  World world(2);
  world.add_shape("disc", std::make_shared<Disc>(0.5));
  world.add_material({"m", 1.0});
  std::vector<BodySpec> bodies(1000);
  for (std::size_t i = 0; i < bodies.size(); ++i) {
    bodies[i].position = {2.0 * static_cast<double>(i), 0, 0};
    bodies[i].velocity = {1, 0, 0};
  }
  world.add(bodies);
  std::vector<std::uint32_t> rows(world.size());
  for (std::uint32_t i = 0; i < rows.size(); ++i) rows[i] = i;
  const auto chosen = [&](double largest) {
    ListReach reach;
    reach.choose(world, {rows, 0.25, largest, 1e-3});
    return reach;
  };
  CHECK(chosen(HUGE_VAL).beyond().empty());  // all are equally fast
  CHECK(world.find_column(kListReach) == nullptr);
  world.velocity.write()[7] = {0, 40, 0};
  const ListReach one = chosen(HUGE_VAL);
  REQUIRE(one.beyond().size() == world.size());
  CHECK(one.beyond(7) == one.largest_beyond());
  CHECK(one.beyond(7) == Approx(40 * 64e-3 - 0.125));  // its way in 64 steps
  CHECK(one.beyond(8) == 0);
  CHECK(one.weight()[8] == 1);
  CHECK(std::sqrt(one.weight()[7]) == Approx(0.125 / (0.125 + one.beyond(7))));
  CHECK(chosen(0.5).beyond(7) == Approx(0.5 - 0.125));  // what a periodic cell has room for
  // As for the lists of a saved run.
  chosen(HUGE_VAL);
  ListReach again;
  again.restore(world, 0.25);
  CHECK(again.beyond(7) == one.beyond(7));
  for (std::uint32_t i = 0; i < 900; ++i) world.velocity.write()[i] = {0, 40, 0};
  CHECK(chosen(HUGE_VAL).largest_beyond() <= 4 * 0.125);  // for many, more would be too many candidates
}
