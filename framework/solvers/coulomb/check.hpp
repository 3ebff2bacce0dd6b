#pragma once
/// \file Refuses problems that are none: sizes that do not fit, numbers that are not finite, negative friction.

#include "solvers/coulomb/solve.hpp"

namespace scree::coulomb {

/// \throws std::invalid_argument  naming the first such contact or body, the value found and what is allowed
template <int D>
void check(const DelassusProblem<D>& problem, std::span<const Vec<D>> impulses, int threads);
template <int D>
void check(const RigidProblem<D>& problem, std::span<const Vec<D>> impulses, int threads);

/// \param joints  whether some contacts are such; only the interior-point method alone has to know
void check(const Options& options, std::size_t contacts, bool joints);

}  // namespace scree::coulomb
