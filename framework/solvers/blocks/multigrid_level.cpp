#include "solvers/blocks/multigrid_level.hpp"

#include <Eigen/Cholesky>
#include <algorithm>
#include <cmath>

#include "solvers/blocks/preconditioned.hpp"
#include "scree/base/parallel.hpp"

namespace scree::solvers {

namespace {

/// Coarsening that leaves more than this part of the rows is none.
constexpr double kTooMany = 0.9;

/// The rigid motion of a body whose aggregate moves: translation and turn of the aggregate about its centre, `arm`
/// away.
Block rigid_motion(const Vec3& arm) {
  Block m = Block::Identity();
  m.topRightCorner<3, 3>() << 0, arm.z(), -arm.y(), -arm.z(), 0, arm.x(), arm.y(), -arm.x(), 0;
  return m;
}

}  // namespace

MultigridLevel::MultigridLevel(const BlockPattern& pattern) : pattern_(&pattern), start_{0}, inverse_(pattern.rows()) {
  for (std::size_t row = 0; row < pattern.rows(); ++row) {
    for (std::size_t k = pattern.row_start[row]; k < pattern.diagonal[row]; ++k) column_.push_back(pattern.column[k]);
    start_.push_back(static_cast<std::uint32_t>(column_.size()));
  }
  lower_.resize(column_.size());
  for (FloatRows* v : {&right, &answer, &residual, &before_}) v->resize(pattern.rows());
}

bool MultigridLevel::coarsen() {
  coarsening_ = std::make_unique<Coarsening>(*pattern_);
  prolongation_.resize(coarsening_->column.size());
  return static_cast<double>(coarsening_->coarse) <= kTooMany * static_cast<double>(rows());
}

bool MultigridLevel::take(const BlockMatrix& a) {
  std::vector<std::uint8_t> failed(rows(), 0);
  parallel_for(
      static_cast<std::ptrdiff_t>(rows()),
      [&](std::ptrdiff_t r) {
        const auto row = static_cast<std::size_t>(r);
        const std::size_t first = pattern_->row_start[row];
        for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k)
          lower_[k] = a.block(first + k - start_[row]).cast<float>();
        const Eigen::LLT<Block> factor(a.diagonal(row));
        failed[row] = factor.info() != Eigen::Success;
        inverse_[row] = factor.solve(Block::Identity()).cast<float>();
      },
      kRowsFrom);
  return std::find(failed.begin(), failed.end(), 1) == failed.end();
}

double MultigridLevel::spectral_radius(const BlockMatrix& a) const {
  BlockVector v(6 * static_cast<Eigen::Index>(rows())), av;
  for (Eigen::Index k = 0; k < v.size(); ++k) v[k] = 1 + 0.5 * std::sin(1.7 * static_cast<double>(k));
  double radius = 1;
  for (int k = 0; k < 12; ++k) {
    const double size = std::sqrt(ordered_dot(v, v));
    a.multiply(v, av);
    for (std::size_t row = 0; row < rows(); ++row)
      rows_of(v, row) = inverse_[row].cast<double>().lazyProduct(rows_of(av, row)).eval();
    radius = std::sqrt(ordered_dot(v, v)) / size;
    v /= radius * size;
  }
  return 1.1 * radius;
}

std::vector<Vec3> MultigridLevel::prolong(const BlockMatrix& a, std::span<const Vec3> centres, double omega) {
  const Coarsening& c = *coarsening_;
  std::vector<Vec3> coarse(c.coarse, Vec3::Zero());
  std::vector<double> members(c.coarse, 0);
  for (std::size_t row = 0; row < rows(); ++row) coarse[c.aggregate[row]] += centres[row], ++members[c.aggregate[row]];
  for (std::size_t g = 0; g < coarse.size(); ++g) coarse[g] /= members[g];

  parallel_for(
      static_cast<std::ptrdiff_t>(rows()),
      [&](std::ptrdiff_t r) {
        const auto row = static_cast<std::size_t>(r);
        const std::uint32_t first = c.start[row], entries = c.start[row + 1] - first;
        const WideBlock scaled = WideBlock::of((-omega) * inverse_[row].cast<double>());
        for (std::uint32_t q = 0; q < entries; ++q) {
          const std::uint32_t g = c.column[first + q];
          Block sum = Block::Zero();
          for (std::size_t k = pattern_->row_start[row]; k < pattern_->row_start[row + 1]; ++k) {
            if (c.entry[k] != q) continue;
            const std::uint32_t j = pattern_->column[k];
            const Vec3 arm = centres[j] - coarse[g];
            // A T, T = rigid_motion(arm): the columns of turns get those of translations, crossed with the arm.
            const Block& block = a.block(k);
            sum += block;
            sum.col(3) += arm.y() * block.col(2) - arm.z() * block.col(1);
            sum.col(4) += arm.z() * block.col(0) - arm.x() * block.col(2);
            sum.col(5) += arm.x() * block.col(1) - arm.y() * block.col(0);
          }
          WideBlock smoothed = WideBlock::zero();
          add_product(scaled, sum.data(), smoothed);
          Block out = q == 0 ? rigid_motion(centres[row] - coarse[g]) : Block(Block::Zero());
          smoothed.add_to(out);
          prolongation_[first + q] = out.cast<float>();
        }
      },
      kRowsFrom);
  return coarse;
}

void MultigridLevel::galerkin(const BlockMatrix& a, BlockMatrix& coarse) const {
  const Coarsening& c = *coarsening_;
  coarse.set_zero();
  std::vector<WideBlock> ap(c.longest);
  std::size_t ap_entry = 0, slot = 0;
  for (std::size_t row = 0; row < rows(); ++row) {
    const std::uint32_t width = c.ap_start[row + 1] - c.ap_start[row];
    for (std::uint32_t h = 0; h < width; ++h) ap[h] = WideBlock::zero();
    for (std::size_t k = pattern_->row_start[row]; k < pattern_->row_start[row + 1]; ++k) {
      const WideBlock block = WideBlock::of(a.block(k));
      for (std::uint32_t q = c.start[pattern_->column[k]]; q < c.start[pattern_->column[k] + 1]; ++q)
        add_product(block, prolongation_[q].data(), ap[c.ap_entry[ap_entry++]]);
    }
    for (std::uint32_t q = c.start[row]; q < c.start[row + 1]; ++q) {
      const WideBlock back = WideBlock::of(prolongation_[q].transpose().cast<double>());
      for (std::uint32_t h = 0; h < width; ++h) {
        if (c.ap_column[c.ap_start[row] + h] > c.column[q]) continue;
        WideBlock product = WideBlock::zero();
        double b[36 + 2];
        for (int j = 0; j < 6; ++j) store_lanes(b + 6 * j, ap[h].column[j]);
        add_product(back, b, product);
        product.add_to(coarse.block(c.slot[slot++]));
      }
    }
  }
  // Rounding leaves diagonal blocks not quite symmetric.
  for (std::size_t g = 0; g < coarse.rows(); ++g)
    coarse.diagonal(g) = (0.5 * (coarse.diagonal(g) + coarse.diagonal(g).transpose())).eval();
  for (const auto& [above, below] : c.mirrored) coarse.block(above) = coarse.block(below).transpose();
}

void MultigridLevel::sweep_forward() {
  std::fill(residual.begin(), residual.end(), Eight<float>{});
  for (std::size_t row = 0; row < rows(); ++row) {
    Eight<float> sum{};
    for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k) sum = times(lower_[k], answer[column_[k]], sum);
    const Eight<float> x = six_of(times(inverse_[row], right[row] - sum, Eight<float>{}));
    answer[row] = x;
    // b - A x = -L^T x where (D + L) x = b.
    for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k)
      residual[column_[k]] = dotted(lower_[k], -x, residual[column_[k]]);
  }
}

void MultigridLevel::sweep_backward(bool wants_residual) {
  if (wants_residual) before_ = answer;
  // What rows below have to say to a row: -L^T of their new values.
  std::fill(residual.begin(), residual.end(), Eight<float>{});
  for (std::size_t row = rows(); row-- > 0;) {
    Eight<float> sum{};
    for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k) sum = times(lower_[k], answer[column_[k]], sum);
    const Eight<float> x = six_of(times(inverse_[row], (right[row] - sum) + residual[row], Eight<float>{}));
    answer[row] = x;
    for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k)
      residual[column_[k]] = dotted(lower_[k], -x, residual[column_[k]]);
  }
  if (!wants_residual) return;
  // b - A x = L (x_before - x) where (D + L^T) x = b - L x_before.
  for (std::size_t row = 0; row < rows(); ++row) before_[row] -= answer[row];
  for (std::size_t row = 0; row < rows(); ++row) {
    Eight<float> sum{};
    for (std::uint32_t k = start_[row]; k < start_[row + 1]; ++k) sum = times(lower_[k], before_[column_[k]], sum);
    residual[row] = sum;
  }
}

void MultigridLevel::restrict_to(FloatRows& coarse) const {
  std::fill(coarse.begin(), coarse.end(), Eight<float>{});
  for (std::size_t row = 0; row < rows(); ++row) {
    const Eight<float> r = six_of(residual[row]);
    for (std::uint32_t q = coarsening_->start[row]; q < coarsening_->start[row + 1]; ++q) {
      Eight<float>& to = coarse[coarsening_->column[q]];
      to = dotted(prolongation_[q], r, to);
    }
  }
}

void MultigridLevel::correct_from(const FloatRows& coarse) {
  parallel_for(
      static_cast<std::ptrdiff_t>(rows()),
      [&](std::ptrdiff_t r) {
        const auto row = static_cast<std::size_t>(r);
        Eight<float> sum = answer[row];
        for (std::uint32_t q = coarsening_->start[row]; q < coarsening_->start[row + 1]; ++q)
          sum = times(prolongation_[q], coarse[coarsening_->column[q]], sum);
        answer[row] = six_of(sum);
      },
      kRowsFrom);
}

std::size_t MultigridLevel::bytes() const {
  return (lower_.size() + inverse_.size() + prolongation_.size()) * sizeof(FloatBlock) +
         4 * rows() * sizeof(Eight<float>) + (start_.size() + column_.size()) * sizeof(std::uint32_t) +
         (coarsening_ ? coarsening_->bytes() : 0);
}

}  // namespace scree::solvers
