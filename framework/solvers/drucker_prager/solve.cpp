#include "solvers/drucker_prager/solve.hpp"

#include <chrono>

#include "solvers/drucker_prager/check.hpp"
#include "solvers/drucker_prager/search.hpp"

namespace scree::continuum {

template <int D>
struct Workspace<D>::State : SearchState<D> {};

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

namespace {

template <int D>
Report run(const StrainProblem<D>& problem, const Solution<D>& solution, const Options& options,
           Workspace<D>& workspace) {
  const auto start = std::chrono::steady_clock::now();
  check(problem, solution, options);
  Report report = Search<D>(problem, solution, options, workspace.state()).run();
  report.seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
  return report;
}

}  // namespace

Report solve(const StrainProblem<2>& problem, const Solution<2>& solution, const Options& options,
             Workspace<2>& workspace) {
  return run(problem, solution, options, workspace);
}
Report solve(const StrainProblem<3>& problem, const Solution<3>& solution, const Options& options,
             Workspace<3>& workspace) {
  return run(problem, solution, options, workspace);
}

}  // namespace scree::continuum
