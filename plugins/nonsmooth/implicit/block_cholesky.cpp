#include "implicit/block_cholesky.hpp"

#include <algorithm>
#include <cmath>
#include <set>

namespace scree::nonsmooth {

using bonded::Block;

namespace {
constexpr std::size_t kFill = ~std::size_t{0};
using Column6 = Eigen::Matrix<double, 6, 1>;

/// a <- 1/a by Cholesky's factors, in loops of constant length. Reads the lower triangle.
/// \return false: not positive definite, and `a` is as it was
bool invert_positive(Block& a) {
  constexpr int n = 6;
  double l[n][n], inverse[n][n] = {};  // L with 1/L_jj on its diagonal, and 1/L
  for (int j = 0; j < n; ++j) {
    double pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    if (!(pivot > 0)) return false;
    l[j][j] = 1 / std::sqrt(pivot);
    for (int i = j + 1; i < n; ++i) {
      double sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum * l[j][j];
    }
  }
  for (int j = 0; j < n; ++j) {
    inverse[j][j] = l[j][j];
    for (int i = j + 1; i < n; ++i) {
      double sum = 0;
      for (int k = j; k < i; ++k) sum += l[i][k] * inverse[k][j];
      inverse[i][j] = -sum * l[i][i];
    }
  }
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      double sum = 0;
      for (int k = i; k < n; ++k) sum += inverse[k][i] * inverse[k][j];
      a(i, j) = a(j, i) = sum;
    }
  return true;
}

}  // namespace

// Number of elimination k belongs to place size - 1 - k.
BlockCholesky::BlockCholesky(const bonded::BlockPattern& pattern, std::span<const std::uint32_t> rows)
    : rows_(rows.begin(), rows.end()) {
  const std::size_t n = rows_.size();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> number(n);  // row and number, by row
  for (std::uint32_t place = 0; place < n; ++place)
    number[place] = {rows_[place], static_cast<std::uint32_t>(n - 1 - place)};
  std::ranges::sort(number);
  const auto number_of = [&](std::uint32_t row) {
    return std::ranges::lower_bound(number, row, {}, [](const auto& entry) { return entry.first; })->second;
  };
  std::vector<std::set<std::uint32_t>> later(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t row = rows_[n - 1 - k];
    for (std::size_t b = pattern.row_start[row]; b < pattern.row_start[row + 1]; ++b)
      if (const std::uint32_t other = number_of(pattern.column[b]); other > k) later[k].insert(other);
  }
  start_.push_back(0);
  for (std::uint32_t k = 0; k < n; ++k) {
    if (!later[k].empty()) {
      auto& next = later[*later[k].begin()];
      next.insert(std::next(later[k].begin()), later[k].end());
    }
    const std::uint32_t row = rows_[n - 1 - k];
    const auto first = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto last = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + 1]);
    for (const std::uint32_t other : later[k]) {
      const std::uint32_t column = rows_[n - 1 - other];
      column_.push_back(other);
      source_.push_back(std::binary_search(first, last, column) ? pattern.slot(row, column) : kFill);
    }
    start_.push_back(column_.size());
  }
  diagonal_.resize(n);
  off_.resize(column_.size());
}

std::size_t BlockCholesky::slot(std::size_t k, std::uint32_t column) const {
  const auto of_k = later(k);
  return start_[k] + static_cast<std::size_t>(std::ranges::lower_bound(of_k, column) - of_k.begin());
}

bool BlockCholesky::factor(const bonded::BlockMatrix& a, std::span<const Block> added) {
  const std::size_t n = size();
  for (std::size_t k = 0; k < n; ++k) {
    const std::uint32_t row = rows_[n - 1 - k];
    diagonal_[k] = a.diagonal(row);
    if (!added.empty()) diagonal_[k] += added[row];
  }
  for (std::size_t s = 0; s < off_.size(); ++s)
    if (source_[s] == kFill)
      off_[s].setZero();
    else
      off_[s] = a.block(source_[s]);
  for (std::size_t k = 0; k < n; ++k) {
    if (!invert_positive(diagonal_[k])) return false;
    const std::size_t first = start_[k], last = start_[k + 1];
    for (std::size_t s = first; s < last; ++s) {
      const Block u = off_[s];
      off_[s].noalias() = diagonal_[k] * u;
      diagonal_[column_[s]].noalias() -= u.transpose() * off_[s];
      for (std::size_t t = first; t < s; ++t)  // F of these, U of this
        off_[slot(column_[t], column_[s])].noalias() -= off_[t].transpose() * u;
    }
  }
  return true;
}

void BlockCholesky::solve(bonded::BlockVector& x) const {
  const std::size_t n = size();
  const auto at = [&](std::size_t k) { return x.segment<6>(6 * static_cast<Eigen::Index>(rows_[n - 1 - k])); };
  for (std::size_t k = 0; k < n; ++k) {
    const Column6 y = at(k);
    for (std::size_t s = start_[k]; s < start_[k + 1]; ++s) at(column_[s]) -= off_[s].transpose() * y;
  }
  for (std::size_t k = n; k-- > 0;) {
    Column6 y = diagonal_[k] * at(k);
    for (std::size_t s = start_[k]; s < start_[k + 1]; ++s) y -= off_[s] * at(column_[s]);
    at(k) = y;
  }
}

/// Six columns at a time: forward from the row on, back as far as some row is asked for.
void BlockCholesky::inverse(std::span<const std::uint32_t> places, std::span<Block> out) const {
  const std::size_t n = size(), m = places.size();
  std::vector<std::size_t> number(m);
  for (std::size_t i = 0; i < m; ++i) number[i] = n - 1 - places[i];
  std::vector<Block> x(n);
  std::vector<std::uint8_t> set(n);
  for (std::size_t j = 0; j < m; ++j) {
    // Symmetric: rows that are eliminated earlier have been columns or will be.
    std::fill(set.begin(), set.end(), 0);
    x[number[j]] = Block::Identity();
    set[number[j]] = 1;
    for (std::size_t k = number[j]; k < n; ++k) {
      if (!set[k]) continue;
      for (std::size_t s = start_[k]; s < start_[k + 1]; ++s) {
        Block& to = x[column_[s]];
        if (!set[column_[s]]) to.setZero(), set[column_[s]] = 1;
        to.noalias() -= off_[s].transpose() * x[k];
      }
    }
    for (std::size_t k = n; k-- > number[j];) {
      if (set[k])
        x[k] = diagonal_[k] * x[k];
      else
        x[k].setZero();
      for (std::size_t s = start_[k]; s < start_[k + 1]; ++s) x[k].noalias() -= off_[s] * x[column_[s]];
    }
    for (std::size_t i = 0; i < m; ++i) {
      if (number[i] < number[j]) continue;
      out[i * m + j] = x[number[i]];
      out[j * m + i] = x[number[i]].transpose();
    }
  }
}

/// What the factors couple is all that is needed (Takahashi's equations): Z_kj = -sum F_kl Z_lj, l after k, and
/// Z_kk = 1/D_k - sum F_kl Z_lk.
void BlockCholesky::diagonal_of_inverse(std::span<Block> out) const {
  const std::size_t n = size();
  std::vector<Block> z(off_.size());  // like off_
  const auto at = [&](std::size_t i) -> Block& { return out[rows_[n - 1 - i]]; };
  for (std::size_t k = n; k-- > 0;) {
    const std::size_t first = start_[k], last = start_[k + 1];
    for (std::size_t s = first; s < last; ++s) {
      z[s].noalias() = -off_[s] * at(column_[s]);
      for (std::size_t t = first; t < last; ++t) {
        if (t < s) z[s].noalias() -= off_[t] * z[slot(column_[t], column_[s])];
        if (t > s) z[s].noalias() -= off_[t] * z[slot(column_[s], column_[t])].transpose();
      }
    }
    Block& own = at(k);
    own = diagonal_[k];
    for (std::size_t s = first; s < last; ++s) own.noalias() -= off_[s] * z[s].transpose();
  }
}

}  // namespace scree::nonsmooth
