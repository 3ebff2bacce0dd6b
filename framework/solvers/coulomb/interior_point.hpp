#pragma once
/// \file Interior-point method for all contacts at once: follows the central path of Coulomb's law to its end, also
/// where it turns back.
///
/// With x and y in the self-dual cone |x_T| <= x_N (see BarrierSystem) the problem is y = A x + c + |y_T| e_N, x o y =
/// 0 in Jordan's product. The path joins it, t = 0, to a problem whose solution is known, t = 1,
///   y = A x + c + (|y_T|^2 + (t eps)^2)^(1/2) e_N + t f,   x o y = t m e_N.
/// That solution has the given impulses' x - y, and m says how far within the cones it is: the larger, the more
/// certainly it is the only one for t = 1. For every t between 0 and 1 solutions are bounded where some motion
/// satisfies all contacts: so a path that does not come back to t = 1 ends at a solution or runs off to t = 0. It is no
/// function of t, as Coulomb's law is not monotone: where det of the Jacobian changes its sign the path folds, and t
/// grows along it for a while. So arc length is followed: a step is the tangent, with t's direction told by that sign,
/// and Newton's correction perpendicular to it, from one factorisation; its length is halved until it ends near the
/// path. All lengths are measured in the local norm of the barrier, dx . H dx with H x = y (Nesterov and Todd's
/// scaling).
///
/// How often a path winds before it ends depends on where it begins, and cannot be told beforehand: paths from several
/// m are followed in turn, each for as long as t gets lower from time to time.
///
/// \source V. Acary, F. Cadoux, C. Lemarechal, J. Malick, ZAMM 91 (2011) 155, for existence; E. L. Allgower, K. Georg,
///         Introduction to numerical continuation methods, SIAM 2003; Y. E. Nesterov, M. J. Todd, SIAM J. Optim. 8
///         (1998) 324

#include "solvers/coulomb/barrier_system.hpp"

namespace scree::coulomb {

struct InteriorPointOptions {
  double tolerance;
  int max_iterations;
};

/// \param start  (contacts) impulses near which paths begin [N s]
/// \return iterations done, with a factorisation each
template <int D>
int solve_interior_point(BarrierSystem<D>& system, std::span<const Vec<D>> start, const InteriorPointOptions& options,
                         const Judgement<D>& judge);

}  // namespace scree::coulomb
