#include "scree/contacts/contact_pipeline.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <utility>

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/history_transfer.hpp"
#include "scree/law/bond_law.hpp"

namespace scree {

namespace {

/// Checks whether ranks compare their working times now, between rebuilds: soon, since the first partition may be far
/// from the best one, and then at intervals.
/// \param evaluations  number of evaluations since the last rebuild
bool time_to_compare(std::uint64_t evaluations) {
  constexpr std::uint64_t kSoonest = 4, kRegularly = 100;
  if (evaluations < kRegularly) return evaluations >= kSoonest && std::has_single_bit(evaluations);
  return evaluations % kRegularly == 0;
}

}  // namespace

ContactPipeline::ContactPipeline(World& world, const Methods& methods)
    : world_(world),
      methods_(methods),
      lists_(world, methods),
      shares_(current_ranks()),
      rows_(world, lists_, shares_),
      history_(methods, lists_, shares_.ranks()),
      evaluation_(world, methods, lists_, shares_, rows_, history_, seconds) {}

ContactPipeline::~ContactPipeline() = default;

void ContactPipeline::rebuild(bool reorder, double skin, double dt) {
  const double start = clock_seconds();
  prepare_for_lists();
  evaluation_.keep_last_records();
  lists_.admit_newcomers();
  if (reorder) wrap();
  renew(lists_.settle(reorder, skin, dt));
  history_.drop_pending();
  ++rebuilds;
  seconds.grid += clock_seconds() - start;
}

void ContactPipeline::rebuild_at_reference() {
  lists_.take_chunks();
  history_.take_chunks();
  renew(lists_.settle_at_reference());
}

void ContactPipeline::renew(const PairLists::Settled& settled) {
  evaluation_.release_memory();
  note_effort();
  shares_.deal(shares_.whole() ? std::vector<SpaceBlocks::Stretch>() : settled.blocks.stretches(settled.order),
               world_.size());
  list_pairs(settled);
  lists_.index_slots();
  evaluations_ = 0;
  evaluation_.reset();
  if (!shares_.whole()) meet_neighbours(settled);
  divide_if_possible();
  history_.place_pending();
}

/// Exchanges with all ranks what each needs to know of the others' lists.
void ContactPipeline::meet_neighbours(const PairLists::Settled& settled) {
  struct Told {
    std::size_t pairs;
    std::uint64_t cuts;
  };
  ByteWriter own;
  own.put(Told{lists_.pair_count(), shares_.hash_of_cuts()});
  std::size_t pairs = 0;
  const auto all = shares_.ranks().gather(CollectiveTag::motion, own.bytes());
  for (const auto& part : all) {
    const auto told = ByteReader(part).take<Told>();
    pairs += told.pairs;
    // All ranks see the difference, and throw.
    if (told.cuts != ByteReader(all[0]).take<Told>().cuts)
      throw InternalError("the ranks of this run have come to different states. Are their processors of one kind?");
  }
  lists_.note_pairs_of_all(pairs);
  rows_.reset(settled.row_now);
}

/// Reports this rank's working times. Ranks that took longer get less when the curve is partitioned next.
void ContactPipeline::note_effort() {
  const double lists = std::exchange(seconds_of_new_lists_, 0);
  if (lists > 0) seconds_of_lists_ = lists;
  shares_.note({lists + evaluation_.take_seconds_of_work() + std::exchange(other_work_, 0), seconds_of_lists_});
}

void ContactPipeline::prepare_evaluation() {
  if (time_to_compare(++evaluations_)) {
    note_effort();
    if (shares_.pays()) deal_anew();
  }
  if (rows_.divided()) fetch_states();
}

void ContactPipeline::evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force,
                               std::span<Vec3> torque, HistoryUpdate update) {
  evaluation_.forces(dt, lag, others, force, torque, update);
}

void ContactPipeline::deal_anew() {
  prepare_for_lists();
  renew(lists_.settle_at_reference());
}

void ContactPipeline::divide_rows() {
  divide_ = true;
  divide_if_possible();
}

void ContactPipeline::join_rows() {
  divide_ = false;
  come_together();
}

void ContactPipeline::come_together() {
  if (!rows_.divided()) return;
  complete_evaluation();
  rows_.join();
}

void ContactPipeline::prepare_for_lists() {
  if (!rows_.divided()) return;
  complete_evaluation();
  rows_.prepare();
}

void ContactPipeline::complete_evaluation() {
  if (evaluation_.partial())
    evaluation_.complete();
  else
    shares_.ranks().gather(CollectiveTag::motion);  // waits for ranks that have failed
}

namespace {

/// Checks whether a rank can compute bond wrenches on its bodies from the states of the two bodies that each bond
/// joins.
bool act_alone(const BondGroup& bonds) { return bonds.acts && !bonds.traits.memory_changes; }

}  // namespace

void ContactPipeline::divide_if_possible() {
  const bool possible = divide_ && !shares_.whole() && lists_.of_these_rows();
  if (possible && (world_.bonds().size() == 0 || std::ranges::all_of(methods_.bonds, act_alone)))
    rows_.divide();
  else
    rows_.join();
}

bool ContactPipeline::stale(double ahead) const {
  return lists_.outdated() || stale(ahead, largest_of_all(lists_.largest_squared_way(ahead, rows_.own())));
}

bool ContactPipeline::stale(double ahead, double largest_squared_way) const {
  if (lists_.outdated()) return true;
  const double of_own_rows = lists_.surface_way(ahead, std::sqrt(largest_squared_way), rows_.own());
  return lists_.stale(ahead, largest_squared_way,
                      lists_.large_turn_freely() ? largest_of_all(of_own_rows) : of_own_rows);
}

double ContactPipeline::largest_of_all(double of_own_rows) const {
  return rows_.divided() ? shares_.ranks().largest(CollectiveTag::motion, of_own_rows) : of_own_rows;
}

ListedPart ContactPipeline::own_part() const {
  const auto [first, end] = shares_.own_blocks();
  return {shares_.own_first(), shares_.own_end(), first, end, shares_.whole()};
}

/// Lists pairs, and transfers history and caches from the previous lists. Both lists exist for a while.
void ContactPipeline::list_pairs(const PairLists::Settled& settled) {
  HistoryTransfer transfer(methods_, lists_.take_chunks(), history_.take_chunks());
  const auto rank_of = [&](std::uint32_t a, std::uint32_t b) {
    return shares_.rank_of(settled.blocks.rank(settled.blocks.home_first(a, b).first));
  };
  if (!shares_.whole()) transfer.exchange(shares_.ranks(), rank_of, settled.row_now);
  const double start = clock_seconds();
  PairListing listing = lists_.list(settled, own_part());
  std::vector<PreviousPair> previous = transfer.find_previous(listing, settled.row_now);
  lists_.cut(listing);
  history_.reset();
  FirstFailure failure;
  const auto inherit = [&](std::size_t chunk, std::span<const PreviousPair> of_chunk) {
    transfer.inherit(of_chunk, lists_.chunks()[chunk], history_.chunks()[chunk]);
  };
  lists_.fill(listing, previous, inherit, failure);
  seconds_of_new_lists_ = clock_seconds() - start;
  if (!shares_.whole() && failure.failure())
    raise(shares_.ranks().agree_on(failure_of(failure.failure()), lists_.order_of(failure.item())));
  failure.rethrow();
}

/// Moves bodies that left the periodic cell back into it; pairs, history and records get new images.
void ContactPipeline::wrap() {
  const World::Wrapped wrapped = world_.wrap();
  if (!wrapped.any()) return;
  const auto way_of = [&](Id body) -> Image {
    const auto row = world_.row(body);
    return row && !wrapped.went.empty() ? wrapped.went[*row] : Image(Image::Zero());
  };
  const auto renamed = [&](std::int32_t image, Id a, Id b) {
    const Image now = wrapped.images * unpacked(image);
    return world_.row(a) && world_.row(b) ? packed(now + way_of(a) - way_of(b)) : packed(now);
  };
  const auto moved = [&](Id body) -> Vec3 { return world_.cell.shift(way_of(body)); };
  lists_.rename_images(renamed);
  history_.rename_images(renamed);
  evaluation_.rename_images(renamed, moved);
}

}  // namespace scree
