#pragma once
/// \file Preconditioned conjugate gradients as a LinearSolver, for preconditioners with kName, kLasts (whether one is
/// worth keeping for other values), prepare(), apply(), set_centres() and bytes().

#include <algorithm>
#include <cmath>

#include "solvers/blocks/solver.hpp"

namespace scree::solvers {

inline auto rows_of(BlockVector& x, std::size_t row) { return x.segment<6>(6 * static_cast<Eigen::Index>(row)); }
inline auto rows_of(const BlockVector& x, std::size_t row) { return x.segment<6>(6 * static_cast<Eigen::Index>(row)); }

/// For preconditioners that do not ask where bodies are.
struct BlindPreconditioner {
  void set_centres(std::span<const Vec3>) {}
};

/// Preconditioned conjugate gradients. Stops at the first direction of non-positive curvature.
template <class Preconditioner>
class ConjugateGradients final : public LinearSolver {
 public:
  explicit ConjugateGradients(int max_iterations) : max_iterations_(max_iterations) {}

  std::string_view name() const override { return Preconditioner::kName; }
  void set_centres(std::span<const Vec3> centres) override { preconditioner_.set_centres(centres); }
  bool prepare(const BlockMatrix& a) override {
    fresh_rate_ = rate_ = 0;
    return preconditioner_.prepare(a);
  }
  bool refresh(const BlockMatrix& a) override {
    if (Preconditioner::kLasts && fresh_rate_ > 0 && rate_ > kTired * fresh_rate_) return true;
    return prepare(a);
  }
  std::size_t bytes() const override {
    return preconditioner_.bytes() + 4 * static_cast<std::size_t>(r_.size()) * sizeof(double);
  }

  SolveReport solve(const BlockMatrix& a, const BlockVector& b, double tolerance, BlockVector& x) override {
    const SolveReport report = iterate(a, b, tolerance, x);
    rate_ = report.converged && report.residual > 0 ? -std::log(report.residual) / report.iterations : 0;
    if (fresh_rate_ == 0) fresh_rate_ = rate_;
    return report;
  }

 private:
  /// A preconditioner is made anew when the residual falls, per iteration, by less than this power of what it did at
  /// first.
  static constexpr double kTired = 0.6;

  SolveReport iterate(const BlockMatrix& a, const BlockVector& b, double tolerance, BlockVector& x) {
    SolveReport report;
    x.setZero(b.size());
    r_ = b;
    const double size = std::sqrt(ordered_dot(b, b));
    if (size == 0) return report.converged = true, report;
    preconditioner_.apply(r_, z_);
    p_ = z_;
    double rz = ordered_dot(r_, z_);
    const int limit = max_iterations_ > 0 ? max_iterations_ : std::max(1000, 20 * static_cast<int>(a.rows()));
    for (report.residual = 1; report.iterations < limit; ++report.iterations) {
      a.multiply(p_, ap_);
      const double curvature = ordered_dot(p_, ap_);
      if (!(curvature > 0)) return report.positive_definite = false, report;
      const double alpha = rz / curvature;
      x += alpha * p_;
      r_ -= alpha * ap_;
      report.residual = std::sqrt(ordered_dot(r_, r_)) / size;
      if (report.residual <= tolerance) return report.converged = true, ++report.iterations, report;
      preconditioner_.apply(r_, z_);
      const double next = ordered_dot(r_, z_);
      p_ = z_ + (next / rz) * p_;
      rz = next;
    }
    return report;
  }

  int max_iterations_;
  double fresh_rate_ = 0, rate_ = 0;  ///< -log(residual) per iteration, first and last since prepare()
  Preconditioner preconditioner_;
  BlockVector r_, z_, p_, ap_;
};

}  // namespace scree::solvers
