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
      history_(methods, lists_, shares_),
      evaluation_(world, methods, lists_, shares_, history_, seconds) {}

ContactPipeline::~ContactPipeline() = default;

void ContactPipeline::rebuild(bool reorder, double skin) {
  const double start = clock_seconds();
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
  shares_.deal(lists_.chunks());
  evaluation_.reset();
  history_.place_pending();
}

void ContactPipeline::evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force,
                               std::span<Vec3> torque, HistoryUpdate update) {
  if (++evaluations_ % kEvaluationsInBalance == 0 && balance()) deal_anew();
  evaluation_.forces(dt, lag, others, force, torque, update);
}

void ContactPipeline::deal_anew() {
  history_.complete();
  shares_.deal(lists_.chunks());
  evaluation_.reset();
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
