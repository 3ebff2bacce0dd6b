#pragma once
/// \file What is tried, in which order, until a problem is solved: see Search::run().

#include "coulomb/assemble.hpp"
#include "coulomb/gauss_seidel.hpp"
#include "coulomb/measure.hpp"
#include "coulomb/momentum.hpp"
#include "coulomb/proximal.hpp"

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

template <int D>
const DelassusProblem<D>& assembled(const DelassusProblem<D>& problem) {
  return problem;
}
template <int D>
DelassusProblem<D> assembled(const RigidProblem<D>& problem) {
  return assemble(problem);
}

template <int D, class Op>
void set_impulses(Op& op, const Order& order, std::span<const Vec<D>> impulses) {
  for (std::size_t i = 0; i < op.size(); ++i) op.set_impulse(i, impulses[order.contact[i]]);
  op.refresh();
}

/// One way to sweep.
struct Manner {
  std::string_view name;
  double momentum;    ///< limit of beta; 0: none
  double relaxation;  ///< share of a contact's new impulse
};

template <int D, class Problem>
class Search {
 public:
  using Op = OperatorOf<Problem>;

  /// \param impulses  in: the start; at the end of run(): the best iterate
  Search(const Problem& problem, Order order, std::span<Vec<D>> impulses, const Options& options)
      : problem_(problem),
        order_(std::move(order)),
        impulses_(impulses),
        options_(options),
        op_(problem, order_),
        judge_(op_, options.measure, options.threads),
        sweeper_(op_, order_, options),
        momentum_(op_, judge_.scales(), options.threads) {}

  /// Sweeps with full momentum; where those stall, the proximal loop if the problem is small enough for it; then, ever
  /// more patiently, sweeps with less momentum, with none, and relaxed ones.
  Report run() {
    set_impulses<D>(op_, order_, impulses_);
    report_.error = judge_(op_);
    if (!options_.globalise) {
      sweep({"gauss-seidel", 0, 1}, options_.max_sweeps);
      return finish();
    }
    int patience = 100;
    sweep({"momentum", 1, 1}, patience);
    if (!done() && problem_.size() <= kProximal) proximal();
    for (; !done() && !infeasible(); patience *= 2) {
      for (const Manner& manner : {Manner{"momentum", 0.7, 1}, {"relaxation", 0, 0.7}, {"momentum", 1, 1}}) {
        sweep(manner, patience);
      }
    }
    return finish();
  }

 private:
  /// Contacts up to which a factorisation of W costs less than the sweeps it saves.
  static constexpr std::size_t kProximal = 600;

  bool done() const { return report_.error <= options_.tolerance || report_.sweeps >= options_.max_sweeps; }

  /// \param patience  sweeps after which the measure must have fallen by a tenth
  void sweep(const Manner& manner, int patience) {
    double mark = report_.error;
    int marked = report_.sweeps;
    momentum_.restart();
    while (!done()) {
      const int count = std::min(report_.sweeps < 20 ? 5 : 10, options_.max_sweeps - report_.sweeps);
      for (int k = 0; k < count; ++k) {
        if (manner.momentum > 0 && k > 0) momentum_.advance(manner.momentum);
        sweeper_.sweep(1, manner.relaxation);
      }
      report_.sweeps += count;
      op_.refresh();
      keep_if_better(manner.name);
      if (report_.sweeps - marked >= patience) {
        if (report_.error > 0.9 * mark) return;
        mark = report_.error;
        marked = report_.sweeps;
      }
      if (manner.momentum > 0) momentum_.advance(manner.momentum);
    }
  }

  void proximal() {
    std::vector<Vec<D>> now(impulses_.begin(), impulses_.end());
    const ScaledSystem<D> system(assembled(problem_));
    report_.iterations += solve_proximal<D>(system, now, {options_.tolerance}, [this](std::span<const Vec<D>> trial) {
      set_impulses<D>(op_, order_, trial);
      return keep_if_better("proximal");
    });
    set_impulses<D>(op_, order_, impulses_);
  }

  double keep_if_better(std::string_view stage) {
    const double now = judge_(op_);
    if (now < report_.error) {
      report_.error = now;
      report_.stage = stage;
      for (std::size_t i = 0; i < op_.size(); ++i) impulses_[order_.contact[i]] = op_.impulse(i);
    }
    return now;
  }

  /// Plain sweeps add to impulses that no longer move anything: walls press from two sides. A direction d >= 0 of
  /// normal impulses with W d = 0 and q . d < 0 proves it: u . d = q . d for every r, against u_N >= 0.
  bool infeasible() {
    constexpr int kSweeps = 50;
    constexpr double kSmall = 1e-6;
    const std::vector<double> before(op_.state()[0].begin(), op_.state()[0].end());
    sweeper_.sweep(kSweeps, 1);
    report_.sweeps += kSweeps;
    std::vector<Vec<D>> direction(problem_.size(), Vec<D>::Zero());
    const auto scales = judge_.scales();
    double size = 0;
    for (std::size_t i = 0; i < op_.size(); ++i) {
      const double growth = std::fmax(op_.impulse(i)[0] - before[D * i], 0);
      direction[order_.contact[i]][0] = growth;
      size += scales[i] * growth * growth;
    }
    keep_if_better("gauss-seidel");
    if (!(size > 0)) return false;
    Op probe(problem_, order_);
    double along = 0, moved = 0, q = 0;
    std::vector<Vec<D>> free(op_.size());
    for (std::size_t i = 0; i < op_.size(); ++i) {
      free[i] = probe.velocity(i);
      along += free[i][0] * direction[order_.contact[i]][0];
      q += free[i].squaredNorm() / scales[i];
    }
    set_impulses<D>(probe, order_, direction);
    for (std::size_t i = 0; i < op_.size(); ++i) moved += (probe.velocity(i) - free[i]).squaredNorm() / scales[i];
    const bool proved = moved <= kSmall * kSmall * size && along < -kSmall * std::sqrt(q * size);
    if (proved) report_.status = Status::infeasible;
    return proved;
  }

  Report finish() {
    if (report_.status != Status::infeasible) {
      report_.status = report_.error <= options_.tolerance ? Status::converged : Status::stalled;
    }
    report_.branches = sweeper_.branches();
    return report_;
  }

  const Problem& problem_;
  Order order_;
  std::span<Vec<D>> impulses_;
  Options options_;
  Op op_;
  Judge<Op> judge_;
  GaussSeidel<Op> sweeper_;
  Momentum<Op> momentum_;
  Report report_;
};

}  // namespace scree::coulomb
