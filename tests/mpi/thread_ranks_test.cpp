// The promise of same bits for any number of ranks, with threads in the place of processes: all scenes, and 1 to 4
// ranks.

#include "thread_ranks.hpp"

#include <fmt/format.h>

#include <bit>
#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"
#include "scree/run/simulation.hpp"

using namespace scree;
using namespace scree::test;

namespace {

const std::map<std::string, std::string>& scenes() {
  static const std::map<std::string, std::string> all = {
      {"spheres", kSpheres},           {"clumps", kClumps},      {"stars in a periodic cell", kStars},
      {"emitter and outlet", kStream}, {"sizes 1 to 8", kSizes}, {"drum with lifters", drum_with_lifters()}};
  return all;
}

constexpr std::uint64_t kSteps = 150;

/// What a run has come to, as one rank sees it. Figures are those of metrics.csv.
struct End {
  std::uint64_t hash = 0;
  std::vector<std::pair<std::string, std::uint64_t>> figures;  ///< bits
  std::size_t contacts = 0;

  explicit End(Simulation& simulation) : hash(state_hash(simulation.world())) {
    for (const auto& [name, value] : simulation.figures())
      figures.emplace_back(name, std::bit_cast<std::uint64_t>(value));
    contacts = simulation.contacts().size();
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

End end_of(const std::string& scene, int threads) {
  Simulation simulation = Simulation::from_text(scene, {.threads = threads});
  simulation.step(kSteps);
  return End(simulation);
}

void check_all(const std::vector<End>& ends, const End& expected) {
  for (const End& end : ends) {
    CHECK(end.hash == expected.hash);
    CHECK((end == expected));
  }
}

}  // namespace

TEST_CASE("1, 2, 3, 4 ranks with 1, 2 threads each: six scenes end with the bits of one rank") {
  for (const auto& [name, scene] : scenes()) {
    INFO(name);
    const End one = end_of(scene, 1);
    CHECK(one.contacts > 50);
    for (const int ranks : {1, 2, 3, 4})
      for (const int threads : {1, 2}) {
        INFO(ranks << " ranks, " << threads << " threads");
        check_all(ends_on(ranks, [&](Ranks&) { return end_of(scene, threads); }), one);
      }
  }
}

TEST_CASE("a run that goes on from 2 ranks on 3 and then on 1 ends with the bits of one that was not stopped") {
  for (const auto& [name, scene] : scenes()) {
    INFO(name);
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
}
