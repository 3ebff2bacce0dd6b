#include "scree/sim/history_table.hpp"

#include <algorithm>
#include <tuple>

namespace scree {

namespace {

/// \param record  the index value is for
template <class T>
void append_unless_all_zero(std::vector<T>& column, std::size_t record, T value) {
  if (column.empty() && value == 0) return;
  column.resize(record);
  column.push_back(value);
}

template <class T>
T value_or_zero(const std::vector<T>& column, std::size_t record) {
  return record < column.size() ? column[record] : 0;
}

}  // namespace

void HistoryTable::expect(std::uint32_t interaction, std::size_t values, std::size_t records) {
  if (records == 0) return;
  Block& block = blocks_.emplace_back();
  block.interaction = interaction;
  block.values = values;
  block.a.reserve(records);
  block.b.reserve(records);
  block.number.reserve(records * values);
}

void HistoryTable::append(const Key& key, std::span<const double> values) {
  if (blocks_.empty() || blocks_.back().interaction != key.interaction || blocks_.back().values != values.size())
    expect(key.interaction, values.size(), 1);
  Block& block = blocks_.back();
  const std::size_t record = block.a.size();
  append_unless_all_zero(block.image, record, key.image);
  append_unless_all_zero(block.feature, record, key.feature);
  append_unless_all_zero(block.payload, record, key.payload);
  block.a.push_back(key.a);
  block.b.push_back(key.b);
  block.number.insert(block.number.end(), values.begin(), values.end());
}

HistoryTable::Key HistoryTable::key(const Place& p) const {
  const Block& block = blocks_[p.block];
  return {block.interaction,
          block.a[p.record],
          block.b[p.record],
          value_or_zero(block.image, p.record),
          value_or_zero(block.feature, p.record),
          value_or_zero(block.payload, p.record)};
}

std::vector<HistoryTable::Place> HistoryTable::places_in_order() const {
  std::vector<Place> places;
  for (std::uint32_t b = 0; b < blocks_.size(); ++b)
    for (std::uint32_t r = 0; r < blocks_[b].a.size(); ++r) places.push_back({b, r});
  const auto rank = [this](const Place& p) {
    const Block& block = blocks_[p.block];
    return std::tuple(block.interaction, block.a[p.record], block.b[p.record], value_or_zero(block.image, p.record),
                      p.block, p.record);
  };
  std::sort(places.begin(), places.end(), [&](const Place& p, const Place& q) { return rank(p) < rank(q); });
  return places;
}

std::vector<HistoryRecord> HistoryTable::records() const {
  std::vector<HistoryRecord> out;
  visit_in_order([&](const Key& k, std::span<const double> values) {
    out.push_back({k.interaction, k.a, k.b, k.image, k.feature, k.payload, {values.begin(), values.end()}});
  });
  return out;
}

}  // namespace scree
