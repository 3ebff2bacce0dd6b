#include "scree/contacts/contact_pipeline.hpp"

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/handover.hpp"

namespace scree {

namespace {

/// Ranks look so often how long each has worked while lists stay: to deal anew costs about as much as an evaluation.
constexpr std::uint64_t kEvaluationsInBalance = 100;

}  // namespace

ContactPipeline::ContactPipeline(World& world, const Methods& methods)
    : world_(world),
      methods_(methods),
      lists_(world, methods),
      shares_(current_ranks()),
      rows_(world, lists_, shares_),
      history_(methods, lists_, shares_),
      evaluation_(world, methods, lists_, shares_, rows_, history_, seconds) {}

ContactPipeline::~ContactPipeline() = default;

void ContactPipeline::rebuild(bool reorder, double skin) {
  const double start = clock_seconds();
  come_together();
  evaluation_.keep_last_records();
  lists_.admit_newcomers();
  if (reorder) wrap();
  renew(lists_.settle(reorder, skin));
  history_.drop_pending();
  ++rebuilds;
  seconds.grid += clock_seconds() - start;
}

void ContactPipeline::rebuild_at_reference() {
  history_.complete();
  lists_.take_chunks();
  history_.take_chunks();
  renew(lists_.settle_at_reference());
}

void ContactPipeline::renew(const PairLists::Settled& settled) {
  evaluation_.release_memory();
  list_pairs(settled);
  lists_.index_slots();
  balance();
  evaluations_ = 0;
  deal();
  history_.place_pending();
}

void ContactPipeline::deal() {
  shares_.deal(lists_.chunks(), lists_.ids().size());
  evaluation_.reset();
  rows_.outdate();
  divide_if_possible();
}

void ContactPipeline::evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force,
                               std::span<Vec3> torque, HistoryUpdate update) {
  if (++evaluations_ % kEvaluationsInBalance == 0 && balance()) deal_anew();
  if (rows_.divided()) rows_.border().exchange_states(world_);
  evaluation_.forces(dt, lag, others, force, torque, update);
}

void ContactPipeline::deal_anew() {
  come_together();
  history_.complete();
  deal();
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
  if (evaluation_.partial())
    evaluation_.complete();
  else
    shares_.ranks().gather(Rendezvous::motion);  // whichever has failed
  rows_.join();
}

/// Parts of the curve are ranges of rows only where rows follow it. Bonds act across all borders.
void ContactPipeline::divide_if_possible() {
  if (!divide_ || shares_.whole() || !lists_.of_these_rows() || !lists_.in_order() || lists_.turns_count()) return;
  if (world_.bonds().size() == 0) rows_.divide();
}

bool ContactPipeline::stale(double ahead) const {
  if (!rows_.divided()) return lists_.stale(ahead);
  return lists_.stale(ahead, largest_of_all(lists_.ways(ahead).largest_squared(rows_.own())));
}

double ContactPipeline::largest_of_all(double of_own_rows) const {
  return rows_.divided() ? shares_.ranks().largest(Rendezvous::motion, of_own_rows) : of_own_rows;
}

/// Who took longer over its chunks gets fewer when they are dealt next. \return whether anybody does
bool ContactPipeline::balance() {
  if (shares_.whole()) return false;
  ByteWriter own;
  own.put(evaluation_.take_seconds_of_work());
  std::vector<double> seconds;
  for (const auto& part : shares_.ranks().gather(Rendezvous::evaluation, own.bytes()))
    seconds.push_back(ByteReader(part).take<double>());
  return shares_.balance(seconds);
}

/// Lists pairs, and gives them what they kept in the lists before. Both lists are there for a while.
void ContactPipeline::list_pairs(const PairLists::Settled& settled) {
  history_.complete();
  Handover handover(methods_, lists_.take_chunks(), history_.take_chunks());
  PairListing listing = lists_.list(settled);
  std::vector<PreviousPair> previous = handover.find_previous(listing, settled.row_now);
  lists_.cut(listing);
  history_.reset();
  lists_.fill(listing, previous, [&](std::size_t chunk, std::span<const PreviousPair> of_chunk) {
    handover.inherit(of_chunk, lists_.chunks()[chunk], history_.chunks()[chunk]);
  });
}

/// Puts bodies that left the periodic cell back into it; pairs, history and records name their images anew.
void ContactPipeline::wrap() {
  const std::vector<Image> went = world_.wrap();
  if (went.empty()) return;
  const auto renamed = [&](std::int32_t image, Id a, Id b) {
    const auto row_a = world_.row(a), row_b = world_.row(b);
    return row_a && row_b ? packed(unpacked(image) + went[*row_a] - went[*row_b]) : image;
  };
  const auto moved = [&](Id body) -> Vec3 {
    const auto row = world_.row(body);
    return row ? world_.cell.shift(went[*row]) : Vec3(Vec3::Zero());
  };
  lists_.rename_images(renamed);
  history_.rename_images(renamed);
  evaluation_.rename_images(renamed, moved);
}

}  // namespace scree
