#pragma once
/// \file The methods the paper compares with, its section 8.1: seven coordinates per body, and |q| = 1 kept by a
/// projection without reduction (P.47 to P.51), a penalty (P.65), multipliers (P.66), or both (P.67). For convergence
/// figures and as a second opinion, not for production: matrices are built from triplets and factored anew.

#include "incremental/bond_term.hpp"
#include "solvers/newton/minimise.hpp"
#include "solvers/newton/terms.hpp"
#include "use_solvers.hpp"

namespace scree::bonded {

enum class Constraint {
  projected,   ///< second-order manifold optimisation without the nullspace operator: 7 unknowns per body
  penalty,     ///< Phi + k/2 |C|^2
  multiplier,  ///< Phi + l C, Newton's method on both: 8 unknowns per body, indefinite
  augmented    ///< Phi + l C + k/2 |C|^2, l += k C whenever the inner problem is solved
};

struct ConstrainedOptions {
  Constraint method = Constraint::projected;
  double tolerance = 1e-6;  ///< tolerance of the residual of ResidualScale, at normalised quaternions
  int max_iterations = 200;
  /// k of penalty and augmented, in units of the largest diagonal entry of the Hessian that belongs to a quaternion.
  double penalty = 100;
  double inner = 0.1;  ///< augmented: multipliers are moved when the inner gradient has fallen by this
  LineSearch line_search;
};

/// C = (q . q - 1)/2, eq. (14) of the paper.
struct ConstrainedReport {
  MinimiseReport descent;         ///< residuals and energies are of Phi at normalised quaternions
  std::vector<double> violation;  ///< largest |C| of each iterate
};

/// Minimises inertia and bonds alone, of bodies with equal moments of inertia.
/// \param x  in: the start, unit quaternions; out: the last iterate, normalised
ConstrainedReport minimise_constrained(const BondColumns& bonds, const InertiaTerm::Columns& inertia,
                                       const Unknowns& unknowns, const ResidualScale& scale,
                                       const ConstrainedOptions& options, Moving x);

}  // namespace scree::bonded
