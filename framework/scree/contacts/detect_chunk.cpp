/// \file The first half of every evaluation of ContactPipeline: the contacts of a chunk, counted, and what they go on
/// from.

#include <algorithm>

#include "scree/contacts/detail/approach.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

namespace {

/// \param gaps  whether contacts may be gaps
ChunkCounts count_contacts(const ContactBuffer& contacts, bool gaps) {
  ChunkCounts counts;
  const std::size_t size = contacts.size();
  const double* const overlap = contacts.overlap();
  const std::uint32_t* const pair = contacts.pair();
  double deepest = 0;
#pragma omp simd reduction(max : deepest)
  for (std::size_t i = 0; i < size; ++i) deepest = overlap[i] > deepest ? overlap[i] : deepest;
  counts.max_overlap = deepest;
  if (!gaps) {
    std::uint32_t pairs = size > 0 ? 1 : 0;
    for (std::size_t i = 1; i < size; ++i) pairs += pair[i] != pair[i - 1] ? 1 : 0;
    counts.contacts = size;
    counts.touching_pairs = pairs;
    return counts;
  }
  std::uint32_t last_pair = kNowhere;
  for (std::size_t i = 0; i < size; ++i) {
    if (overlap[i] <= 0) continue;
    ++counts.contacts;
    counts.touching_pairs += pair[i] != last_pair;
    last_pair = pair[i];
  }
  return counts;
}

/// Pieces of one solid push from where they were on, not from where they touch.
void tolerate_overlaps(const Chunk& chunk, ContactBuffer& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) contacts.overlap()[i] -= chunk.tolerated[contacts.pair()[i]];
}

}  // namespace

/// Gaps that some pair of the chunk may close. \param ahead  [s] within this time
double ContactPipeline::margin_for(const Chunk& chunk, const Scratch& s, double ahead) const {
  const double margin = group_of(chunk).margin;
  if (ahead == 0) return margin;
  const BodyView bodies = s.tile.view();
  double fastest = 0;
  for (const Pair& p : chunk.pairs)
    fastest = std::max(fastest, detail::approach_speed(bodies.row[p.a], bodies.row[p.b]));
  return margin + fastest * ahead;
}

/// Finds the chunk's contacts and what each goes on from, and clears what earlier evaluations left.
/// \param ahead  [s] gaps that may close within this time are contacts too
void ContactPipeline::detect_chunk(Chunk& chunk, Scratch& s, Keep keep, double ahead) {
  const Group group = group_of(chunk);
  const ContactDetector& detector = *group.detector;
  const double start = clock_seconds();
  s.tile.gather(world_, {world_.position.read(), world_.orientation.read(), world_.cell}, chunk,
                detector.sees_orientation());
  s.contacts.clear();
  const double margin = margin_for(chunk, s, ahead);
  detector.detect(s.tile.view(), chunk.pairs, chunk.cache, margin, s.contacts);
  if (!chunk.tolerated.empty()) tolerate_overlaps(chunk, s.contacts);
  const std::size_t history_hits =
      s.succession.match(chunk.history.keys, s.contacts, detector, keep_records, group.impulses);
  chunk.history.same_keys = s.succession.unchanged();
  make_room(chunk, keep, s);
  s.detect_seconds += clock_seconds() - start;

  chunk.counts = count_contacts(s.contacts, margin > 0 || !chunk.tolerated.empty());
  chunk.counts.history_hits = history_hits;
  chunk.records.clear();
  std::fill_n(slot_wrench_.data() + chunk.first_slot, chunk.rows.size(), WrenchSlot{});
  s.columns.resize(LawColumns::kMost * Scratch::kStride);
}

}  // namespace scree
