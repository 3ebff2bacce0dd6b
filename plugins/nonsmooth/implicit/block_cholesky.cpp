#include "implicit/block_cholesky.hpp"

#include <algorithm>
#include <set>

namespace scree::nonsmooth {

using solvers::Block;

namespace {

/// Numbers of each lane, and lanes. \param count  of numbers
void load(const std::array<const double*, 1>& from, double* to, std::size_t count) { std::copy_n(from[0], count, to); }
void store(const double* from, const std::array<double*, 1>& to, std::size_t count) { std::copy_n(from, count, to[0]); }

void load(const std::array<const double*, 4>& from, Wide* to, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const LaneBlock four = transposed(
        {{load_lanes(from[0] + k), load_lanes(from[1] + k), load_lanes(from[2] + k), load_lanes(from[3] + k)}});
    for (std::size_t i = 0; i < 4; ++i) to[k + i] = Wide(four.v[i]);
  }
  for (; k < count; ++k) to[k] = Wide(from[0][k], from[1][k], from[2][k], from[3][k]);
}
void store(const Wide* from, const std::array<double*, 4>& to, std::size_t count) {
  std::size_t k = 0;
  for (; k + 4 <= count; k += 4) {
    const LaneBlock four = transposed({{from[k].v, from[k + 1].v, from[k + 2].v, from[k + 3].v}});
    for (std::size_t i = 0; i < 4; ++i) store_lanes(to[i] + k, four.v[i]);
  }
  for (; k < count; ++k)
    for (std::size_t i = 0; i < 4; ++i) to[i][k] = from[k][static_cast<int>(i)];
}

double lane_of(double x, std::size_t) { return x; }
double lane_of(Wide x, std::size_t lane) { return x[static_cast<int>(lane)]; }

/// a <- 1/a by Cholesky's factors, in loops of constant length. Reads the lower triangle.
/// \param negative  is set in lanes that are not positive definite; `a` has no meaning there then
template <class Real>
void invert_positive(Eigen::Matrix<Real, 6, 6>& a, Real& negative) {
  constexpr int n = 6;
  Real l[n][n], inverse[n][n];  // L with 1/L_jj on its diagonal, and 1/L
  for (int j = 0; j < n; ++j) {
    Real pivot = a(j, j);
    for (int k = 0; k < j; ++k) pivot -= l[j][k] * l[j][k];
    negative = where_positive(pivot, negative, Real(1));
    l[j][j] = Real(1) / square_root(pivot);
    for (int i = j + 1; i < n; ++i) {
      Real sum = a(i, j);
      for (int k = 0; k < j; ++k) sum -= l[i][k] * l[j][k];
      l[i][j] = sum * l[j][j];
    }
  }
  for (int j = 0; j < n; ++j) {
    inverse[j][j] = l[j][j];
    for (int i = j + 1; i < n; ++i) {
      Real sum(0);
      for (int k = j; k < i; ++k) sum += l[i][k] * inverse[k][j];
      inverse[i][j] = -sum * l[i][i];
    }
  }
  for (int j = 0; j < n; ++j)
    for (int i = j; i < n; ++i) {
      Real sum(0);
      for (int k = i; k < n; ++k) sum += inverse[k][i] * inverse[k][j];
      a(i, j) = a(j, i) = sum;
    }
}

}  // namespace

// Number of elimination k belongs to place size - 1 - k.
Elimination::Elimination(const solvers::BlockPattern& pattern, std::span<const std::uint32_t> of)
    : rows(of.begin(), of.end()) {
  const std::size_t n = rows.size();
  std::vector<std::pair<std::uint32_t, std::uint32_t>> number(n);  // row and number, by row
  for (std::uint32_t place = 0; place < n; ++place)
    number[place] = {rows[place], static_cast<std::uint32_t>(n - 1 - place)};
  std::ranges::sort(number);
  const auto number_of = [&](std::uint32_t row) {
    return std::ranges::lower_bound(number, row, {}, [](const auto& entry) { return entry.first; })->second;
  };
  std::vector<std::set<std::uint32_t>> later(n);
  for (std::uint32_t k = 0; k < n; ++k) {
    const std::uint32_t row = rows[n - 1 - k];
    for (std::size_t b = pattern.row_start[row]; b < pattern.row_start[row + 1]; ++b)
      if (const std::uint32_t other = number_of(pattern.column[b]); other > k) later[k].insert(other);
  }
  start.push_back(0);
  for (std::uint32_t k = 0; k < n; ++k) {
    if (!later[k].empty()) {
      auto& next = later[*later[k].begin()];
      next.insert(std::next(later[k].begin()), later[k].end());
    }
    const std::uint32_t row = rows[n - 1 - k];
    const auto first = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row]);
    const auto last = pattern.column.begin() + static_cast<std::ptrdiff_t>(pattern.row_start[row + 1]);
    for (const std::uint32_t other : later[k]) {
      const std::uint32_t in_system = rows[n - 1 - other];
      column.push_back(other);
      source.push_back(std::binary_search(first, last, in_system) ? pattern.slot(row, in_system) : kFill);
    }
    start.push_back(column.size());
  }
}

bool Elimination::like(const Elimination& other) const {
  return start == other.start && column == other.column &&
         std::ranges::equal(source, other.source,
                            [](std::size_t a, std::size_t b) { return (a == kFill) == (b == kFill); });
}

template <class Real>
BlockCholesky<Real>::BlockCholesky(const std::array<Elimination, kLanes>& of)
    : of_(of), size_(of[0].rows.size()), diagonal_(size_), off_(of[0].column.size()) {}

template <class Real>
std::size_t BlockCholesky<Real>::slot(std::size_t k, std::uint32_t column) const {
  const auto first = of_[0].column.begin() + static_cast<std::ptrdiff_t>(of_[0].start[k]);
  const auto last = of_[0].column.begin() + static_cast<std::ptrdiff_t>(of_[0].start[k + 1]);
  return static_cast<std::size_t>(std::lower_bound(first, last, column) - of_[0].column.begin());
}

template <class Real>
template <class Of>
auto BlockCholesky<Real>::of_lanes(std::size_t k, const Of& of) const {
  std::array<decltype(of(std::uint32_t{})), kLanes> all;
  for (std::size_t lane = 0; lane < kLanes; ++lane) all[lane] = of(of_[lane].rows[size_ - 1 - k]);
  return all;
}

template <class Real>
std::array<bool, BlockCholesky<Real>::kLanes> BlockCholesky<Real>::factor(const solvers::BlockMatrix& a,
                                                                          std::span<const Block> added) {
  const std::vector<std::size_t>& start = of_[0].start;
  const std::vector<std::uint32_t>& column = of_[0].column;
  for (std::size_t k = 0; k < size_; ++k) {
    load(of_lanes(k, [&](std::uint32_t row) { return a.diagonal(row).data(); }), diagonal_[k].data(), 36);
    if (added.empty()) continue;
    RealBlock more;
    load(of_lanes(k, [&](std::uint32_t row) { return added[row].data(); }), more.data(), 36);
    diagonal_[k] += more;
  }
  for (std::size_t s = 0; s < off_.size(); ++s) {
    if (of_[0].source[s] == Elimination::kFill) {
      off_[s].setZero();
      continue;
    }
    std::array<const double*, kLanes> from;
    for (std::size_t lane = 0; lane < kLanes; ++lane) from[lane] = a.block(of_[lane].source[s]).data();
    load(from, off_[s].data(), 36);
  }
  Real negative(0);
  for (std::size_t k = 0; k < size_; ++k) {
    invert_positive<Real>(diagonal_[k], negative);
    const std::size_t first = start[k], last = start[k + 1];
    for (std::size_t s = first; s < last; ++s) {
      const RealBlock u = off_[s];
      off_[s].noalias() = diagonal_[k] * u;
      diagonal_[column[s]].noalias() -= u.transpose() * off_[s];
      for (std::size_t t = first; t < s; ++t)  // F of these, U of this
        off_[slot(column[t], column[s])].noalias() -= off_[t].transpose() * u;
    }
  }
  std::array<bool, kLanes> positive;
  for (std::size_t lane = 0; lane < kLanes; ++lane) positive[lane] = lane_of(negative, lane) == 0;
  return positive;
}

template <class Real>
void BlockCholesky<Real>::solve(solvers::BlockVector& x) const {
  using Column6 = Eigen::Matrix<Real, 6, 1>;
  const std::vector<std::size_t>& start = of_[0].start;
  const std::vector<std::uint32_t>& column = of_[0].column;
  const auto at = [&](std::uint32_t row) { return x.data() + 6 * static_cast<std::size_t>(row); };
  std::vector<Column6> y(size_);
  for (std::size_t k = 0; k < size_; ++k)
    load(of_lanes(k, [&](std::uint32_t row) { return static_cast<const double*>(at(row)); }), y[k].data(), 6);
  for (std::size_t k = 0; k < size_; ++k)
    for (std::size_t s = start[k]; s < start[k + 1]; ++s) y[column[s]].noalias() -= off_[s].transpose() * y[k];
  for (std::size_t k = size_; k-- > 0;) {
    Column6 sum = diagonal_[k] * y[k];
    for (std::size_t s = start[k]; s < start[k + 1]; ++s) sum.noalias() -= off_[s] * y[column[s]];
    y[k] = sum;
    store(sum.data(), of_lanes(k, at), 6);
  }
}

/// Computes the blocks of the inverse that the factors couple, which suffice (Takahashi's equations): Z_kj = -sum F_kl
/// Z_lj, l after k, and Z_kk = 1/D_k - sum F_kl Z_lk.
template <class Real>
void BlockCholesky<Real>::diagonal_of_inverse(std::span<Block> out) const {
  const std::vector<std::size_t>& start = of_[0].start;
  const std::vector<std::uint32_t>& column = of_[0].column;
  std::vector<RealBlock> z(off_.size()), own(size_);  // z like off_
  for (std::size_t k = size_; k-- > 0;) {
    const std::size_t first = start[k], last = start[k + 1];
    for (std::size_t s = first; s < last; ++s) {
      z[s].noalias() = -off_[s] * own[column[s]];
      for (std::size_t t = first; t < last; ++t) {
        if (t < s) z[s].noalias() -= off_[t] * z[slot(column[t], column[s])];
        if (t > s) z[s].noalias() -= off_[t] * z[slot(column[s], column[t])].transpose();
      }
    }
    own[k] = diagonal_[k];
    for (std::size_t s = first; s < last; ++s) own[k].noalias() -= off_[s] * z[s].transpose();
    store(own[k].data(), of_lanes(k, [&](std::uint32_t row) { return out[row].data(); }), 36);
  }
}

/// Six columns at a time: forward from the row on, back as far as some row is asked for.
template <class Real>
void BlockCholesky<Real>::inverse(std::size_t lane, std::span<const std::uint32_t> places, std::span<Block> out) const {
  const std::vector<std::size_t>& start = of_[0].start;
  const std::vector<std::uint32_t>& column = of_[0].column;
  const std::size_t n = size_, m = places.size();
  const auto of_lane = [lane](const std::vector<RealBlock>& all) {
    std::vector<Block> one(all.size());
    for (std::size_t k = 0; k < all.size(); ++k)
      for (Eigen::Index i = 0; i < 36; ++i) one[k](i) = lane_of(all[k](i), lane);
    return one;
  };
  const std::vector<Block> diagonal = of_lane(diagonal_), off = of_lane(off_);
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
      for (std::size_t s = start[k]; s < start[k + 1]; ++s) {
        Block& to = x[column[s]];
        if (!set[column[s]]) to.setZero(), set[column[s]] = 1;
        to.noalias() -= off[s].transpose() * x[k];
      }
    }
    for (std::size_t k = n; k-- > number[j];) {
      if (set[k])
        x[k] = diagonal[k] * x[k];
      else
        x[k].setZero();
      for (std::size_t s = start[k]; s < start[k + 1]; ++s) x[k].noalias() -= off[s] * x[column[s]];
    }
    for (std::size_t i = 0; i < m; ++i) {
      if (number[i] < number[j]) continue;
      out[i * m + j] = x[number[i]];
      out[j * m + i] = x[number[i]].transpose();
    }
  }
}

template class BlockCholesky<double>;
template class BlockCholesky<Wide>;

}  // namespace scree::nonsmooth
