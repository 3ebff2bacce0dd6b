#pragma once
/// \file Short ways for tests to solve problems, and to be refused.

#include <stdexcept>
#include <string>
#include <vector>

#include "solvers/coulomb/solve.hpp"

namespace scree::coulomb::test {

template <int D, class Problem>
Report solve_cold(const Problem& problem, std::vector<Vec<D>>& impulses, const Options& options) {
  impulses.assign(problem.size(), Vec<D>::Zero());
  return solve(problem, impulses, options);
}

inline Options tight(double tolerance = 1e-10) {
  Options options;
  options.tolerance = tolerance;
  return options;
}

template <class Problem, class Impulses>
std::string refusal(const Problem& problem, Impulses& impulses, const Options& options = {}) {
  try {
    solve(problem, impulses, options);
  } catch (const std::invalid_argument& error) {
    return error.what();
  }
  return "accepted";
}

}  // namespace scree::coulomb::test
