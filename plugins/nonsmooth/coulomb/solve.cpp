#include "coulomb/solve.hpp"

#include <chrono>

#include "coulomb/check.hpp"
#include "coulomb/gauss_seidel.hpp"
#include "coulomb/measure.hpp"

namespace scree::coulomb {
namespace {

template <int D>
AssembledOperator<D> make_operator(const DelassusProblem<D>& problem, const Order& order) {
  return {problem, order};
}
template <int D>
RigidOperator<D> make_operator(const RigidProblem<D>& problem, const Order& order) {
  return {problem, order};
}

/// Problems smaller than this are swept as they come: their colours would be too small to share out.
constexpr std::size_t kColoured = 1024;

template <class Problem>
Order sweep_order(const Problem& problem) {
  return problem.size() < kColoured ? natural_order(problem.size()) : colour(problem);
}

/// One of the two measures, with what it needs to know beforehand.
template <ContactOperator Op>
class Judge {
 public:
  /// \pre no impulses are set
  Judge(const Op& op, Measure measure) : measure_(measure) {
    for (std::size_t i = 0; i < op.size(); ++i) {
      q_norm_ += op.velocity(i).squaredNorm();
      scales_.push_back(scale_of<Op::dimension>(op.diagonal(i)));
    }
    q_norm_ = std::sqrt(q_norm_);
  }

  double operator()(const Op& op) const {
    return measure_ == Measure::natural_map ? natural_map(op, q_norm_) : largest_fischer_burmeister(op, scales_);
  }

 private:
  Measure measure_;
  double q_norm_ = 0;
  std::vector<double> scales_;
};

template <int D, class Op>
void set_impulses(Op& op, const Order& order, std::span<const Vec<D>> impulses) {
  for (std::size_t i = 0; i < op.size(); ++i) op.set_impulse(i, impulses[order.contact[i]]);
  op.refresh();
}

template <int D, class Op>
void get_impulses(const Op& op, const Order& order, std::span<Vec<D>> impulses) {
  for (std::size_t i = 0; i < op.size(); ++i) impulses[order.contact[i]] = op.impulse(i);
}

template <int D, class Problem>
Report run(const Problem& problem, std::span<Vec<D>> impulses, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  check<D>(problem, impulses);
  check(options);
  const Order order = sweep_order(problem);
  auto op = make_operator<D>(problem, order);
  const Judge judge(op, options.measure);
  set_impulses<D>(op, order, impulses);
  GaussSeidel sweeper(op, order, options);

  Report report;
  report.error = judge(op);
  while (report.error > options.tolerance && report.sweeps < options.max_sweeps) {
    const int count = std::min(5, options.max_sweeps - report.sweeps);
    sweeper.sweep(count, 1.0);
    report.sweeps += count;
    op.refresh();
    if (const double now = judge(op); now < report.error) {
      report.error = now;
      get_impulses<D>(op, order, impulses);
    }
  }
  report.status = report.error <= options.tolerance ? Status::converged : Status::stalled;
  report.branches = sweeper.branches();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template <int D, class Problem>
double error_of(const Problem& problem, std::span<const Vec<D>> impulses, Measure measure) {
  check<D>(problem, impulses);
  const Order order = natural_order(problem.size());
  auto op = make_operator<D>(problem, order);
  const Judge judge(op, measure);
  set_impulses<D>(op, order, impulses);
  return judge(op);
}

}  // namespace

Report solve(const DelassusProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options) {
  return run<2>(problem, impulses, options);
}
Report solve(const DelassusProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options) {
  return run<3>(problem, impulses, options);
}
Report solve(const RigidProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options) {
  return run<2>(problem, impulses, options);
}
Report solve(const RigidProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options) {
  return run<3>(problem, impulses, options);
}

double error(const DelassusProblem<2>& problem, std::span<const Vec<2>> impulses, Measure measure) {
  return error_of<2>(problem, impulses, measure);
}
double error(const DelassusProblem<3>& problem, std::span<const Vec<3>> impulses, Measure measure) {
  return error_of<3>(problem, impulses, measure);
}
double error(const RigidProblem<2>& problem, std::span<const Vec<2>> impulses, Measure measure) {
  return error_of<2>(problem, impulses, measure);
}
double error(const RigidProblem<3>& problem, std::span<const Vec<3>> impulses, Measure measure) {
  return error_of<3>(problem, impulses, measure);
}

}  // namespace scree::coulomb
