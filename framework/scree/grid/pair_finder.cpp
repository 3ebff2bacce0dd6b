#include "scree/grid/pair_finder.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/first_failure.hpp"
#include "scree/base/release.hpp"
#include "scree/grid/detail/cells.hpp"

namespace scree {

namespace {

constexpr std::size_t kBlock =
    1024;  ///< entries per unit of parallel work: a constant, so that results do not depend on threads

using namespace detail;

}  // namespace

void PairFinder::sort_into_levels(std::span<const Vec3> position, std::span<const double> radius,
                                  std::span<const std::uint32_t> rows, double reach) {
  double largest = 0, smallest = std::numeric_limits<double>::infinity();
  Vec3 low = Vec3::Constant(std::numeric_limits<double>::infinity()), high = -low;
  for (const std::uint32_t row : rows) {
    largest = std::max(largest, radius[row]);
    smallest = std::min(smallest, radius[row]);
    low = low.cwiseMin(position[row]);
    high = high.cwiseMax(position[row]);
  }
  origin_ = low;
  flat_ = low.z() == high.z();

  const double span = (high - low).maxCoeff();
  const bool similar = largest <= 1.5 * smallest;
  const auto level_of = [&](double r) {
    if (similar || r <= 0) return 0;
    return std::clamp(static_cast<int>(std::floor(std::log2(largest / r) + 1e-12)), 0, 30);
  };
  levels_.assign(similar ? 1 : 31, {});
  if (similar) levels_[0].entries.reserve(rows.size());
  for (const std::uint32_t row : rows) {
    Level& level = levels_[static_cast<std::size_t>(level_of(radius[row]))];
    level.largest = std::max(level.largest, radius[row]);
    level.entries.push_back({0, row});
  }
  std::erase_if(levels_, [](const Level& level) { return level.entries.empty(); });

  for (Level& level : levels_) {
    // Never more cells than the key can number: in a very empty world cells just get wider.
    level.width = std::max({2 * level.largest + reach, span / double(kCells - 2), 1e-300});
    for (Entry& e : level.entries) e.cell = pack(cell_of(position[e.row], origin_, level.width));
    std::sort(level.entries.begin(), level.entries.end(),
              [](const Entry& a, const Entry& b) { return a.cell != b.cell ? a.cell < b.cell : a.row < b.row; });
    level.position.resize(level.entries.size());
    level.radius.resize(level.entries.size());
    for (std::size_t k = 0; k < level.entries.size(); ++k) {
      level.position[k] = position[level.entries[k].row];
      level.radius[k] = radius[level.entries[k].row];
    }
  }
}

void PairFinder::pairs_within(const Level& level, std::size_t first, std::size_t last, double reach,
                              std::vector<RowPair>& out) const {
  const auto& entries = level.entries;
  const std::size_t n = entries.size();
  const auto close = [&](std::size_t a, std::size_t b) {
    const double limit = level.radius[a] + level.radius[b] + reach;
    return (level.position[a] - level.position[b]).squaredNorm() < limit * limit;
  };
  // Rows of cells after this one in key order: half of the neighbourhood. (dy, dz)
  static constexpr int kRows[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
  const int row_count = flat_ ? 1 : 4;
  std::size_t walk[4] = {};
  for (int r = 0; r < row_count; ++r) {
    const Cell c = unpack(entries[first].cell) + Cell(0, kRows[r][0], kRows[r][1]);
    const std::uint64_t key = inside(c) ? row_of_cells(c[0] - 1, c[0] + 1, c[1], c[2]).first : entries[first].cell;
    walk[r] = static_cast<std::size_t>(std::lower_bound(entries.begin(), entries.end(), key,
                                                        [](const Entry& e, std::uint64_t k) { return e.cell < k; }) -
                                       entries.begin());
  }
  for (std::size_t begin = first, end; begin < last; begin = end) {
    const std::uint64_t key = entries[begin].cell;
    for (end = begin + 1; end < n && entries[end].cell == key;) ++end;
    const std::size_t mine = std::min(end, last);  // a block may end inside a cell; the next block goes on from there
    const Cell c = unpack(key);
    // This cell and its right neighbour follow directly in the list.
    const std::uint64_t right = row_of_cells(c[0], c[0] + 1, c[1], c[2]).last;
    std::size_t beside = end;
    while (beside < n && entries[beside].cell <= right) ++beside;
    for (std::size_t a = begin; a < mine; ++a)
      for (std::size_t b = a + 1; b < beside; ++b)
        if (close(a, b)) out.push_back({entries[a].row, entries[b].row});
    for (int r = 0; r < row_count; ++r) {
      const Cell other = c + Cell(0, kRows[r][0], kRows[r][1]);
      if (!inside(other)) continue;
      const KeyRange range = row_of_cells(c[0] - 1, c[0] + 1, other[1], other[2]);
      std::size_t& from = walk[r];
      while (from < n && entries[from].cell < range.first) ++from;
      std::size_t to = from;
      while (to < n && entries[to].cell <= range.last) ++to;
      for (std::size_t a = begin; a < mine; ++a)
        for (std::size_t b = from; b < to; ++b)
          if (close(a, b)) out.push_back({entries[a].row, entries[b].row});
    }
    end = mine;
  }
}

void PairFinder::pairs_across(const Level& fine, const Level& coarse, std::size_t first, std::size_t last, double reach,
                              std::vector<RowPair>& out) const {
  const auto& entries = coarse.entries;
  for (std::size_t a = first; a < last; ++a) {
    const Vec3 box = Vec3::Constant(fine.radius[a] + coarse.largest + reach);
    const Cell low = cell_of(fine.position[a] - box, origin_, coarse.width);
    const Cell high = cell_of(fine.position[a] + box, origin_, coarse.width);
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        const KeyRange range = row_of_cells(low[0], high[0], y, z);
        auto it = std::lower_bound(entries.begin(), entries.end(), range.first,
                                   [](const Entry& e, std::uint64_t k) { return e.cell < k; });
        for (; it != entries.end() && it->cell <= range.last; ++it) {
          const auto b = static_cast<std::size_t>(it - entries.begin());
          const double limit = fine.radius[a] + coarse.radius[b] + reach;
          if ((fine.position[a] - coarse.position[b]).squaredNorm() < limit * limit)
            out.push_back({fine.entries[a].row, it->row});
        }
      }
  }
}

void PairFinder::find(std::span<const Vec3> position, std::span<const double> radius,
                      std::span<const std::uint32_t> rows, double reach, std::vector<RowPair>& out) {
  out.clear();
  if (rows.size() < 2) return;
  sort_into_levels(position, radius, rows, reach);

  struct Block {
    std::size_t level, first, last;
  };
  std::vector<Block> work;
  for (std::size_t l = 0; l < levels_.size(); ++l)
    for (std::size_t first = 0; first < levels_[l].entries.size(); first += kBlock)
      work.push_back({l, first, std::min(first + kBlock, levels_[l].entries.size())});
  std::vector<std::vector<RowPair>> blocks(work.size());

  const auto find_in = [&](const Block& block, std::vector<RowPair>& found) {
    pairs_within(levels_[block.level], block.first, block.last, reach, found);
    for (std::size_t coarser = 0; coarser < block.level; ++coarser)
      pairs_across(levels_[block.level], levels_[coarser], block.first, block.last, reach, found);
  };
  FirstFailure failure;  // of memory
#pragma omp parallel for schedule(dynamic, 1) if (work.size() > 1)
  for (std::size_t k = 0; k < work.size(); ++k) failure.watch(k, [&] { find_in(work[k], blocks[k]); });
  failure.rethrow();
  // Piece by piece: what was needed to find them is given back before there is room for all of them.
  release(levels_);
  std::size_t total = 0;
  for (const auto& found : blocks) total += found.size();
  out.reserve(total);
  for (auto& found : blocks) {
    out.insert(out.end(), found.begin(), found.end());
    release(found);
  }
}

}  // namespace scree
