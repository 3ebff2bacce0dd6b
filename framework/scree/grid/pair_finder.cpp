#include "scree/grid/pair_finder.hpp"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <utility>

#include "scree/base/first_failure.hpp"
#include "scree/base/lane_bits.hpp"
#include "scree/base/lanes.hpp"
#include "scree/base/parallel.hpp"
#include "scree/base/release.hpp"
#include "scree/grid/detail/cells.hpp"

namespace scree {

namespace {

constexpr std::size_t kBlock =
    1024;  ///< entries per unit of parallel work: a constant, so that results do not depend on threads

/// Number of lanes of WideLanes.
constexpr std::size_t kLanes = sizeof(WideLanes) / sizeof(double);

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
    // Never more cells than the key can number: in a very empty world cells get wider.
    level.width = std::max({2 * level.largest + reach, span / double(kCells - 2), 1e-300});
    const auto n = static_cast<std::ptrdiff_t>(level.entries.size());
    parallel_for(n, [&](std::ptrdiff_t k) {
      Entry& e = level.entries[static_cast<std::size_t>(k)];
      e.cell = pack(cell_of(position[e.row], origin_, level.width));
    });
    level.sort_entries();
    for (std::vector<double>* const column : {&level.x, &level.y, &level.z, &level.radius})
      column->resize(level.entries.size() + kLanes);
    parallel_for(n, [&](std::ptrdiff_t at) {
      const auto k = static_cast<std::size_t>(at);
      const std::uint32_t row = level.entries[k].row;
      level.x[k] = position[row].x();
      level.y[k] = position[row].y();
      level.z[k] = position[row].z();
      level.radius[k] = radius[row];
    });
  }
}

/// Returns the place of a cell in `start`.
std::size_t PairFinder::Level::place(std::uint64_t cell) const {
  const Cell c = unpack(cell);
  return static_cast<std::size_t>((c[2] * (last[1] + 1) + c[1]) * (last[0] + 1) + c[0]);
}

/// Sorts the entries by cell. If most cells are occupied, entries are counted into them; few entries in a wide space
/// are compared.
void PairFinder::Level::sort_entries() {
  for (const Entry& e : entries) last = last.cwiseMax(unpack(e.cell));
  const double cells = (last.cast<double>().array() + 1).prod();
  if (cells > 4 * static_cast<double>(entries.size())) {
    std::sort(entries.begin(), entries.end(),
              [](const Entry& a, const Entry& b) { return a.cell != b.cell ? a.cell < b.cell : a.row < b.row; });
    return;
  }
  start.assign(static_cast<std::size_t>(cells) + 1, 0);
  for (const Entry& e : entries) ++start[place(e.cell) + 1];
  for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
  std::vector<std::uint32_t> next(start.begin(), start.end() - 1);
  std::vector<Entry> sorted(entries.size());
  for (const Entry& e : entries) sorted[next[place(e.cell)]++] = e;
  entries = std::move(sorted);
}

/// Returns the first entry of this cell or of one behind it. If cells have a table, run() does not need that.
std::size_t PairFinder::Level::search(std::uint64_t cell) const {
  if (!start.empty()) return 0;
  const auto before = [](const Entry& e, std::uint64_t key) { return e.cell < key; };
  return static_cast<std::size_t>(std::lower_bound(entries.begin(), entries.end(), cell, before) - entries.begin());
}

/// Returns the entries of cells of one row. \param from  no entry before this one is in them, and few are between
PairFinder::Run PairFinder::Level::run(std::uint64_t first_cell, std::uint64_t last_cell, std::size_t from) const {
  if (start.empty()) {
    while (from < entries.size() && entries[from].cell < first_cell) ++from;
    std::size_t to = from;
    while (to < entries.size() && entries[to].cell <= last_cell) ++to;
    return {from, to};
  }
  const Cell low = unpack(first_cell);
  if (low[0] > last[0] || low[1] > last[1] || low[2] > last[2]) return {0, 0};
  const std::size_t first = place(first_cell);
  const auto more = static_cast<std::size_t>(std::min(unpack(last_cell)[0], last[0]) - low[0]);
  return {start[first], start[first + more + 1]};
}

void PairFinder::pairs_within(const Level& level, std::size_t first, std::size_t last, double reach,
                              std::vector<RowPair>& out) const {
  const auto& entries = level.entries;
  const std::size_t n = entries.size();
  // Finds pairs of one entry with a run. Runs are short: three cells, and most are compared in one go.
  const auto meet = [&](std::size_t a, std::size_t begin, std::size_t end) {
    const double x = level.x[a], y = level.y[a], z = level.z[a], radius = level.radius[a];
    for (std::size_t b = begin; b < end; b += kLanes) {
      const WideLanes dx = load_as<WideLanes>(&level.x[b]) - x, dy = load_as<WideLanes>(&level.y[b]) - y;
      const WideLanes dz = load_as<WideLanes>(&level.z[b]) - z;
      const WideLanes limit = load_as<WideLanes>(&level.radius[b]) + radius + reach;
      unsigned close = bits_of(dx * dx + dy * dy + dz * dz < limit * limit);
      if (end - b < kLanes) close &= (1u << (end - b)) - 1;
      for (; close != 0; close &= close - 1)
        out.push_back({entries[a].row, entries[b + static_cast<std::size_t>(std::countr_zero(close))].row});
    }
  };
  // Rows of cells (dy, dz) after this one in key order: half of the neighbourhood.
  static constexpr int kRows[4][2] = {{1, 0}, {-1, 1}, {0, 1}, {1, 1}};
  const int row_count = flat_ ? 1 : 4;
  std::size_t walk[4] = {};
  for (int r = 0; r < row_count; ++r) {
    const Cell c = unpack(entries[first].cell) + Cell(0, kRows[r][0], kRows[r][1]);
    walk[r] = level.search(inside(c) ? row_of_cells(c[0] - 1, c[0] + 1, c[1], c[2]).first : entries[first].cell);
  }
  for (std::size_t begin = first, end; begin < last; begin = end) {
    const std::uint64_t key = entries[begin].cell;
    for (end = begin + 1; end < n && entries[end].cell == key;) ++end;
    const std::size_t mine = std::min(end, last);  // a block may end inside a cell; the next block goes on from there
    const Cell c = unpack(key);
    // This cell and its right neighbour follow directly in the list.
    const std::size_t beside = level.run(key, row_of_cells(c[0], c[0] + 1, c[1], c[2]).last, begin).last;
    for (std::size_t a = begin; a < mine; ++a) meet(a, a + 1, beside);
    for (int r = 0; r < row_count; ++r) {
      const Cell other = c + Cell(0, kRows[r][0], kRows[r][1]);
      if (!inside(other)) continue;
      const KeyRange range = row_of_cells(c[0] - 1, c[0] + 1, other[1], other[2]);
      const Run run = level.run(range.first, range.last, walk[r]);
      walk[r] = run.first;
      for (std::size_t a = begin; a < mine; ++a) meet(a, run.first, run.last);
    }
    end = mine;
  }
}

void PairFinder::pairs_across(const Level& fine, const Level& coarse, std::size_t first, std::size_t last, double reach,
                              std::vector<RowPair>& out) const {
  for (std::size_t a = first; a < last; ++a) {
    const Vec3 centre = fine.position(a);
    const Vec3 box = Vec3::Constant(fine.radius[a] + coarse.largest + reach);
    const Cell low = cell_of(centre - box, origin_, coarse.width);
    const Cell high = cell_of(centre + box, origin_, coarse.width);
    for (std::int64_t z = low[2]; z <= high[2]; ++z)
      for (std::int64_t y = low[1]; y <= high[1]; ++y) {
        const KeyRange range = row_of_cells(low[0], high[0], y, z);
        const Run run = coarse.run(range.first, range.last, coarse.search(range.first));
        for (std::size_t b = run.first; b < run.last; ++b) {
          const double limit = fine.radius[a] + coarse.radius[b] + reach;
          if ((centre - coarse.position(b)).squaredNorm() < limit * limit)
            out.push_back({fine.entries[a].row, coarse.entries[b].row});
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
  FirstFailure failure;  // failure to allocate memory
#pragma omp parallel for schedule(dynamic, 1) if (work.size() > 1)
  for (std::size_t k = 0; k < work.size(); ++k) failure.watch(k, [&] { find_in(work[k], blocks[k]); });
  failure.rethrow();
  // Pieces are released one by one: memory needed for finding them is freed before the result is allocated.
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
