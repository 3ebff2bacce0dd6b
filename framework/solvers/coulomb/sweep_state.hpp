#pragma once
/// \file What sweeps over a problem work with. It may serve one problem after the other, and keeps its memory then; in
/// time stepping also its colours, as long as the same bodies touch.

#include "solvers/coulomb/gauss_seidel.hpp"
#include "solvers/coulomb/measure.hpp"
#include "solvers/coulomb/momentum.hpp"

namespace scree::coulomb {

template <class Problem>
struct OperatorFor;
template <int D>
struct OperatorFor<DelassusProblem<D>> {
  using type = AssembledOperator<D>;
};
template <int D>
struct OperatorFor<RigidProblem<D>> {
  using type = RigidOperator<D>;
};
template <class Problem>
using OperatorOf = typename OperatorFor<Problem>::type;

/// The order in which contacts are swept.
template <class Problem>
class SweepOrder {
 public:
  void prepare(const Problem& problem, int threads) {
    if (problem.size() >= kColoured) return colour_anew(problem, threads);
    ends_.clear();
    order_ = natural_order(problem.size());
  }
  const Order& get() const { return order_; }

 private:
  /// Problems smaller than this are swept as they come: their colours would be too small to share out.
  static constexpr std::size_t kColoured = 1024;

  template <int D>
  void colour_anew(const DelassusProblem<D>& problem, int) {
    order_ = colour(problem);
  }
  /// Only where another body touches than before.
  template <int D>
  void colour_anew(const RigidProblem<D>& problem, int threads) {
    find_ends(problem, threads, now_);
    if (now_ == ends_) return;
    std::swap(now_, ends_);
    order_ = colour(ends_, problem.bodies.size());
  }

  Order order_;
  Ends ends_, now_;  ///< of the problem that was coloured last; of the present one
};

template <class Problem>
class SweepState {
 public:
  using Op = OperatorOf<Problem>;

  SweepState() = default;
  SweepState(const SweepState&) = delete;
  SweepState& operator=(const SweepState&) = delete;

  /// No impulses are set then.
  void prepare(const Problem& problem, const Options& options) {
    order_.prepare(problem, options.threads);
    op.assign(problem, order(), options.threads);
    sweeper.prepare(options);
    scales_.resize(op.size());
    for_chunks(op.size(), options.threads, [this](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) scales_[i] = sweeper.local()[i].scale;
    });
    judge.prepare(op, scales_, options.measure, options.threads);
    momentum.prepare(scales_, options.threads);
  }
  const Order& order() const { return order_.get(); }

 private:
  SweepOrder<Problem> order_;
  std::vector<double> scales_;  ///< (contacts) trace(W_ii) / D [1/kg]

 public:
  Op op;
  Judge<Op> judge;
  GaussSeidel<Op> sweeper{op, order_.get()};
  Momentum<Op> momentum{op};
};

}  // namespace scree::coulomb
