#include "scree/hooks/history_table.hpp"

#include <algorithm>
#include <tuple>

#include "scree/base/packed_bytes.hpp"

namespace scree {

namespace {

constexpr std::uint32_t low_half(Id id) { return static_cast<std::uint32_t>(id); }
constexpr std::uint32_t high_half(Id id) { return static_cast<std::uint32_t>(id >> 32); }
constexpr Id joined(std::uint32_t high, std::uint32_t low) { return Id{high} << 32 | low; }

template <class T>
void put_array(const std::vector<T>& values, ByteWriter& to) {
  to.put(values.size());
  to.put(values.data(), values.size());
}

template <class T>
void take_array(std::vector<T>& values, ByteReader& from) {
  from.take(values, from.take<std::size_t>());
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
  block.image.append(record, key.image);
  block.feature.append(record, key.feature);
  block.payload.append(record, key.payload);
  block.high_a.append(record, high_half(key.a));
  block.high_b.append(record, high_half(key.b));
  block.a.push_back(low_half(key.a));
  block.b.push_back(low_half(key.b));
  block.number.insert(block.number.end(), values.begin(), values.end());
}

HistoryTable::Key HistoryTable::key(const Place& p) const {
  const Block& block = blocks_[p.block];
  return {block.interaction,
          joined(block.high_a[p.record], block.a[p.record]),
          joined(block.high_b[p.record], block.b[p.record]),
          block.image[p.record],
          block.feature[p.record],
          block.payload[p.record]};
}

std::span<const double> HistoryTable::values(const Place& p) const {
  const Block& block = blocks_[p.block];
  return std::span(block.number).subspan(p.record * block.values, block.values);
}

std::vector<HistoryTable::Place> HistoryTable::places_in_order() const {
  std::size_t count = 0;
  for (const Block& block : blocks_) count += block.a.size();
  std::vector<Place> places;
  places.reserve(count);
  for (std::uint32_t b = 0; b < blocks_.size(); ++b)
    for (std::uint32_t r = 0; r < blocks_[b].a.size(); ++r) places.push_back({b, r});
  const auto rank = [this](const Place& p) {
    const Key k = key(p);
    return std::tuple(k.interaction, k.a, k.b, k.image, p.block, p.record);
  };
  std::sort(places.begin(), places.end(), [&](const Place& p, const Place& q) { return rank(p) < rank(q); });
  return places;
}

std::vector<HistoryRecord> HistoryTable::records() const {
  const std::vector<Place> places = places_in_order();
  std::vector<HistoryRecord> out;
  out.reserve(places.size());
  for (const Place& p : places) {
    const Key k = key(p);
    const auto numbers = values(p);
    out.push_back({k.interaction, k.a, k.b, k.image, k.feature, k.payload, {numbers.begin(), numbers.end()}});
  }
  return out;
}

template <class T>
void HistoryTable::Shared<T>::put(ByteWriter& to) const {
  to.put(value);
  put_array(column, to);
}

template <class T>
void HistoryTable::Shared<T>::take(ByteReader& from) {
  value = from.take<T>();
  take_array(column, from);
}

void HistoryTable::put_all(ByteWriter& to) const {
  to.put(blocks_.size());
  for (const Block& block : blocks_) {
    to.put(block.interaction);
    to.put(block.values);
    put_array(block.a, to);
    put_array(block.b, to);
    block.high_a.put(to);
    block.high_b.put(to);
    block.image.put(to);
    block.feature.put(to);
    block.payload.put(to);
    put_array(block.number, to);
  }
}

void HistoryTable::append_all(ByteReader& from) {
  const auto count = from.take<std::size_t>();
  for (std::size_t k = 0; k < count; ++k) {
    Block& block = blocks_.emplace_back();
    block.interaction = from.take<std::uint32_t>();
    block.values = from.take<std::size_t>();
    take_array(block.a, from);
    take_array(block.b, from);
    block.high_a.take(from);
    block.high_b.take(from);
    block.image.take(from);
    block.feature.take(from);
    block.payload.take(from);
    take_array(block.number, from);
  }
}

}  // namespace scree
