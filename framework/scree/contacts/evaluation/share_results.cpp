/// \file What ranks have found in their chunks goes to all of them. The sums that follow are the same on every rank.

#include <numeric>

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

/// \param failure  what kept this rank from an end with its chunks  \throws what all ranks end with
void ContactEvaluation::share_results(const FirstFailure& failure) {
  Ranks& ranks = shares_.ranks();
  if (failure.failure()) raise(ranks.agree_on(failure_of(failure.failure()), failure.item()));
  ByteWriter found;
  found.put(asked_for());
  const ChunkShares::Range own = shares_.own();
  for (std::size_t c = own.first; c < own.end; ++c) pack(results_[c], found);
  const auto parts = ranks.gather(Rendezvous::evaluation, found.bytes());
  // All parts first: where ranks differ, all of them throw.
  for (const auto& part : parts)
    if (ByteReader(part).take<std::uint32_t>() != ByteReader(parts[0]).take<std::uint32_t>())
      throw InternalError("the ranks of this run do not ask for the same of its contacts.");
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (r == static_cast<std::size_t>(ranks.rank())) continue;
    ByteReader from(parts[r]);
    from.take<std::uint32_t>();
    for (std::size_t c = shares_.of(r).first; c < shares_.of(r).end; ++c) unpack(from, results_[c]);
  }
  body_shares_.gather(ranks);
  if (!keep_parts) return;
  const std::size_t count = lists_.slot_count();
  for (std::size_t part = 0; part < methods_.entries.size() * kForceParts; ++part)
    share_slots(std::span(part_wrench_).subspan(part * count, count));
}

/// What is packed of each chunk, as a number.
std::uint32_t ContactEvaluation::asked_for() const {
  return (keep_records ? 1u : 0u) | (compute_energy ? 2u : 0u) | (keep_parts ? 4u : 0u);
}

/// Of a part of the forces. Chunks of a rank follow each other, and so do their slots.
void ContactEvaluation::share_slots(std::span<WrenchSlot> slots) const {
  const std::span<const PairChunk> chunks = lists_.chunks();
  const auto first_slot = [&](std::size_t chunk) {
    return chunk < chunks.size() ? chunks[chunk].first_slot : slots.size();
  };
  std::vector<std::size_t> sizes;
  for (std::size_t r = 0; r < static_cast<std::size_t>(shares_.ranks().size()); ++r)
    sizes.push_back((first_slot(shares_.of(r).end) - first_slot(shares_.of(r).first)) * sizeof(WrenchSlot));
  shares_.ranks().gather_in_place(std::as_writable_bytes(slots), sizes);
}

void ContactEvaluation::pack(const ChunkResult& chunk, ByteWriter& to) const {
  const ChunkCounts& counts = chunk.counts;
  to.put(counts.contacts);
  to.put(counts.touching_pairs);
  to.put(counts.history_hits);
  to.put(counts.max_overlap);
  if (compute_energy) to.put(counts.elastic_energy);
  if (keep_parts) to.put(chunk.elastic.data(), methods_.entries.size());
  if (!keep_records) return;
  to.put(chunk.records.size());
  to.put(chunk.records.data(), chunk.records.size());
}

void ContactEvaluation::unpack(ByteReader& from, ChunkResult& chunk) const {
  ChunkCounts& counts = chunk.counts;
  counts.contacts = from.take<std::size_t>();
  counts.touching_pairs = from.take<std::size_t>();
  counts.history_hits = from.take<std::size_t>();
  counts.max_overlap = from.take<double>();
  counts.elastic_energy = compute_energy ? from.take<ExactSum>() : ExactSum{};
  if (keep_parts) from.take(chunk.elastic, methods_.entries.size());
  chunk.records.clear();
  if (keep_records) from.take(chunk.records, from.take<std::size_t>());
}

}  // namespace scree
