#pragma once
/// \file Nesterov's momentum on Gauss-Seidel: the next sweep starts from y = r + beta (r - r_last). Where a sweep turns
/// against the motion, the momentum is dropped and starts anew.
///
/// \source Y. Nesterov, Soviet Math. Dokl. 27 (1983) 372; B. O'Donoghue, E. Candes, Found. Comput. Math. 15 (2015) 715
///         (gradient restart); H. Mazhar et al., ACM Trans. Graph. 34 (2015) 32, for contact problems

#include <cmath>

#include "solvers/coulomb/operators.hpp"
#include "solvers/coulomb/parallel.hpp"

namespace scree::coulomb {

template <ContactOperator Op>
class Momentum {
 public:
  static constexpr int D = Op::dimension;

  explicit Momentum(Op& op) : op_(op) {}

  /// For the problem that the operator holds now.
  /// \param weights  (contacts) trace(W_ii) / D: with them impulses of unlike bodies compare; they are to stay
  void prepare(std::span<const double> weights, int threads) {
    weights_ = weights;
    threads_ = threads;
  }

  /// Forgets the motion: the next sweep starts where the last one ended.
  void restart() {
    const auto state = op_.state();
    for (std::size_t a = 0; a < state.size(); ++a) copy(state[a], last_[a]);
    copy(state[0], start_);
    theta_ = 1;
  }

  /// After a sweep: moves on along its motion.
  /// \param limit  of beta, below 1
  void advance(double limit) {
    const auto state = op_.state();
    if (turned(state[0])) return restart();
    const double next = 0.5 * (1 + std::sqrt(1 + 4 * theta_ * theta_));
    const double beta = std::fmin((theta_ - 1) / next, limit);
    theta_ = next;
    for (std::size_t a = 0; a < state.size(); ++a) extrapolate(state[a], last_[a], beta);
    copy(state[0], start_);
  }

 private:
  /// Whether the sweep's own step points against the motion since the last sweep.
  bool turned(std::span<const double> now) const {
    return chunked_sum<1>(weights_.size(), threads_, [&](std::size_t i, std::array<double, 1>& sum) {
             double dot = 0;
             for (std::size_t k = D * i; k < D * (i + 1); ++k) {
               dot += (start_[k] - now[k]) * (now[k] - last_[0][k]);
             }
             sum[0] += weights_[i] * dot;
           })[0] > 0;
  }

  void copy(std::span<const double> from, std::vector<double>& to) const {
    to.resize(from.size());
    for_chunks(from.size(), threads_, [&](std::size_t begin, std::size_t end) {
      std::copy(from.begin() + begin, from.begin() + end, to.begin() + begin);
    });
  }

  void extrapolate(std::span<double> now, std::vector<double>& last, double beta) const {
    for_chunks(now.size(), threads_, [&](std::size_t begin, std::size_t end) {
      for (std::size_t k = begin; k < end; ++k) {
        const double value = now[k];
        now[k] = value + beta * (value - last[k]);
        last[k] = value;
      }
    });
  }

  Op& op_;
  std::span<const double> weights_;
  int threads_ = 1;
  double theta_ = 1;
  std::array<std::vector<double>, Op::kArrays> last_;  ///< state after the last sweep
  std::vector<double> start_;                          ///< impulses the sweep started from
};

}  // namespace scree::coulomb
