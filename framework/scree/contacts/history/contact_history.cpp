#include "scree/contacts/history/contact_history.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <tuple>
#include <utility>

#include "scree/base/error.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/base/release.hpp"
#include "scree/contacts/parallel_pairs.hpp"

namespace scree {

namespace {

auto pair_of(const HistoryRecord& r) { return std::tie(r.interaction, r.a, r.b, r.image); }

std::vector<Id> sorted(std::vector<Id> ids) {
  std::ranges::sort(ids);
  ids.erase(std::ranges::unique(ids).begin(), ids.end());
  return ids;
}

}  // namespace

std::vector<ChunkHistory> ContactHistory::take_chunks() {
  for (ChunkHistory& chunk : chunks_) chunk.drop_trial();
  return std::exchange(chunks_, {});
}

void ContactHistory::commit_trial() {
  for (ChunkHistory& chunk : chunks_) chunk.commit();
}

/// Returns a record of a pair, without values.
HistoryRecord ContactHistory::record_of(std::size_t c, std::uint32_t p) const {
  const PairChunk& list = lists_.chunks()[c];
  const Pair& pair = list.pairs[p];
  const auto id = [&](std::uint32_t row) { return lists_.ids()[list.rows[row]]; };
  return {.interaction = methods_.channels[list.channel_of(p)].interaction,
          .a = id(pair.a),
          .b = id(pair.b),
          .image = list.image_of(p),
          .feature = 0,
          .payload = 0,
          .values = {}};
}

/// Appends one contact of a chunk with its history. \param values  working memory
void ContactHistory::append(std::size_t c, std::size_t i, std::vector<double>& values, HistoryTable& to) const {
  const ChunkHistory& chunk = chunks_[c];
  const HistoryRecord r = record_of(c, chunk.keys.pair[i]);
  values.resize(static_cast<std::size_t>(methods_.interactions[r.interaction].history));
  for (std::size_t k = 0; k < values.size(); ++k) values[k] = chunk.committed[static_cast<int>(k)][i];
  to.append({r.interaction, r.a, r.b, r.image, chunk.keys.feature(i), chunk.keys.payload(i)}, values);
}

/// Appends all contacts of a chunk.
void ContactHistory::append_chunk(std::size_t c, HistoryTable& to) const {
  std::vector<double> values;
  std::size_t i = 0;
  for (const PairChunk::Segment& s : lists_.chunks()[c].segments) {
    const std::uint32_t interaction = methods_.channels[s.channel].interaction;
    const std::size_t end = chunks_[c].keys.first_of_pair(s.end);
    to.expect(interaction, static_cast<std::size_t>(methods_.interactions[interaction].history), end - i);
    for (; i < end; ++i) append(c, i, values, to);
  }
}

HistoryTable ContactHistory::table() const {
  HistoryTable table;
  for (std::size_t c = 0; c < chunks_.size(); ++c) append_chunk(c, table);
  append_others(table);
  for (const HistoryRecord& r : pending_)
    table.append({r.interaction, r.a, r.b, r.image, r.feature, r.payload}, r.values);
  return table;
}

std::vector<HistoryRecord> ContactHistory::of_bodies(std::span<const Id> bodies) const {
  const std::vector<Id> wanted = sorted({bodies.begin(), bodies.end()});
  const auto is_wanted = [&](Id id) { return std::ranges::binary_search(wanted, id); };
  HistoryTable table;
  std::vector<double> values;
  for (const std::uint32_t c : lists_.chunks_of(lists_.rows_of(wanted))) {
    const PairChunk& list = lists_.chunks()[c];
    std::vector<bool> local(list.rows.size());
    for (std::size_t r = 0; r < local.size(); ++r) local[r] = is_wanted(lists_.ids()[list.rows[r]]);
    const ContactKeys& keys = chunks_[c].keys;
    for (std::size_t i = 0; i < keys.size(); ++i)
      if (const Pair& p = list.pairs[keys.pair[i]]; local[p.a] || local[p.b]) append(c, i, values, table);
  }
  append_others(table);
  for (const HistoryRecord& r : pending_)
    if (is_wanted(r.a) || is_wanted(r.b))
      table.append({r.interaction, r.a, r.b, r.image, r.feature, r.payload}, r.values);
  return table.records();
}

void ContactHistory::check(const HistoryRecord& r) const {
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

void ContactHistory::insert(std::span<const HistoryRecord> records) {
  for (const HistoryRecord& r : records) check(r);
  pending_.insert(pending_.end(), records.begin(), records.end());
  if (lists_.of_these_rows()) place_pending();
}

void ContactHistory::drop_pending() { release(pending_); }

void ContactHistory::rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed) {
  for (HistoryRecord& r : pending_) r.image = renamed(r.image, r.a, r.b);
}

/// Returns the chunks that may hold the pair of a pending record. \pre rows are those of the lists
std::vector<std::uint32_t> ContactHistory::chunks_of_pending() const {
  std::vector<Id> bodies;
  for (const HistoryRecord& r : pending_) bodies.push_back(r.a);
  return lists_.chunks_of(lists_.rows_of(sorted(std::move(bodies))));
}

void ContactHistory::place_pending() {
  if (pending_.empty()) return;
  std::ranges::stable_sort(pending_, [](const auto& p, const auto& q) { return pair_of(p) < pair_of(q); });
  std::vector<char> placed(pending_.size(), 0);
  const std::vector<std::uint32_t> chunks = chunks_of_pending();
  FirstFailure failure;
#pragma omp parallel for schedule(dynamic, 1) if (pending_.size() > kParallelPairs)
  for (std::size_t k = 0; k < chunks.size(); ++k) failure.watch(k, [&] { place_in(chunks[k], placed); });
  failure.rethrow();
  agree_on_placed(placed);
  std::vector<HistoryRecord> rest;
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (!placed[i]) rest.push_back(std::move(pending_[i]));
  pending_ = std::move(rest);
}

/// Makes the chunk's history again, with the records of its pairs behind their present contacts. \param placed  flags
/// of pending_
void ContactHistory::place_in(std::size_t c, std::span<char> placed) {
  const PairChunk& list = lists_.chunks()[c];
  const ChunkHistory old = std::exchange(chunks_[c], {});
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
  const auto before = [](const HistoryRecord& x, const HistoryRecord& y) { return pair_of(x) < pair_of(y); };
  for (std::uint32_t p = 0, i = 0; p < list.pairs.size(); ++p) {
    for (; i < old.keys.size() && old.keys.pair[i] == p; ++i)
      add(p, old.keys.feature(i), old.keys.payload(i), nullptr, i);
    const auto [first, last] = std::equal_range(pending_.begin(), pending_.end(), record_of(c, p), before);
    for (auto it = first; it != last; ++it) {
      placed[static_cast<std::size_t>(it - pending_.begin())] = 1;
      add(p, it->feature, it->payload, &*it, 0);
    }
  }
  HistoryColumns& values = chunks_[c].committed;
  const int columns = ChannelGroup(methods_, list).history;
  values.resize(source.size(), columns);
  for (std::size_t k = 0; k < source.size(); ++k) {
    const auto [record, contact] = source[k];
    for (int column = 0; column < columns; ++column)
      values[column][k] = record ? record->values[static_cast<std::size_t>(column)] : old.committed[column][contact];
  }
  chunks_[c].keys.assign(source.size(), pair.data(), feature.data(), payload.data());
}

}  // namespace scree
