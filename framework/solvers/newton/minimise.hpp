#pragma once
/// \file Minimisation of the incremental potential on (R^3 x S^3)^n: second order (Algorithms 2 and 3) and first order
/// (Algorithm 1).

#include "solvers/newton/potential.hpp"
#include "solvers/blocks/solver.hpp"

namespace scree::solvers {

/// A configuration that may be moved.
struct Moving {
  std::span<Vec3> position;
  std::span<Quat> orientation;

  operator Configuration() const { return {position, orientation}; }
};

/// What a gradient is measured in, eq. (31): sqrt(sum |g_p|^2 + |g_th|^2/r^2)/force.
struct ResidualScale {
  std::span<const double> lever;  ///< (bodies) r: turns torque into force [m]
  double force;                   ///< [N]; in a time step a_ref sqrt(sum m^2), see step_scale()
};

/// Line search: Armijo's condition with halving.
struct LineSearch {
  double slope = 1e-4;  ///< part of the linear decrease that must come true
  int halvings = 25;
  /// Below this part of the energy a predicted decrease is lost in rounding: the full step is taken if the gradient
  /// falls.
  double lost = 1e-12;
};

struct MinimiseOptions {
  double tolerance = 1e-6;  ///< of the residual of ResidualScale
  int max_iterations = 50;
  /// Solve no better than the progress asks for, eq. (32): min(0.5, sqrt(|g|/|g_0|)), at least `tightest`. Off: `first`
  /// for the first system, then `tightest`; either way no better than `tolerance` needs. Direct solvers do not care.
  bool inexact = true;
  double tightest = 1e-3;
  double first = 0;                        ///< not less than `tightest`, which it is where it says 0
  Curvature curvature = Curvature::exact;  ///< exact: clamped only where the exact one is not positive definite
  bool corrections = true;  ///< a Hessian may serve twice; off: every iterate is Newton's, for convergence figures
  LineSearch line_search;
};

/// One iterate, for convergence figures.
struct Iterate {
  double residual = 0;  ///< of ResidualScale, before the step
  double energy = 0;    ///< since the start [J], before the step
  double step = 0;      ///< alpha taken
  int linear_iterations = 0;
  bool clamped = false;
  bool corrected = false;  ///< the step was solved for with the Hessian of the iterate before
  double seconds = 0;      ///< since the start
};

struct MinimiseReport {
  bool converged = false;
  std::string_view stopped = "converged";  ///< why: converged, iterations, line search, linear solver, not finite
  int iterations = 0;                      ///< steps with a Hessian of their own
  int corrections = 0;                     ///< steps with the Hessian of the step before
  int linear_iterations = 0;
  int halvings = 0;  ///< of the line search, in all
  int clamped = 0;   ///< iterations that needed the clamped Hessian
  double residual = 0;
  double energy_change = 0;  ///< from the start [J]
  std::vector<Iterate> history;
};

/// Second-order manifold optimisation: H D = -g in tangent coordinates, p += a D_p, q <- exp(a D_th) q. Where the
/// Hessian of the step before is good enough to end with, it serves once more (simplified Newton): with H of x_0 the
/// residuals r_0, r_1 are followed by 2 r_1^2/r_0. \param x  in: the start; out: the last accepted iterate
MinimiseReport minimise(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options,
                        LinearSolver& solver, BlockMatrix& hessian, Moving x);

/// First-order: steepest descent with respect to the metric `mass` and `moment` (both 1: that of Algorithm 1), along
/// geodesics, with the same line search; each starts from twice the step before.
/// \param mass, moment  (bodies) what a gradient in p and in th is divided by
MinimiseReport descend(IncrementalPotential& potential, const ResidualScale& scale, const MinimiseOptions& options,
                       std::span<const double> mass, std::span<const double> moment, Moving x);

/// Eq. (31). \param gradient  six entries per row
double residual_of(const BlockVector& gradient, const Unknowns& unknowns, const ResidualScale& scale);

}  // namespace scree::solvers
