/// \file Contacts that ranks share: threads stand for ranks.

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/base/internal_error.hpp"
#include "scree/contacts/decomposition/curve_partition.hpp"
#include "scree/host/host_engine.hpp"
#include "scree/integrate/kick_and_drift.hpp"
#include "thread_ranks.hpp"

using namespace scree;
using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Outcome of a heap's run.
struct HeapOutcome {
  std::uint64_t hash = 0, rebuilds = 0;
  std::size_t contacts = 0, hits = 0;
  double energy = 0;
  ContactView records;
  std::vector<HistoryRecord> history;
  std::vector<Vec3> own_forces;  ///< by id, where they are kept
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
  CHECK(a.own_forces == b.own_forces);
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
  return {state_hash(run->world), p.rebuilds,       counts.contacts,         counts.history_hits,
          counts.elastic_energy,  p.contact_view(), p.history().records(), {}};
}

/// Symplectic Euler that leaves the rows of others alone.
class ByRows final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.evaluates_once = true, .owned_rows_only = true}; }
  void step(Mechanics& mechanics, double dt) override {
    const Wrenches wrenches = mechanics.forces(dt, dt / 2);
    kick_and_drift(mechanics.world(), mechanics.owned_rows(), wrenches, dt, dt);
    mechanics.commit();
  }
};

std::size_t count(std::span<const RowRange> rows) {
  std::size_t sum = 0;
  for (const RowRange& range : rows) sum += range.size();
  return sum;
}

/// By id; none where they are not kept.
std::vector<Vec3> own_forces(World& world) {
  if (!world.find_column("own_force")) return {};
  std::vector<Vec3> forces;
  for (Id id = 0; id < world.size(); ++id) forces.push_back(world.column<Vec3>("own_force").read()[*world.row(id)]);
  return forces;
}

/// Discs of one size meet in chunks of their own, so that a body has up to two sums from each rank.
void part_laws(Run& run) {
  Interaction alike;
  alike.law = std::make_unique<Spring>();
  alike.force = face<ForceFace>(*alike.law);
  alike.needs = alike.force->needs();
  alike.history = alike.force->history_size();
  run.methods.interactions.push_back(std::move(alike));
  Channel channel{1, run.methods.detectors[0].get(), 0};
  channel.place = 1;
  channel.group = 1;
  run.methods.channels.push_back(channel);
  for (std::uint32_t shape = 0; shape < 3; ++shape) run.methods.set_channel(shape, 0, shape, 0, 1);
}

/// Runs the heap in several calls of the engine, and returns its outcome. Rows are divided within each call.
/// \param before  called before every twentieth step, when all ranks hold all bodies
/// \param within  called after every seventh step
/// \param fewest  set to the fewest rows that this rank had to advance
/// \param change  called with the heap before anything else
HeapOutcome outcome_of_divided_heap(std::size_t& fewest, const std::function<void(ContactPipeline&)>& before = {},
                                    const std::function<void(ContactPipeline&)>& within = {},
                                    const std::function<void(Run&)>& change = {}, int parts = 20) {
  auto run = heap(2500, 0, true);
  if (change) change(*run);
  run->methods.integrator = std::make_unique<ByRows>();
  HostEngine engine({.world = run->world, .methods = run->methods, .dt = 2e-3});
  ContactPipeline& pipeline = engine.mechanics().pipeline();
  engine.mechanics().refresh();
  fewest = run->world.size();
  const auto look = [&] {
    fewest = std::min(fewest, count(engine.mechanics().owned_rows()));
    if (within && run->world.step % 7 == 0) within(pipeline);
    return false;
  };
  for (int part = 0; part < parts; ++part) {
    engine.advance(20, {.contacts = true, .energies = true, .forces = true}, look);
    if (count(engine.mechanics().owned_rows()) != run->world.size()) throw InternalError("rows are still divided");
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
          engine.history().records(),
          own_forces(run->world)};
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

TEST_CASE("blocks are dealt along the curve, with about as many bodies to each rank") {
  for (const int count : {1, 2, 3, 7})
    on_thread_ranks(count, [&](Ranks& ranks) {
      for (const std::size_t size : {0, 1, 5, 100}) {
        std::vector<SpaceBlocks::Stretch> blocks;
        std::uint32_t places = 0, most = 0;
        for (std::uint64_t b = 0; b < size; ++b) {
          const auto homes = static_cast<std::uint32_t>(100 + 37 * b % 300);
          blocks.push_back({places, homes, 3 * b});
          places += homes + 2;  // two walls in each
          most = std::max(most, homes);
        }
        CurvePartition shares(ranks);
        shares.deal(blocks, places);
        CHECK(shares.first_place(0) == 0);
        CHECK(shares.first_place(static_cast<std::size_t>(count)) == places);
        std::vector<std::uint32_t> homes(static_cast<std::size_t>(count), 0);
        for (const SpaceBlocks::Stretch& block : blocks) {
          const std::uint32_t rank = shares.rank_of(block.first_place);
          CHECK(rank == shares.rank_of(block.first_place + block.homes + 1));
          homes[rank] += block.homes;
          const auto [first, end] = shares.own_blocks();
          CHECK((first <= block.block && block.block < end) == (rank == static_cast<std::uint32_t>(ranks.rank())));
        }
        for (const std::uint32_t of_rank : homes) CHECK(of_rank <= places / static_cast<std::uint32_t>(count) + most);
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

TEST_CASE("who takes longer over its part of the curve gets less of it, as soon as that pays") {
  // Bodies of the first half take four times as long: two ranks are even where one has 5/16 of all bodies.
  std::vector<SpaceBlocks::Stretch> blocks;
  for (std::uint32_t b = 0; b < 1000; ++b) blocks.push_back({1000 * b, 1000, b});
  const auto failures = on_thread_ranks(2, [&](Ranks& ranks) {
    CurvePartition shares(ranks);
    const auto deal = [&] { shares.deal(blocks, 1000000); };
    const auto seconds = [&](int rank) {
      double sum = 0;
      for (const SpaceBlocks::Stretch& block : blocks)
        if (shares.rank_of(block.first_place) == static_cast<std::uint32_t>(rank)) sum += block.block < 500 ? 4 : 1;
      return sum;
    };
    deal();
    CHECK_FALSE(shares.pays());
    // Half of 2000 - 500 seconds is waited for in each look.
    shares.note({seconds(ranks.rank()), 1000});
    CHECK_FALSE(shares.pays());
    shares.note({seconds(ranks.rank()), 1000});
    CHECK(shares.pays());
    for (int look = 0; look < 20; ++look) {
      deal();
      CHECK_FALSE(shares.pays());
      shares.note({seconds(ranks.rank()), 1000});
    }
    // The last change was one by less than 5 %, of either rank.
    CHECK(seconds(0) == Approx(1250).epsilon(0.06));
    CHECK(shares.first_place(2) == 1000000);
    deal();
    const std::vector<double> parts = shares.parts();
    shares.note({ranks.first() ? 1.0 : 1.04, 0});
    CHECK_FALSE(shares.pays());
    deal();
    CHECK(shares.parts() == parts);  // as even as clocks can tell
    const auto end_where_all_work_is_of = [&](int rank) {
      for (int look = 0; look < 100; ++look) {
        shares.note({ranks.rank() == rank ? 1.0 : 0.0, 0});
        deal();
      }
      return shares.first_place(1);
    };
    CHECK(end_where_all_work_is_of(0) <= 1000);
    CHECK(end_where_all_work_is_of(1) >= 999000);
  });
  for (const Failure& failure : failures) CHECK(failure.text == "");
}

TEST_CASE("the curve dealt at random between rebuilds: identical bits, history and records") {
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
  for (const char* const when : {"never", "between calls", "within calls"})
    for (const int count : {2, 3, 4}) {
      INFO(count << " ranks, dealt at random " << when);
      std::vector<HeapOutcome> outcomes(static_cast<std::size_t>(count));
      std::vector<std::size_t> fewest(static_cast<std::size_t>(count));
      const auto failures = on_thread_ranks(count, [&](Ranks& ranks) {
        std::mt19937 random(8);  // the same on all ranks
        const auto deal_at_random = [&](ContactPipeline& pipeline) {
          std::vector<double> parts(static_cast<std::size_t>(count));
          for (double& part : parts) part = std::exp(std::normal_distribution(0.0, 2.0)(random));
          pipeline.shares().aim_at(parts);
          pipeline.deal_anew();
        };
        const std::string chosen = when;
        const std::function<void(ContactPipeline&)> deal = deal_at_random, none;
        const auto rank = static_cast<std::size_t>(ranks.rank());
        outcomes[rank] = outcome_of_divided_heap(fewest[rank], chosen == "between calls" ? deal : none,
                                                 chosen == "within calls" ? deal : none);
      });
      for (const Failure& failure : failures) CHECK(failure.text == "");
      for (const HeapOutcome& outcome : outcomes) compare(outcome, one);
      for (const std::size_t rows : fewest) CHECK(rows < 2501);
    }
}

TEST_CASE("rows divided between 4 ranks, two laws and forces of own contacts: identical bits") {
  // Sums of two terms are the same in any order; here a row at a border has four.
  constexpr int parts = 8;
  const auto change = [](Run& run) {
    part_laws(run);
    run.world.keep_own_forces();
  };
  std::size_t all = 0;
  const HeapOutcome one = outcome_of_divided_heap(all, {}, {}, change, parts);
  CHECK(one.contacts > 100);
  std::size_t pushed = 0;
  for (const Vec3& force : one.own_forces) pushed += force.norm() > 0;
  CHECK(pushed > 100);
  std::vector<HeapOutcome> outcomes(4);
  const auto failures = on_thread_ranks(4, [&](Ranks& ranks) {
    std::size_t own = 0;
    outcomes[static_cast<std::size_t>(ranks.rank())] = outcome_of_divided_heap(own, {}, {}, change, parts);
    CHECK(own < 2501);
  });
  for (const Failure& failure : failures) CHECK(failure.text == "");
  for (const HeapOutcome& outcome : outcomes) compare(outcome, one);
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
