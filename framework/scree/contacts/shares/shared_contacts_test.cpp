/// \file Contacts that ranks share: threads stand for ranks.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <vector>

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/contacts/shares/chunk_shares.hpp"
#include "scree/host/host_engine.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "thread_ranks.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// What a heap has come to.
struct HeapOutcome {
  std::uint64_t hash = 0, rebuilds = 0;
  std::size_t contacts = 0, hits = 0;
  double energy = 0;
  ContactView records;
  std::vector<HistoryRecord> history;
};

void compare(const HeapOutcome& a, const HeapOutcome& b) {
  CHECK(a.hash == b.hash);
  CHECK(a.rebuilds == b.rebuilds);
  CHECK((a.contacts == b.contacts && a.hits == b.hits));
  CHECK(a.energy == b.energy);
  REQUIRE(a.records.size() == b.records.size());
  for (std::size_t i = 0; i < a.records.size(); ++i) {
    CHECK((a.records[i].a == b.records[i].a && a.records[i].b == b.records[i].b));
    CHECK(a.records[i].force == b.records[i].force);
  }
  REQUIRE(a.history.size() == b.history.size());
  for (std::size_t i = 0; i < a.history.size(); ++i) CHECK(a.history[i].values == b.history[i].values);
}

/// \param once   history is kept once a step
/// \param before  called before every tenth step
HeapOutcome outcome_of_heap(bool once, int threads, const std::function<void(ContactPipeline&)>& before = {}) {
  omp_set_num_threads(threads);
  auto run = heap(1000, 0, true);
  if (once) run->evaluate_once();
  for (int part = 0; part < 40; ++part) {
    if (before) before(run->mechanics->pipeline());
    run->steps(10, 2e-3);
  }
  run->mechanics->pipeline().keep_records(true);
  run->mechanics->pipeline().compute_energy(true);
  run->steps(1, 2e-3);
  const ContactPipeline& p = run->mechanics->pipeline();
  const ContactTotals& counts = p.counts();
  return {state_hash(run->world), p.rebuilds,       counts.contacts,      counts.history_hits,
          counts.elastic_energy,  p.contact_view(), p.history().records()};
}

/// Symplectic Euler that leaves the rows of others alone.
class ByRows final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.evaluates_once = true}; }
  const void* face(std::string_view name) const noexcept override {
    static constexpr AdvancesOwnRows own;
    return name == AdvancesOwnRows::kName ? &own : nullptr;
  }
  void step(Mechanics& mechanics, double dt) override {
    const Wrenches wrenches = mechanics.forces(dt, dt / 2);
    kick_and_drift(mechanics.world(), own_rows(mechanics), wrenches, dt, dt);
    mechanics.commit();
  }
};

std::size_t count(std::span<const RowRange> rows) {
  std::size_t sum = 0;
  for (const RowRange& range : rows) sum += range.size();
  return sum;
}

/// What the heap comes to in several calls of the engine. Rows are divided within each.
/// \param before  called before every twentieth step, with all chunks
/// \param fewest  set to the fewest rows that this rank had to advance
HeapOutcome outcome_of_divided_heap(std::size_t& fewest, const std::function<void(ContactPipeline&)>& before = {}) {
  auto run = heap(2500, 0, true);
  run->methods.integrator = std::make_unique<ByRows>();
  HostEngine engine({.world = run->world, .methods = run->methods, .dt = 2e-3});
  ContactPipeline& pipeline = engine.mechanics().pipeline();
  engine.mechanics().refresh();
  fewest = run->world.size();
  const auto look = [&] {
    fewest = std::min(fewest, count(engine.mechanics().own_rows()));
    return false;
  };
  for (int part = 0; part < 20; ++part) {
    engine.advance(20, {.contacts = true, .energies = true, .forces = true}, look);
    if (count(engine.mechanics().own_rows()) != run->world.size()) throw InternalError("rows are still divided");
    if (before) before(pipeline);
  }
  const ContactTotals counts = engine.totals();
  const StepCounts sums = engine.take_counts();
  return {state_hash(run->world),
          pipeline.rebuilds,
          counts.contacts,
          counts.history_hits + static_cast<std::size_t>(sums.contacts + sums.history_hits),
          counts.elastic_energy + sums.max_overlap + sums.max_overlap_time,
          engine.contacts(),
          engine.history().records()};
}

/// Throws for contacts of one pair, named in the text by a number that grows along the lists.
class Refusing final : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  int history_size() const noexcept override { return 0; }
  void force(const ContactColumns& c, const double* const*, double* const*, ForceColumns) const override {
    throw NumericalError("refuses a contact with overlap " + std::to_string(c.overlap[0]));
  }
  void energy(const ContactColumns&, const double* const*, double*) const override {}
  double contact_duration(double, double) const noexcept override { return 1; }
};

}  // namespace

TEST_CASE("chunks are dealt along the curve, with about as many pairs to each rank") {
  for (const int count : {1, 2, 3, 7})
    on_thread_ranks(count, [&](Ranks& ranks) {
      if (!ranks.first()) return;
      for (const std::size_t chunks : {0, 1, 5, 100}) {
        // Two groups of channels, each along the curve from its beginning to its end.
        std::vector<PairChunk> lists(chunks);
        std::size_t total = 0, most = 0;
        for (std::size_t c = 0; c < chunks; ++c) {
          lists[c].pairs.resize(100 + 37 * c % 300);
          lists[c].place = static_cast<std::uint32_t>(10 * (2 * c < chunks ? c : 2 * c - chunks));
          total += lists[c].pairs.size();
          most = std::max(most, lists[c].pairs.size());
        }
        ChunkShares shares(ranks);
        const std::size_t places = 10 * chunks + 1;
        shares.deal(lists, places);
        CHECK(shares.first_place(0) == 0);
        CHECK(shares.first_place(static_cast<std::size_t>(count)) == places);
        std::vector<int> dealt(chunks);
        for (std::size_t r = 0; r < static_cast<std::size_t>(count); ++r) {
          CHECK(shares.first_place(r) <= shares.first_place(r + 1));
          std::size_t pairs = 0;
          for (const std::uint32_t c : shares.of(r)) {
            ++dealt[c];
            CHECK(shares.rank_of(c) == r);
            pairs += lists[c].pairs.size();
            CHECK(lists[c].place >= shares.first_place(r));
            CHECK(lists[c].place <= shares.first_place(r + 1));
          }
          CHECK(std::ranges::is_sorted(shares.of(r)));
          CHECK(pairs <= total / static_cast<std::size_t>(count) + most);
        }
        CHECK(dealt == std::vector<int>(chunks, 1));
      }
    });
}

TEST_CASE("1, 2, 3 ranks with 1, 2 threads each: identical bits, history and records") {
  for (const bool once : {false, true}) {
    const HeapOutcome one = outcome_of_heap(once, 1);
    CHECK(one.contacts > 100);
    CHECK(one.rebuilds > 3);
    CHECK(one.energy > 0);
    for (const int count : {2, 3})
      for (const int threads : {1, 2}) {
        std::vector<HeapOutcome> outcomes(static_cast<std::size_t>(count));
        const auto failures = on_thread_ranks(count, [&](Ranks& ranks) {
          outcomes[static_cast<std::size_t>(ranks.rank())] = outcome_of_heap(once, threads);
        });
        for (const Failure& failure : failures) CHECK(failure.text == "");
        for (const HeapOutcome& outcome : outcomes) compare(outcome, one);
      }
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("who takes longer over its chunks gets fewer of the next") {
  // Pairs of the first half of the lists take four times as long: two ranks are even where one has 5/16 of all pairs.
  std::vector<PairChunk> chunks(1000);
  for (PairChunk& chunk : chunks) chunk.pairs.resize(1000);
  on_thread_ranks(2, [&](Ranks& ranks) {
    if (!ranks.first()) return;
    ChunkShares shares(ranks);
    const auto seconds = [&](std::span<const std::uint32_t> own) {
      double sum = 0;
      for (const std::uint32_t c : own) sum += c < 500 ? 4 : 1;
      return sum;
    };
    for (int look = 0; look < 20; ++look) {
      shares.deal(chunks, 0);
      shares.balance(std::vector{seconds(shares.of(0)), seconds(shares.of(1))});
    }
    // The last change was one by less than 5 %, of either rank.
    CHECK(seconds(shares.of(0)) == Approx(1250).epsilon(0.06));
    CHECK(shares.of(1).back() == 999);
    const std::vector<double> parts = shares.parts();
    shares.balance(std::vector{1.0, 1.04});
    CHECK(shares.parts() == parts);  // as even as clocks can tell
    for (int look = 0; look < 100; ++look) shares.balance(std::vector{1.0, 0.0});
    shares.deal(chunks, 0);
    CHECK(shares.of(0).size() <= 1);
    for (int look = 0; look < 20; ++look) shares.balance(std::vector{0.0, 1.0});
    shares.deal(chunks, 0);
    CHECK(shares.of(0).size() >= 999);
  });
}

TEST_CASE("chunks dealt at random while lists stay: identical bits, history and records") {
  const HeapOutcome one = outcome_of_heap(false, 1);
  for (const int count : {2, 3, 4}) {
    std::vector<HeapOutcome> outcomes(static_cast<std::size_t>(count));
    const auto failures = on_thread_ranks(count, [&](Ranks& ranks) {
      std::mt19937 random(7);  // the same on all ranks
      outcomes[static_cast<std::size_t>(ranks.rank())] = outcome_of_heap(false, 1, [&](ContactPipeline& pipeline) {
        std::vector<double> parts(static_cast<std::size_t>(count));
        for (double& part : parts) part = std::exp(std::normal_distribution(0.0, 2.0)(random));
        pipeline.shares().aim_at(parts);
        pipeline.deal_anew();
      });
    });
    for (const Failure& failure : failures) CHECK(failure.text == "");
    for (const HeapOutcome& outcome : outcomes) compare(outcome, one);
  }
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("rows divided between 2, 3, 4 ranks, dealt at random too: identical bits, counts, history and records") {
  std::size_t all = 0;
  const HeapOutcome one = outcome_of_divided_heap(all);
  CHECK(all == 2501);
  CHECK(one.contacts > 100);
  CHECK(one.rebuilds > 3);
  for (const bool at_random : {false, true})
    for (const int count : {2, 3, 4}) {
      std::vector<HeapOutcome> outcomes(static_cast<std::size_t>(count));
      std::vector<std::size_t> fewest(static_cast<std::size_t>(count));
      const auto failures = on_thread_ranks(count, [&](Ranks& ranks) {
        std::mt19937 random(8);  // the same on all ranks
        const auto rank = static_cast<std::size_t>(ranks.rank());
        outcomes[rank] = outcome_of_divided_heap(fewest[rank], [&](ContactPipeline& pipeline) {
          if (!at_random) return;
          std::vector<double> parts(static_cast<std::size_t>(count));
          for (double& part : parts) part = std::exp(std::normal_distribution(0.0, 2.0)(random));
          pipeline.shares().aim_at(parts);
          pipeline.deal_anew();
        });
      });
      for (const Failure& failure : failures) CHECK(failure.text == "");
      for (const HeapOutcome& outcome : outcomes) compare(outcome, one);
      for (const std::size_t rows : fewest) CHECK(rows < 2501);
    }
}

TEST_CASE("a law that refuses contacts of several ranks is heard once, for the first of all chunks") {
  // The state of the World when it was refused, on every rank.
  std::vector<std::uint64_t> hashes;
  const auto text_on = [&](int count, bool divided) {
    hashes.assign(static_cast<std::size_t>(count), 0);
    const auto failures = on_thread_ranks(count, [&](Ranks& ranks) {
      auto run = heap(1000, 0, true);
      run->steps(400, 2e-3);
      run->methods.integrator = std::make_unique<ByRows>();
      HostEngine engine({.world = run->world, .methods = run->methods, .dt = 1e-3});
      engine.mechanics().refresh();
      Interaction& interaction = run->methods.interactions[0];
      interaction.law = std::make_unique<Refusing>();
      interaction.force = face<ForceFace>(*interaction.law);
      try {
        engine.advance(divided ? 2 : 1, {}, {});
      } catch (const NumericalError&) {
        hashes[static_cast<std::size_t>(ranks.rank())] = state_hash(run->world);
        throw;
      }
    });
    for (const Failure& failure : failures) {
      CHECK(failure.kind == FailureKind::numerical);
      CHECK(failure.text == failures[0].text);
    }
    return failures[0].text;
  };
  const std::string one = text_on(1, false);
  const std::uint64_t hash = hashes[0];
  CHECK_THAT(one, ContainsSubstring("refuses a contact"));
  for (const int count : {2, 3})
    for (const bool divided : {false, true}) {
      CHECK(text_on(count, divided) == one);
      if (divided) CHECK(hashes == std::vector<std::uint64_t>(static_cast<std::size_t>(count), hash));
    }
}
