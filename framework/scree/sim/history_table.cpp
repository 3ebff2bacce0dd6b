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

void HistoryTable::reserve(std::size_t records, std::size_t values) {
  a_.reserve(records);
  b_.reserve(records);
  values_.reserve(values);
}

void HistoryTable::append(const Key& key, std::span<const double> values) {
  const auto length = static_cast<std::uint32_t>(values.size());
  if (runs_.empty() || runs_.back().interaction != key.interaction || runs_.back().values != length)
    runs_.push_back({key.interaction, length, 0});
  ++runs_.back().records;
  const std::size_t record = size();
  append_unless_all_zero(image_, record, key.image);
  append_unless_all_zero(feature_, record, key.feature);
  append_unless_all_zero(payload_, record, key.payload);
  a_.push_back(key.a);
  b_.push_back(key.b);
  values_.insert(values_.end(), values.begin(), values.end());
}

HistoryTable::Key HistoryTable::key(const Place& p) const {
  return {p.interaction,
          a_[p.record],
          b_[p.record],
          value_or_zero(image_, p.record),
          value_or_zero(feature_, p.record),
          value_or_zero(payload_, p.record)};
}

std::vector<HistoryTable::Place> HistoryTable::places_in_order() const {
  std::vector<Place> places;
  places.reserve(size());
  std::size_t record = 0, value = 0;
  for (const Run& run : runs_)
    for (std::size_t k = 0; k < run.records; ++k, ++record, value += run.values)
      places.push_back({run.interaction, run.values, record, value});
  const auto rank = [this](const Place& p) {
    return std::tuple(p.interaction, a_[p.record], b_[p.record], value_or_zero(image_, p.record), p.record);
  };
  std::sort(places.begin(), places.end(), [&](const Place& p, const Place& q) { return rank(p) < rank(q); });
  return places;
}

std::vector<HistoryRecord> HistoryTable::records() const {
  std::vector<HistoryRecord> out;
  out.reserve(size());
  visit_in_order([&](const Key& k, std::span<const double> values) {
    out.push_back({k.interaction, k.a, k.b, k.image, k.feature, k.payload, {values.begin(), values.end()}});
  });
  return out;
}

}  // namespace scree
