#include "solvers/blocks/coarsening.hpp"

#include <algorithm>
#include <limits>
#include <span>

namespace scree::solvers {

namespace {

constexpr std::uint32_t kFree = std::numeric_limits<std::uint32_t>::max();
/// Pairs of coarse bodies are made unique whenever so many have come together.
constexpr std::size_t kManyPairs = 4000000;

/// Positions in a short list, by value.
class Places {
 public:
  explicit Places(std::size_t values) : at_(values, kFree) {}
  /// \return where `value` is in list[from, end), appended if it is not
  std::uint32_t place(std::vector<std::uint32_t>& list, std::size_t from, std::uint32_t value) {
    if (at_[value] == kFree || at_[value] < from) {
      at_[value] = static_cast<std::uint32_t>(list.size());
      list.push_back(value);
    }
    return at_[value] - static_cast<std::uint32_t>(from);
  }

 private:
  std::vector<std::uint32_t> at_;
};

}  // namespace

std::vector<std::uint32_t> aggregates_of(const BlockPattern& p, std::uint32_t& count) {
  std::vector<std::uint32_t> of(p.rows(), kFree);
  count = 0;
  const auto neighbours = [&](std::size_t row) {
    return std::span(p.column).subspan(p.row_start[row], p.row_start[row + 1] - p.row_start[row]);
  };
  for (std::size_t row = 0; row < p.rows(); ++row) {
    const auto near = neighbours(row);
    if (!std::all_of(near.begin(), near.end(), [&](std::uint32_t j) { return of[j] == kFree; })) continue;
    for (const std::uint32_t j : near) of[j] = count;
    ++count;
  }
  const std::vector<std::uint32_t> first = of;
  std::vector<std::uint32_t> size(count, 0);
  for (const std::uint32_t g : first)
    if (g != kFree) ++size[g];
  // Half as many again as it began with, and no more: what is far from its middle moves little like it.
  const std::vector<std::uint32_t> core = size;
  const auto has_room = [&](std::uint32_t g) { return 2 * size[g] < 3 * core[g] - 1; };
  for (std::size_t row = 0; row < p.rows(); ++row) {
    if (of[row] != kFree) continue;
    for (const std::uint32_t j : neighbours(row))
      if (first[j] != kFree && has_room(first[j]) && (of[row] == kFree || size[first[j]] < size[of[row]]))
        of[row] = first[j];
    if (of[row] != kFree) ++size[of[row]];
  }
  for (std::size_t row = 0; row < p.rows(); ++row) {
    if (of[row] != kFree) continue;
    for (const std::uint32_t j : neighbours(row))
      if (of[j] == kFree) of[j] = count;
    ++count;
  }
  return of;
}

Coarsening::Coarsening(const BlockPattern& a) : aggregate(aggregates_of(a, coarse)), start{0}, ap_start{0} {
  entry.resize(a.blocks());
  Places places(coarse);
  for (std::size_t row = 0; row < a.rows(); ++row) {
    const std::size_t begin = column.size();
    places.place(column, begin, aggregate[row]);
    for (std::size_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
      entry[k] = places.place(column, begin, aggregate[a.column[k]]);
    start.push_back(static_cast<std::uint32_t>(column.size()));
  }

  Places ap_places(coarse);
  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (std::size_t row = 0; row < a.rows(); ++row) {
    const std::size_t begin = ap_column.size();
    for (std::size_t k = a.row_start[row]; k < a.row_start[row + 1]; ++k)
      for (std::uint32_t q = start[a.column[k]]; q < start[a.column[k] + 1]; ++q)
        ap_entry.push_back(ap_places.place(ap_column, begin, column[q]));
    ap_start.push_back(static_cast<std::uint32_t>(ap_column.size()));
    longest = std::max(longest, ap_column.size() - begin);
    for (std::uint32_t q = start[row]; q < start[row + 1]; ++q)
      for (std::size_t h = begin; h < ap_column.size(); ++h)
        if (ap_column[h] < column[q]) pairs.emplace_back(column[q], ap_column[h]);
    if (pairs.size() > kManyPairs) {
      std::sort(pairs.begin(), pairs.end());
      pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  pattern = std::make_unique<BlockPattern>(coarse, std::move(pairs));

  for (std::size_t row = 0; row < a.rows(); ++row)
    for (std::uint32_t q = start[row]; q < start[row + 1]; ++q)
      for (std::uint32_t h = ap_start[row]; h < ap_start[row + 1]; ++h)
        if (ap_column[h] <= column[q])
          slot.push_back(static_cast<std::uint32_t>(pattern->slot(column[q], ap_column[h])));
  for (std::uint32_t g = 0; g < coarse; ++g)
    for (std::size_t k = pattern->diagonal[g] + 1; k < pattern->row_start[g + 1]; ++k)
      mirrored.emplace_back(static_cast<std::uint32_t>(k),
                            static_cast<std::uint32_t>(pattern->slot(pattern->column[k], g)));
}

std::size_t Coarsening::bytes() const {
  return (aggregate.size() + start.size() + column.size() + ap_start.size() + ap_column.size() + slot.size() +
          2 * mirrored.size() + entry.size() + ap_entry.size()) *
         sizeof(std::uint32_t);
}

}  // namespace scree::solvers
