#pragma once
/// \file Alternating direction method of multipliers (ADMM): a linear problem of all bodies and a projection of every
/// contact take turns. For y = A x + c, u^ = y + mu |y_T| e_N, and t, what contacts allow the velocities to be:
///   y <- velocities drawn to t + x / rho, see VelocityStep
///   y <- 1.6 y - 0.6 t                                        (over-relaxation)
///   x <- P_K(x_old - rho u^),  t <- y + (x - x_old) / rho
/// Where 50 iterations do not halve the measure, the next rho of a short list is tried, and after the last one none:
/// each costs a factorisation.
///
/// \source S. Boyd et al., Found. Trends Mach. Learn. 3 (2011) 1; V. Acary, M. Bremond, O. Huber, in Advanced Topics in
///         Nonsmooth Dynamics, Springer 2018, for friction

#include "solvers/coulomb/velocity_step.hpp"

namespace scree::coulomb {

struct AdmmOptions {
  double tolerance;
  int max_iterations;
};

struct AdmmEffort {
  int iterations = 0, factorisations = 0;
};

/// Judged every so many iterations.
inline constexpr int kAdmmLook = 10;

/// \param impulses  the start
template <int D>
AdmmEffort solve_admm(VelocityStep<D>& step, std::span<const Vec<D>> impulses, const AdmmOptions& options,
                      const Judgement<D>& judge);

}  // namespace scree::coulomb
