/// \file What ranks have found in their chunks goes to all of them. The sums that follow are the same on every rank.

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

/// \param failure  what kept this rank from an end with its chunks  \throws what all ranks end with
void ContactEvaluation::share_results(const FirstFailure& failure) {
  Ranks& ranks = shares_.ranks();
  if (failure.failure()) raise(ranks.agree_on(failure_of(failure.failure()), failure.item()));
  gather_results();
  body_shares_.gather(ranks);
}

/// The same while rows are divided: bodies at the borders alone. Where a rank has failed, all leave the World as one
/// rank would have.
void ContactEvaluation::share_wrenches(const FirstFailure& failure) {
  Ranks& ranks = shares_.ranks();
  if (ranks.largest(Rendezvous::evaluation, failure.failure() ? 1 : 0) == 0) return rows_.border().exchange_wrenches();
  rows_.join();
  if (failure.failure()) raise(ranks.agree_on(failure_of(failure.failure()), failure.item()));
  ranks.gather(Rendezvous::agreement);
}

void ContactEvaluation::complete() {
  gather_results();
  partial_ = false;
  sum_counts();
}

/// What all ranks have found in their chunks, forces on bodies apart.
void ContactEvaluation::gather_results() {
  Ranks& ranks = shares_.ranks();
  ByteWriter found;
  found.put(asked_for());
  for (const std::uint32_t c : shares_.own()) pack(c, found);
  const auto parts = ranks.gather(Rendezvous::evaluation, found.bytes());
  // All parts first: where ranks differ, all of them throw.
  for (const auto& part : parts)
    if (ByteReader(part).take<std::uint32_t>() != ByteReader(parts[0]).take<std::uint32_t>())
      throw InternalError("the ranks of this run do not ask for the same of its contacts.");
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (r == static_cast<std::size_t>(ranks.rank())) continue;
    ByteReader from(parts[r]);
    from.take<std::uint32_t>();
    for (const std::uint32_t c : shares_.of(r)) unpack(from, c);
  }
}

/// What is packed of each chunk, as a number.
std::uint32_t ContactEvaluation::asked_for() const {
  return (keep_records ? 1u : 0u) | (compute_energy ? 2u : 0u) | (keep_parts ? 4u : 0u);
}

void ContactEvaluation::pack(std::size_t c, ByteWriter& to) const {
  const ChunkResult& chunk = results_[c];
  const ChunkCounts& counts = chunk.counts;
  to.put(counts.contacts);
  to.put(counts.touching_pairs);
  to.put(counts.history_hits);
  to.put(counts.max_overlap);
  if (compute_energy) to.put(counts.elastic_energy);
  if (keep_parts) {
    to.put(chunk.elastic.data(), methods_.entries.size());
    const PairChunk& list = lists_.chunks()[c];
    for (std::size_t first = list.first_slot; first < part_wrench_.size(); first += lists_.slot_count())
      to.put(part_wrench_.data() + first, list.rows.size());
  }
  if (!keep_records) return;
  to.put(chunk.records.size());
  to.put(chunk.records.data(), chunk.records.size());
}

void ContactEvaluation::unpack(ByteReader& from, std::size_t c) {
  ChunkResult& chunk = results_[c];
  ChunkCounts& counts = chunk.counts;
  counts.contacts = from.take<std::size_t>();
  counts.touching_pairs = from.take<std::size_t>();
  counts.history_hits = from.take<std::size_t>();
  counts.max_overlap = from.take<double>();
  counts.elastic_energy = compute_energy ? from.take<ExactSum>() : ExactSum{};
  if (keep_parts) {
    from.take(chunk.elastic, methods_.entries.size());
    const PairChunk& list = lists_.chunks()[c];
    for (std::size_t first = list.first_slot; first < part_wrench_.size(); first += lists_.slot_count())
      from.take(part_wrench_.data() + first, list.rows.size());
  }
  chunk.records.clear();
  if (keep_records) from.take(chunk.records, from.take<std::size_t>());
}

}  // namespace scree
