#include "solvers/coulomb/solve.hpp"

#include <chrono>

#include "solvers/coulomb/check.hpp"
#include "solvers/coulomb/search.hpp"

namespace scree::coulomb {
namespace {

template <int D, class Problem>
Report run(const Problem& problem, std::span<Vec<D>> impulses, const Options& options, SweepState<Problem>& state) {
  const auto start = std::chrono::steady_clock::now();
  check(options, problem.size(), options.strategy == Strategy::interior_point && has_joints(problem));
  check<D>(problem, impulses, options.threads);
  state.prepare(problem, options);
  Report report = Search<D, Problem>(problem, state, impulses, options).run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

template <int D, class Problem>
Report run(const Problem& problem, std::span<Vec<D>> impulses, const Options& options) {
  SweepState<Problem> state;
  return run<D>(problem, impulses, options, state);
}

template <int D, class Problem>
double error_of(const Problem& problem, std::span<const Vec<D>> impulses, Measure measure) {
  check<D>(problem, impulses, 1);
  const Order order = natural_order(problem.size());
  OperatorOf<Problem> op(problem, order);
  std::vector<double> scales;
  for (std::size_t i = 0; i < op.size(); ++i) scales.push_back(scale_of<D>(op.diagonal(i)));
  Judge<OperatorOf<Problem>> judge;
  judge.prepare(op, scales, measure, 1);
  op.set_impulses(order, impulses);
  judge.start_from(op);
  return judge(op);
}

}  // namespace

template <int D>
struct Workspace<D>::State : SweepState<RigidProblem<D>> {};

template <int D>
Workspace<D>::Workspace() : state_(std::make_unique<State>()) {}
template <int D>
Workspace<D>::Workspace(Workspace&&) noexcept = default;
template <int D>
Workspace<D>& Workspace<D>::operator=(Workspace&&) noexcept = default;
template <int D>
Workspace<D>::~Workspace() = default;

template class Workspace<2>;
template class Workspace<3>;

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
Report solve(const RigidProblem<2>& problem, std::span<Vec<2>> impulses, const Options& options,
             Workspace<2>& workspace) {
  return run<2>(problem, impulses, options, workspace.state());
}
Report solve(const RigidProblem<3>& problem, std::span<Vec<3>> impulses, const Options& options,
             Workspace<3>& workspace) {
  return run<3>(problem, impulses, options, workspace.state());
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
