#include "coulomb/solve.hpp"

#include <chrono>

#include "coulomb/check.hpp"
#include "coulomb/search.hpp"

namespace scree::coulomb {
namespace {

/// Problems smaller than this are swept as they come: their colours would be too small to share out.
constexpr std::size_t kColoured = 1024;

template <class Problem>
Order sweep_order(const Problem& problem) {
  return problem.size() < kColoured ? natural_order(problem.size()) : colour(problem);
}

template <int D, class Problem>
Report run(const Problem& problem, std::span<Vec<D>> impulses, const Options& options) {
  const auto start = std::chrono::steady_clock::now();
  check<D>(problem, impulses);
  check(options, problem.size());
  Search<D, Problem> search(problem, sweep_order(problem), impulses, options);
  Report report = search.run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template <int D, class Problem>
double error_of(const Problem& problem, std::span<const Vec<D>> impulses, Measure measure) {
  check<D>(problem, impulses);
  const Order order = natural_order(problem.size());
  OperatorOf<Problem> op(problem, order);
  Judge judge(op, measure, 1);
  set_impulses<D>(op, order, impulses);
  judge.start_from(op);
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
