#include "solvers/blocks/block_matrix.hpp"

#include <algorithm>
#include <stdexcept>

#include "scree/base/lanes.hpp"
#include "scree/base/parallel.hpp"

namespace scree::solvers {

namespace {

/// Entries of a piece of a sum.
constexpr std::ptrdiff_t kPiece = 4096;

/// Sum of term(i), i in [begin, end), four at a time; term gives lanes and, for the last few, one.
template <class Four, class One>
double sum_of_piece(std::ptrdiff_t begin, std::ptrdiff_t end, Four&& four, One&& one) {
  Lanes even = all_lanes(0), odd = all_lanes(0);
  std::ptrdiff_t i = begin;
  for (; i + 8 <= end; i += 8) {
    even += four(i);
    odd += four(i + 4);
  }
  even += odd;
  double sum = (even[0] + even[1]) + (even[2] + even[3]);
  for (; i < end; ++i) sum += one(i);
  return sum;
}

template <class Four, class One>
double ordered(std::ptrdiff_t n, Four&& four, One&& one) {
  const std::ptrdiff_t pieces = (n + kPiece - 1) / kPiece;
  std::vector<double> part(static_cast<std::size_t>(pieces));
  parallel_for(
      pieces,
      [&](std::ptrdiff_t k) {
        part[static_cast<std::size_t>(k)] = sum_of_piece(k * kPiece, std::min(n, (k + 1) * kPiece), four, one);
      },
      4);
  double sum = 0;
  for (const double p : part) sum += p;
  return sum;
}

}  // namespace

BlockPattern::BlockPattern(std::size_t rows, std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs) {
  for (std::size_t k = 0, n = pairs.size(); k < n; ++k) {
    if (pairs[k].first >= rows || pairs[k].second >= rows)
      throw std::invalid_argument("BlockPattern: a pair names a row that does not exist");
    pairs.emplace_back(pairs[k].second, pairs[k].first);
  }
  for (std::size_t row = 0; row < rows; ++row)
    pairs.emplace_back(static_cast<std::uint32_t>(row), static_cast<std::uint32_t>(row));
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  row_start.assign(rows + 1, 0);
  diagonal.resize(rows);
  column.reserve(pairs.size());
  for (const auto& [row, col] : pairs) {
    if (row == col) diagonal[row] = column.size();
    column.push_back(col);
    row_start[row + 1] = column.size();
  }
}

std::size_t BlockPattern::slot(std::uint32_t row, std::uint32_t of_column) const {
  const auto begin = column.begin() + static_cast<std::ptrdiff_t>(row_start[row]);
  const auto end = column.begin() + static_cast<std::ptrdiff_t>(row_start[row + 1]);
  return static_cast<std::size_t>(std::lower_bound(begin, end, of_column) - column.begin());
}

BlockMatrix::BlockMatrix(const BlockPattern& pattern) : pattern_(&pattern), value_(pattern.blocks()) { set_zero(); }

void BlockMatrix::set_zero() {
  parallel_for(
      static_cast<std::ptrdiff_t>(value_.size()),
      [&](std::ptrdiff_t k) { value_[static_cast<std::size_t>(k)].setZero(); }, kRowsFrom);
}

void BlockMatrix::multiply(const BlockVector& x, BlockVector& y) const {
  y.resize(x.size());
  parallel_for(
      static_cast<std::ptrdiff_t>(rows()),
      [&](std::ptrdiff_t row) {
        const auto r = static_cast<std::size_t>(row);
        // Six rows as four and two, columns one after the other: no order of sums is left to the compiler.
        Lanes top = all_lanes(0);
        double low0 = 0, low1 = 0;
        for (std::size_t k = pattern_->row_start[r]; k < pattern_->row_start[r + 1]; ++k) {
          const double* a = value_[k].data();
          const double* from = x.data() + 6 * static_cast<std::ptrdiff_t>(pattern_->column[k]);
          for (int c = 0; c < 6; ++c) {
            top += load_lanes(a + 6 * c) * from[c];
            low0 += a[6 * c + 4] * from[c];
            low1 += a[6 * c + 5] * from[c];
          }
        }
        double* to = y.data() + 6 * row;
        store_lanes(to, top);
        to[4] = low0;
        to[5] = low1;
      },
      kRowsFrom);
}

double ordered_dot(const BlockVector& x, const BlockVector& y) {
  const double *a = x.data(), *b = y.data();
  return ordered(
      x.size(), [=](std::ptrdiff_t i) { return load_lanes(a + i) * load_lanes(b + i); },
      [=](std::ptrdiff_t i) { return a[i] * b[i]; });
}

double ordered_sum(std::span<const double> x) {
  const double* a = x.data();
  return ordered(
      std::ssize(x), [=](std::ptrdiff_t i) { return load_lanes(a + i); }, [=](std::ptrdiff_t i) { return a[i]; });
}

}  // namespace scree::solvers
