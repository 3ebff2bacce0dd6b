/// \file Exchange of results between ranks. The sums that follow are the same on every rank.

#include "scree/base/packed_bytes.hpp"
#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

/// Exchanges the wrenches on shared bodies. If a rank has failed, all ranks leave the World as one rank would have.
/// \param failure  failure of this rank in its chunks
/// \throws failure on all ranks, the same one
void ContactEvaluation::share_wrenches(const FirstFailure& failure) {
  Ranks& ranks = shares_.ranks();
  rows_.halo().pack_wrenches(slot_wrench_);  // before ranks wait for each other
  if (ranks.largest(CollectiveTag::evaluation, failure.failure() ? 1 : 0) == 0) return rows_.halo().exchange_wrenches();
  rows_.join();
  if (failure.failure()) raise(ranks.agree_on(failure_of(failure.failure()), lists_.order_of(failure.item())));
  ranks.gather(CollectiveTag::agreement);
}

/// Gathers the forces on all bodies if rows are not divided, since all ranks then need them.
void ContactEvaluation::gather_forces(std::span<Vec3> force, std::span<Vec3> torque) {
  if (shares_.whole() || partial_) return;
  rows_.gather(force);
  rows_.gather(torque);
  static constexpr const char* kOwn[] = {"own_force", "own_torque"};
  rows_.gather_columns(kOwn);
}

/// Finishes an evaluation: gathers and sums its results.
void ContactEvaluation::finish() {
  if (!shares_.whole() && !partial_) gather_results();
  sum_counts();
}

void ContactEvaluation::complete() {
  gather_results();
  partial_ = false;
  sum_counts();
}

/// Gathers the results of all ranks' chunks, except forces on bodies.
void ContactEvaluation::gather_results() {
  Ranks& ranks = shares_.ranks();
  ByteWriter found;
  found.put(asked_for());
  ChunkCounts counts;
  std::vector<ExactSum> elastic(keep_parts ? methods_.entries.size() : 0);
  std::size_t records = 0;
  for (const ChunkResult& chunk : results_) {
    counts.add(chunk.counts);
    for (std::size_t entry = 0; entry < elastic.size(); ++entry) elastic[entry].add(chunk.elastic[entry]);
    records += chunk.records.size();
  }
  found.put(counts);
  found.put(elastic.data(), elastic.size());
  found.put(records);
  for (const ChunkResult& chunk : results_) found.put(chunk.records.data(), chunk.records.size());
  const auto parts = ranks.gather(CollectiveTag::evaluation, found.bytes());
  // Compares all parts first: if ranks differ, all of them throw.
  for (const auto& part : parts)
    if (ByteReader(part).take<std::uint32_t>() != ByteReader(parts[0]).take<std::uint32_t>())
      throw InternalError("the ranks of this run do not ask for the same of its contacts.");
  others_ = {};
  others_.elastic.resize(elastic.size());
  std::vector<ContactRecord> of_rank;
  for (std::size_t r = 0; r < parts.size(); ++r) {
    if (r == static_cast<std::size_t>(ranks.rank())) continue;
    ByteReader from(parts[r]);
    from.take<std::uint32_t>();
    others_.counts.add(from.take<ChunkCounts>());
    for (ExactSum& sum : others_.elastic) sum.add(from.take<ExactSum>());
    from.take(of_rank, from.take<std::size_t>());
    others_.records.insert(others_.records.end(), of_rank.begin(), of_rank.end());
  }
}

/// Returns the kinds of results requested, as a number.
std::uint32_t ContactEvaluation::asked_for() const {
  return (keep_records ? 1u : 0u) | (compute_energy ? 2u : 0u) | (keep_parts ? 4u : 0u);
}

}  // namespace scree
