#include "page/table_block.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <numeric>

namespace scree::render {

namespace {

/// Meaning of the 16 bits of a column: lowest + step * bits.
struct Steps {
  std::string name;
  PageColumn::Kind kind;
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  double step = 0;

  void include(double value) {
    if (std::isfinite(value)) lowest = std::min(lowest, value), highest = std::max(highest, value);
  }
  void choose(double of_values) {
    using Kind = PageColumn::Kind;
    if (kind == Kind::angle) {
      lowest = -std::numbers::pi, step = 2 * std::numbers::pi / 65536;
      return;
    }
    if (!(lowest <= highest)) lowest = highest = 0;
    const double span = highest - lowest;
    step = kind == Kind::whole && span < kNoNumber ? 1 : span / (kind == Kind::value ? of_values : kNoNumber - 1);
  }
  std::uint16_t of(double value) const {
    if (!std::isfinite(value)) return kind == PageColumn::Kind::angle ? 0 : kNoNumber;
    if (!(step > 0)) return 0;
    const double at = std::round((value - lowest) / step);
    if (kind == PageColumn::Kind::angle) return static_cast<std::uint16_t>(static_cast<std::int64_t>(at));
    return static_cast<std::uint16_t>(std::clamp(at, 0.0, 65535.0));
  }
};

const PageColumn* column_of(const PageRows& rows, const std::string& name) {
  const auto it = std::ranges::find(rows.columns, name, &PageColumn::name);
  return it == rows.columns.end() ? nullptr : &*it;
}

std::vector<Steps> steps_of(std::span<const PageRows> frames, double of_values) {
  std::vector<Steps> columns;
  for (const PageRows& rows : frames)
    for (const PageColumn& column : rows.columns) {
      auto it = std::ranges::find(columns, column.name, &Steps::name);
      if (it == columns.end()) it = columns.insert(it, {.name = column.name, .kind = column.kind});
      for (const double value : column.values) it->include(value);
    }
  for (Steps& column : columns) column.choose(of_values);
  return columns;
}

constexpr std::size_t kFresh = std::numeric_limits<std::size_t>::max();

/// Returns the row of the frame before for each row, or kFresh; appends a byte for each row of the frame before.
std::vector<std::size_t> sources(const std::vector<Key>& before, const std::vector<Key>& now, std::string& stays) {
  std::vector<std::size_t> from(now.size(), kFresh);
  std::size_t k = 0;
  for (std::size_t i = 0; i < before.size(); ++i) {
    while (k < now.size() && now[k] < before[i]) ++k;
    const bool same = k < now.size() && now[k] == before[i];
    stays += same ? '\1' : '\0';
    if (same) from[k] = i;
  }
  return from;
}

std::uint16_t zigzag(std::uint16_t difference) {
  const auto d = static_cast<std::int16_t>(difference);
  return static_cast<std::uint16_t>((difference << 1) ^ (d < 0 ? 0xffff : 0));
}

void append(std::string& bytes, std::uint32_t value) {
  for (int k = 0; k < 4; ++k) bytes += static_cast<char>(value >> (8 * k) & 255u);
}

}  // namespace

void PageRows::sort() {
  std::vector<std::size_t> order(keys.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  if (!std::ranges::is_sorted(keys)) {
    std::ranges::stable_sort(order, {}, [&](std::size_t i) { return keys[i]; });
    const auto in_order = [&](const auto& values) {
      auto sorted = values;
      for (std::size_t k = 0; k < order.size(); ++k) sorted[k] = values[order[k]];
      return sorted;
    };
    keys = in_order(keys);
    for (PageColumn& column : columns) column.values = in_order(column.values);
  }
  if (std::ranges::adjacent_find(keys) == keys.end()) return;
  for (std::size_t k = 0; k < keys.size(); ++k) keys[k] = {static_cast<std::uint32_t>(k), 0};
}

TableBlock encode(std::span<const PageRows> frames, double steps) {
  const std::vector<Steps> columns = steps_of(frames, steps);
  TableBlock block;
  std::vector<std::vector<std::size_t>> from;
  std::string stays, first, second;
  nlohmann::json counts = nlohmann::json::array(), fresh = nlohmann::json::array(), told = nlohmann::json::array();
  const std::vector<Key> none;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    const std::vector<Key>& keys = frames[f].keys;
    from.push_back(sources(f > 0 ? frames[f - 1].keys : none, keys, stays));
    std::size_t count = 0;
    for (std::size_t k = 0; k < keys.size(); ++k)
      if (from[f][k] == kFresh) append(first, keys[k].first), append(second, keys[k].second), ++count;
    counts.push_back(keys.size()), fresh.push_back(count);
  }
  stays.resize((stays.size() + 3) / 4 * 4);
  block.bytes = stays + first + second;
  for (const Steps& column : columns) {
    std::string low, high;
    std::vector<std::uint16_t> before, now;
    for (std::size_t f = 0; f < frames.size(); ++f, before.swap(now)) {
      const PageColumn* const values = column_of(frames[f], column.name);
      now.resize(frames[f].keys.size());
      for (std::size_t k = 0; k < now.size(); ++k) {
        now[k] = column.of(values ? values->values[k] : std::numeric_limits<double>::quiet_NaN());
        const std::uint16_t base = from[f][k] == kFresh ? 0 : before[from[f][k]];
        const std::uint16_t stored = zigzag(static_cast<std::uint16_t>(now[k] - base));
        low += static_cast<char>(stored & 255), high += static_cast<char>(stored >> 8);
      }
    }
    block.bytes += low + high;
    told.push_back({column.name, column.lowest, column.step});
  }
  block.told = {{"rows", counts}, {"fresh", fresh}, {"columns", told}};
  return block;
}

}  // namespace scree::render
