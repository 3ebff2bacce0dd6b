/// \file The history of ContactPipeline as seen from outside: by id, for hooks and checkpoints.

#include <fmt/format.h>

#include <algorithm>
#include <tuple>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/contacts/detail/pipeline_parts.hpp"

namespace scree {

ContactView ContactPipeline::contact_view() const {
  if (kept_records_) return *kept_records_;
  std::size_t size = 0;
  for (const Chunk& chunk : chunks_) size += chunk.records.size();
  ContactView view;
  view.reserve(size);
  for (const Chunk& chunk : chunks_) view.insert(view.end(), chunk.records.begin(), chunk.records.end());
  detail::sort_records(view);
  return view;
}

/// One contact of a chunk, with what its law remembers. \param values  working memory
void ContactPipeline::append_history(const Chunk& chunk, std::size_t i, std::vector<double>& values,
                                     HistoryTable& to) const {
  const ContactKeys& keys = chunk.history.keys;
  const Pair& p = chunk.pairs[keys.pair[i]];
  const std::uint32_t interaction = methods_.channels[chunk.channel_of(keys.pair[i])].interaction;
  values.resize(static_cast<std::size_t>(methods_.interactions[interaction].history));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = chunk.history.committed[static_cast<int>(k)][i];
  to.append({interaction, row_ids_[chunk.rows[p.a]], row_ids_[chunk.rows[p.b]], chunk.image_of(keys.pair[i]),
             keys.feature(i), keys.payload(i)},
            values);
}

HistoryTable ContactPipeline::history() const {
  HistoryTable table;
  for (const HistoryRecord& r : pending_)
    table.append({r.interaction, r.a, r.b, r.image, r.feature, r.payload}, r.values);
  std::vector<double> values;
  for (const Chunk& chunk : chunks_) {
    const ContactKeys& keys = chunk.history.keys;
    std::size_t i = 0;
    for (const Chunk::Segment& s : chunk.segments) {
      const std::uint32_t interaction = methods_.channels[s.channel].interaction;
      const std::size_t end = keys.first_of_pair(s.end);
      table.expect(interaction, static_cast<std::size_t>(methods_.interactions[interaction].history), end - i);
      for (; i < end; ++i) append_history(chunk, i, values, table);
    }
  }
  return table;
}

/// Rows of the lists. \param bodies  ascending
std::vector<std::uint32_t> ContactPipeline::list_rows_of(std::span<const Id> bodies) const {
  std::vector<std::uint32_t> rows;
  if (layout_ == world_.layout_version()) {
    for (const Id id : bodies)
      if (const auto row = world_.row(id)) rows.push_back(static_cast<std::uint32_t>(*row));
    return rows;
  }
  for (std::uint32_t i = 0; i < row_ids_.size(); ++i)
    if (std::binary_search(bodies.begin(), bodies.end(), row_ids_[i])) rows.push_back(i);
  return rows;
}

/// Appends the chunks that hold a row of the lists.
void ContactPipeline::add_chunks_of(std::uint32_t row, std::vector<std::uint32_t>& chunks) const {
  for (std::uint32_t k = slot_start_[row]; k < slot_start_[row + 1]; ++k) {
    const auto behind = std::ranges::upper_bound(chunks_, slots_[k], {}, &Chunk::first_slot);
    chunks.push_back(static_cast<std::uint32_t>(behind - chunks_.begin() - 1));
  }
}

namespace {

template <class T>
void sort_unique(std::vector<T>& v) {
  std::sort(v.begin(), v.end());
  v.erase(std::unique(v.begin(), v.end()), v.end());
}

}  // namespace

std::vector<HistoryRecord> ContactPipeline::history_of(std::span<const Id> bodies) const {
  std::vector<Id> wanted(bodies.begin(), bodies.end());
  sort_unique(wanted);
  const auto is_wanted = [&](Id id) { return std::binary_search(wanted.begin(), wanted.end(), id); };
  HistoryTable table;
  for (const HistoryRecord& r : pending_)
    if (is_wanted(r.a) || is_wanted(r.b))
      table.append({r.interaction, r.a, r.b, r.image, r.feature, r.payload}, r.values);
  std::vector<std::uint32_t> chunks;
  for (const std::uint32_t row : list_rows_of(wanted)) add_chunks_of(row, chunks);
  sort_unique(chunks);
  std::vector<double> values;
  for (const std::uint32_t c : chunks) {
    const Chunk& chunk = chunks_[c];
    std::vector<bool> local(chunk.rows.size());
    for (std::size_t r = 0; r < local.size(); ++r) local[r] = is_wanted(row_ids_[chunk.rows[r]]);
    const ContactKeys& keys = chunk.history.keys;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (const Pair& p = chunk.pairs[keys.pair[i]]; local[p.a] || local[p.b]) append_history(chunk, i, values, table);
  }
  return table.records();
}

void ContactPipeline::check(const HistoryRecord& r) const {
  const auto refuse = [&](const std::string& what) {
    throw Error(fmt::format("contact history of bodies {} and {} {}", r.a, r.b, what));
  };
  if (r.a >= r.b) refuse("names the body with the lower id last; it comes first");
  if (r.interaction >= methods_.interactions.size())
    refuse(fmt::format("is of interaction {}, but there are {}, counted from 0", r.interaction,
                       methods_.interactions.size()));
  const auto expected = static_cast<std::size_t>(methods_.interactions[r.interaction].history);
  if (r.values.size() != expected)
    refuse(fmt::format("has {} values, but the law of interaction {} remembers {}", r.values.size(), r.interaction,
                       expected));
}

void ContactPipeline::insert(std::span<const HistoryRecord> records) {
  for (const HistoryRecord& r : records) check(r);
  pending_.insert(pending_.end(), records.begin(), records.end());
  if (layout_ == world_.layout_version()) place_pending();
}

namespace {

auto pair_of(const HistoryRecord& r) { return std::tie(r.interaction, r.a, r.b, r.image); }

}  // namespace

/// Those that may hold the pair of a record that waits. \pre rows are those of the lists
std::vector<std::uint32_t> ContactPipeline::chunks_of_pending() const {
  std::vector<Id> bodies;
  for (const HistoryRecord& r : pending_) bodies.push_back(r.a);
  sort_unique(bodies);
  std::vector<std::uint32_t> chunks;
  for (const std::uint32_t row : list_rows_of(bodies)) add_chunks_of(row, chunks);
  sort_unique(chunks);
  return chunks;
}

/// Gives records that wait to the pairs that are listed by now; the others go on waiting.
void ContactPipeline::place_pending() {
  if (pending_.empty()) return;
  std::ranges::stable_sort(pending_, [](const auto& p, const auto& q) { return pair_of(p) < pair_of(q); });
  std::vector<char> placed(pending_.size(), 0);
  const std::vector<std::uint32_t> chunks = chunks_of_pending();
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) if (pending_.size() > kParallelPairs)
  for (std::size_t k = 0; k < chunks.size(); ++k) failure.watch(k, [&] { place_in(chunks_[chunks[k]], placed); });
  failure.rethrow();
  std::vector<HistoryRecord> rest;
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (!placed[i]) rest.push_back(std::move(pending_[i]));
  pending_ = std::move(rest);
}

/// Makes the chunk's history anew, with the records of its pairs behind what those have. \param placed  of pending_
void ContactPipeline::place_in(Chunk& chunk, std::span<char> placed) const {
  const ChunkHistory old = std::exchange(chunk.history, {});
  std::vector<std::uint32_t> pair, feature;
  std::vector<std::uint64_t> payload;
  std::vector<std::pair<const HistoryRecord*, std::size_t>> source;  // the record, or the contact of old
  const auto add = [&](std::uint32_t p, std::uint32_t f, std::uint64_t of_detector, const HistoryRecord* r,
                       std::size_t contact) {
    pair.push_back(p);
    feature.push_back(f);
    payload.push_back(of_detector);
    source.emplace_back(r, contact);
  };
  HistoryRecord wanted{.interaction = 0, .a = 0, .b = 0, .image = 0, .feature = 0, .payload = 0, .values = {}};
  const auto before = [](const HistoryRecord& x, const HistoryRecord& y) { return pair_of(x) < pair_of(y); };
  for (std::uint32_t p = 0, i = 0; p < chunk.pairs.size(); ++p) {
    for (; i < old.keys.size() && old.keys.pair[i] == p; ++i)
      add(p, old.keys.feature(i), old.keys.payload(i), nullptr, i);
    wanted.interaction = methods_.channels[chunk.channel_of(p)].interaction;
    wanted.a = row_ids_[chunk.rows[chunk.pairs[p].a]];
    wanted.b = row_ids_[chunk.rows[chunk.pairs[p].b]];
    wanted.image = chunk.image_of(p);
    const auto [first, last] = std::equal_range(pending_.begin(), pending_.end(), wanted, before);
    for (auto it = first; it != last; ++it) {
      placed[static_cast<std::size_t>(it - pending_.begin())] = 1;
      add(p, it->feature, it->payload, &*it, 0);
    }
  }
  HistoryColumns& values = chunk.history.committed;
  const int columns = group_of(chunk).history;
  values.resize(source.size(), columns);
  for (std::size_t c = 0; c < source.size(); ++c) {
    const auto [record, contact] = source[c];
    for (int k = 0; k < columns; ++k)
      values[k][c] = record ? record->values[static_cast<std::size_t>(k)] : old.committed[k][contact];
  }
  chunk.history.keys.assign(source.size(), pair.data(), feature.data(), payload.data());
}

}  // namespace scree
