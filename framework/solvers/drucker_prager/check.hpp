#pragma once
/// \file Refuses problems that are none: sizes that do not fit, numbers that are not finite or not allowed.

#include "solvers/drucker_prager/solve.hpp"

namespace scree::continuum {

/// \throws std::invalid_argument  naming the first such row, the value found and what is allowed
template <int D>
void check(const StrainProblem<D>& problem, const Solution<D>& solution, const Options& options);

}  // namespace scree::continuum
