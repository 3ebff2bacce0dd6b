/// \file First half of every evaluation: finds and counts the contacts of a chunk, and finds their predecessors.

#include <algorithm>

#include "scree/contacts/evaluation/approach.hpp"
#include "scree/contacts/evaluation/over_chunks.hpp"

namespace scree {

namespace {

/// Counts contacts. \param gaps  true if contacts may be gaps
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
  std::uint32_t last_pair = ~std::uint32_t{0};
  for (std::size_t i = 0; i < size; ++i) {
    if (overlap[i] <= 0) continue;
    ++counts.contacts;
    counts.touching_pairs += pair[i] != last_pair;
    last_pair = pair[i];
  }
  return counts;
}

/// Subtracts the overlap that bodies had when they were made, or when their bond broke: pieces of one solid push only
/// beyond it.
void tolerate_overlaps(const PairChunk& chunk, ContactBuffer& contacts) {
  for (std::size_t i = 0; i < contacts.size(); ++i) contacts.overlap()[i] -= chunk.tolerated[contacts.pair()[i]];
}

}  // namespace

/// Returns the largest gap that some pair of the chunk may close. \param ahead  [s] within this time
double ContactEvaluation::margin_for(const Work& w, double ahead) const {
  if (ahead == 0) return w.group.margin;
  const BodyView bodies = w.scratch.tile.view();
  double fastest = 0;
  for (const Pair& p : w.list.pairs)
    fastest = std::max(fastest, detail::approach_speed(bodies.row[p.a], bodies.row[p.b]));
  return w.group.margin + fastest * ahead;
}

/// Finds the chunk's contacts and their predecessors, and clears the results of earlier evaluations.
/// \param ahead  [s] gaps that may close within this time are contacts too
void ContactEvaluation::detect(Work& w, HistoryUpdate update, double ahead) {
  Scratch& s = w.scratch;
  const ContactDetector& detector = *w.group.detector;
  const double start = clock_seconds();
  s.tile.gather(world_, {world_.position.read(), world_.orientation.read(), world_.cell}, w.list,
                detector.sees_orientation());
  s.contacts.clear();
  s.masses.clear();
  const double margin = margin_for(w, ahead);
  w.list.cache.set_last(w.history.keys.last());
  detector.detect(s.tile.view(), w.list.pairs, w.list.cache, margin, s.contacts);
  if (!w.list.tolerated.empty()) tolerate_overlaps(w.list, s.contacts);
  const std::size_t history_hits = s.history.begin(w.history, w.group, s.contacts, update, keep_records);
  s.detect_seconds += clock_seconds() - start;

  w.result.counts = count_contacts(s.contacts, margin > 0 || !w.list.tolerated.empty());
  w.result.counts.history_hits = history_hits;
  w.result.records.clear();
  std::fill_n(w.slots, w.list.rows.size(), WrenchSlot{});
  if (keep_parts) clear_parts(w);
  s.columns.resize(LawColumns::kMost * kColumnStride);
}

}  // namespace scree
