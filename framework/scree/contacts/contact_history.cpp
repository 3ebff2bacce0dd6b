/// \file The history of ContactPipeline as seen from outside: by id, for hooks and checkpoints.

#include <algorithm>
#include <tuple>
#include <utility>

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

void ContactPipeline::drop_records() {
  kept_records_.reset();
  for (Chunk& chunk : chunks_) release(chunk.records);
}

HistoryTable ContactPipeline::history() const {
  HistoryTable table;
  for (const HistoryRecord& r : pending_)
    table.append({r.interaction, r.a, r.b, r.image, r.feature, r.payload}, r.values);
  std::vector<double> values;
  for (const Chunk& chunk : chunks_) {
    const ContactKeys& keys = chunk.history.keys;
    const std::uint32_t interaction = methods_.channels[chunk.channel].interaction;
    values.resize(static_cast<std::size_t>(methods_.interactions[interaction].history));
    table.expect(interaction, values.size(), keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
      const Pair& p = chunk.pairs[keys.pair[i]];
      for (std::size_t k = 0; k < values.size(); ++k) values[k] = chunk.history.committed[static_cast<int>(k)][i];
      table.append({interaction, row_ids_[chunk.rows[p.a]], row_ids_[chunk.rows[p.b]], chunk.image_of(keys.pair[i]),
                    keys.feature(i), keys.payload(i)},
                   values);
    }
  }
  return table;
}

void ContactPipeline::insert(std::span<const HistoryRecord> records) {
  pending_.insert(pending_.end(), records.begin(), records.end());
  if (layout_ == world_.layout_version()) place_pending();
}

/// Gives pending records to the pairs that are listed by now. Rare (restart, culling): a plain rebuild of the stores.
void ContactPipeline::place_pending() {
  if (pending_.empty()) return;
  const auto key = [](const HistoryRecord& r) { return std::tie(r.interaction, r.a, r.b, r.image); };
  std::stable_sort(pending_.begin(), pending_.end(), [&](const auto& p, const auto& q) { return key(p) < key(q); });
  std::vector<bool> placed(pending_.size(), false);
  for (Chunk& chunk : chunks_) {
    const std::uint32_t interaction = methods_.channels[chunk.channel].interaction;
    const int columns = methods_.interactions[interaction].history;
    const ChunkHistory old = std::exchange(chunk.history, {});
    struct Item {
      std::uint32_t pair, feature;
      std::uint64_t payload;
      const HistoryRecord* record;
      std::size_t old;
    };
    std::vector<Item> items;
    std::size_t i = 0;
    for (std::uint32_t p = 0; p < chunk.pairs.size(); ++p) {
      for (; i < old.keys.size() && old.keys.pair[i] == p; ++i)
        items.push_back({p, old.keys.feature(i), old.keys.payload(i), nullptr, i});
      HistoryRecord wanted{interaction,
                           row_ids_[chunk.rows[chunk.pairs[p].a]],
                           row_ids_[chunk.rows[chunk.pairs[p].b]],
                           chunk.image_of(p),
                           0,
                           0,
                           {}};
      auto it = std::lower_bound(pending_.begin(), pending_.end(), wanted,
                                 [&](const auto& x, const auto& y) { return key(x) < key(y); });
      for (; it != pending_.end() && key(*it) == key(wanted); ++it) {
        placed[static_cast<std::size_t>(it - pending_.begin())] = true;
        items.push_back({p, it->feature, it->payload, &*it, 0});
      }
    }
    std::vector<std::uint32_t> pair, feature;
    std::vector<std::uint64_t> payload;
    HistoryColumns& values = chunk.history.committed;
    values.resize(items.size(), columns);
    for (std::size_t c = 0; c < items.size(); ++c) {
      const Item& item = items[c];
      pair.push_back(item.pair);
      feature.push_back(item.feature);
      payload.push_back(item.payload);
      for (int k = 0; k < columns; ++k)
        values[k][c] = item.record ? item.record->values[static_cast<std::size_t>(k)] : old.committed[k][item.old];
    }
    chunk.history.keys.assign(items.size(), pair.data(), feature.data(), payload.data());
  }
  std::vector<HistoryRecord> rest;
  for (std::size_t i = 0; i < pending_.size(); ++i)
    if (!placed[i]) rest.push_back(std::move(pending_[i]));
  pending_ = std::move(rest);
}

}  // namespace scree
