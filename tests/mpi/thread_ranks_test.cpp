// The promise of same bits for any number of ranks, with threads in the place of processes: all scenes, and 1 to 4
// ranks.

#include "thread_ranks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr std::uint64_t kSteps = 150;

using Ways = std::vector<std::pair<int, int>>;

/// What a run has come to, as one rank sees it. Figures are those of metrics.csv.
struct End {
  std::uint64_t hash = 0;
  std::vector<std::pair<std::string, std::uint64_t>> figures;  ///< bits
  std::size_t contacts = 0, bodies = 0, broken = 0;

  explicit End(Simulation& simulation) : hash(state_hash(simulation.world())) {
    for (const auto& [name, value] : simulation.metrics())
      figures.emplace_back(name, std::bit_cast<std::uint64_t>(value));
    contacts = simulation.contacts().size();
    bodies = simulation.world().size();
    broken = simulation.world().bonds().size() - simulation.world().bonds().alive();
  }
  bool operator==(const End&) const = default;
};

/// Calls work(ranks) on each rank. \return what each has come to
template <class Work>
std::vector<End> ends_on(int count, const Work& work) {
  std::vector<std::optional<End>> ends(static_cast<std::size_t>(count));
  for (const Failure& failure :
       on_thread_ranks(count, [&](Ranks& ranks) { ends[static_cast<std::size_t>(ranks.rank())].emplace(work(ranks)); }))
    REQUIRE(failure.text == "");
  std::vector<End> all;
  for (const auto& end : ends) all.push_back(*end);
  return all;
}

End end_of(const std::string& scene, int threads, std::uint64_t steps = kSteps) {
  Simulation simulation = Simulation::from_text(scene, {.threads = threads});
  simulation.step(steps);
  return End(simulation);
}

void check_all(const std::vector<End>& ends, const End& expected) {
  for (const End& end : ends) {
    CHECK(end.hash == expected.hash);
    CHECK((end == expected));
  }
}

/// \param ways  numbers of ranks and threads
void check_scene(const std::string& scene, const Ways& ways = {{2, 2}, {3, 1}, {4, 2}}) {
  const End one = end_of(scene, 1);
  CHECK(one.contacts > 50);
  for (const auto& [ranks, threads] : ways) {
    INFO(ranks << " ranks, " << threads << " threads");
    check_all(ends_on(ranks, [&](Ranks&) { return end_of(scene, threads); }), one);
  }
}

/// A run that two ranks begin, three go on with, and one ends.
void check_resumed(const std::string& scene) {
  const End whole = end_of(scene, 1);
  std::shared_ptr<const Simulation::Snapshot> saved;
  const auto part = [&](int count) {
    const auto before = saved;
    return ends_on(count, [&](Ranks& ranks) {
      Simulation simulation = Simulation::from_text(scene, {.threads = 1});
      if (before) simulation.restore(*before);
      simulation.step(kSteps / 3);
      const auto snapshot = simulation.snapshot();
      if (ranks.first()) saved = snapshot;
      return End(simulation);
    });
  };
  part(2);
  part(3);
  check_all(part(1), whole);
}

}  // namespace

TEST_CASE("1 to 4 ranks with 1 and 2 threads, one result: spheres with friction") {
  check_scene(without_ledger(kSpheres), {{1, 2}, {2, 1}, {2, 2}, {3, 1}, {3, 2}, {4, 1}, {4, 2}});
}
TEST_CASE("2 to 4 ranks, one result: spheres with an account of energy") { check_scene(kSpheres); }
TEST_CASE("2 to 4 ranks, one result: clumps") { check_scene(kClumps); }
TEST_CASE("2 to 4 ranks, one result: stars in a periodic cell") { check_scene(kStars); }
TEST_CASE("2 to 4 ranks, one result: emitter and outlet") { check_scene(kStream); }
TEST_CASE("2 to 4 ranks, one result: radii from 1 to 8 mm") { check_scene(kSizes); }
TEST_CASE("2 to 4 ranks, one result: capsules and spheres that stick, on fixed spheres, in a periodic cell") {
  check_scene(kStickyCapsules);
}
TEST_CASE("2 to 4 ranks, one result: a bonded brick that breaks among grains") {
  CHECK(end_of(kBrick, 1).broken > 20);
  check_scene(kBrick);
  check_scene(brick_by_euler());
}
TEST_CASE("2 to 4 ranks, one result: fibres of capsules on a large block that turns freely") { check_scene(kFibres); }
TEST_CASE("2 and 3 ranks, one result: granules that are stored, hit, taken by an outlet and brought back") {
  constexpr std::uint64_t kHit = 160;
  const End one = end_of(kCulled, 1, kHit);
  const auto figure = [&](const std::string& name) {
    for (const auto& [of, bits] : one.figures)
      if (of == "culling_" + name) return std::bit_cast<double>(bits);
    return 0.0;
  };
  CHECK(figure("stored") > 200);
  CHECK(figure("impacts") > 0);
  CHECK(figure("granules_restored") > 50);
  for (const auto& [ranks, threads] : Ways{{2, 1}, {3, 2}}) {
    INFO(ranks << " ranks, " << threads << " threads");
    check_all(ends_on(ranks, [&](Ranks&) { return end_of(kCulled, threads, kHit); }), one);
  }
}
TEST_CASE("2 to 4 ranks, one result: drum with lifters") { check_scene(drum_with_lifters()); }

TEST_CASE("a run that goes on from 2 ranks on 3 and then on 1 ends as one that was not stopped") {
  for (const std::string& scene : {without_ledger(kSpheres), kSpheres, kClumps, kStars, kStream, kSizes, kBrick,
                                   kFibres, kCulled, drum_with_lifters()})
    check_resumed(scene);
}

TEST_CASE("10,000 steps of a stirred bed that ranks balance wherever lists are renewed lose no body, and no bit") {
  constexpr std::uint64_t kMany = 10000;
  const std::string scene = stirred_bed();
  const End one = end_of(scene, 1, kMany);
  CHECK(one.contacts > 50);
  CHECK(one.bodies == 14 * 14 * 4 + 2);
  check_all(ends_on(2, [&](Ranks&) { return end_of(scene, 1, kMany); }), one);
}

namespace {

/// What all ranks end with when the World is edited after 20 steps.
template <class Edit>
std::string text_of_failure(int count, const std::string& scene, const Edit& edit) {
  const auto failures = on_thread_ranks(count, [&](Ranks&) {
    Simulation simulation = Simulation::from_text(scene, {.threads = 1});
    simulation.step(20);
    edit(simulation.world());
    simulation.step(20);
  });
  for (const Failure& failure : failures) {
    CHECK(failure.kind == FailureKind::numerical);
    CHECK(failure.text == failures[0].text);
  }
  return failures[0].text;
}

}  // namespace

TEST_CASE("a body of one rank whose velocity is no number ends all with the text of one rank") {
  const auto text_on = [](int count) {
    return text_of_failure(count, without_ledger(kSpheres), [](World& world) {
      world.velocity.write()[*world.row(700)][1] = std::numeric_limits<double>::quiet_NaN();
    });
  };
  const std::string one = text_on(1);
  CHECK_THAT(one, Catch::Matchers::ContainsSubstring("700"));
  CHECK(text_on(2) == one);
  CHECK(text_on(3) == one);
}

TEST_CASE("a bond of one rank whose law refuses it ends all with the text of one rank") {
  constexpr Id kTip = 7;  // of the first fibre: it has one joint
  const auto text_on = [](int count) {
    return text_of_failure(count, kFibres, [](World& world) {
      Quat& q = world.orientation.write()[*world.row(kTip)];
      q = q * Quat(Eigen::AngleAxisd(3, Vec3::UnitX()));
    });
  };
  const std::string one = text_on(1);
  CHECK_THAT(one, Catch::Matchers::ContainsSubstring("bent or twisted by more than 2.8 rad at the joint"));
  CHECK(text_on(2) == one);
  CHECK(text_on(3) == one);
}
