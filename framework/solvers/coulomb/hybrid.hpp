#pragma once
/// \file The solvers of one contact, each from the contact's previous impulse.

#include "solvers/coulomb/enumerate.hpp"
#include "solvers/coulomb/solve.hpp"

namespace scree::coulomb {

/// Of two impulses the one nearer to Coulomb's law, when no branch arrived there.
template <int D>
inline LocalSolution<D> better_of(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& x, const Vec<D>& y) {
  if (!y.allFinite()) return {x, Branch::unsolved};
  return {relative_residual<D>(p, b, y) < relative_residual<D>(p, b, x) ? y : x, Branch::unsolved};
}

/// Cases that need no iteration, in the order a pile has them.
template <int D>
inline std::optional<LocalSolution<D>> direct_cases(const LocalProblem<D>& p, const Vec<D>& b) {
  if (b[0] >= 0) return LocalSolution<D>{Vec<D>::Zero(), Branch::take_off};
  if (const auto x = stick<D>(p, b)) return LocalSolution<D>{*x, Branch::stick};
  return {};
}

template <int D>
inline LocalSolution<D> solve_frictionless(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  const auto x = frictionless<D>(p, b);
  if (!x) return {start, Branch::unsolved};
  return {*x, b[0] >= 0 ? Branch::take_off : Branch::newton};
}

template <int D>
inline LocalSolution<D> solve_newton(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  Vec<D> x = start;
  if (newton<D>(p, b, x) < kLocalTolerance) return {x, Branch::newton};
  return better_of<D>(p, b, start, x);
}

template <int D>
inline LocalSolution<D> solve_enumerative(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  if (const auto direct = direct_cases<D>(p, b)) return *direct;
  if (const auto x = slide<D>(p, b, start)) return {*x, Branch::quartic};
  return {start, Branch::unsolved};
}

/// Where the contact slid before, the one equation of sliding is the shortest way.
template <int D>
inline std::optional<Vec<D>> keep_sliding(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  const double length2 = start.template tail<D - 1>().squaredNorm();
  if (!p.regular || !(length2 > 0)) return {};
  const Vec<D - 1> ut = (p.W * start + b).template tail<D - 1>();
  const double alpha = -ut.dot(start.template tail<D - 1>()) / length2;
  return newton_on_alpha<D>(SlidingEquation<D>(p, b), std::fmax(alpha, 0));
}

/// Take-off and stick by inspection; sliding by Newton's method on alpha, then on the Fischer-Burmeister function, and
/// by the roots of the quartic where both fail.
template <int D>
inline LocalSolution<D> solve_hybrid(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  if (const auto direct = direct_cases<D>(p, b)) return *direct;
  if (const auto x = keep_sliding<D>(p, b, start)) return {*x, Branch::slide};
  const LocalSolution<D> iterated = solve_newton<D>(p, b, start);
  if (iterated.branch != Branch::unsolved) return iterated;
  if (const auto x = slide<D>(p, b, start)) return {*x, Branch::quartic};
  return iterated;
}

/// \param b      velocity of the contact without its own impulse [m/s]
/// \param start  its previous impulse, scaled [m/s]
template <int D, LocalSolver kSolver>
inline LocalSolution<D> solve_contact(const LocalProblem<D>& p, const Vec<D>& b, const Vec<D>& start) {
  if (p.friction == kJoint) return {hold<D>(p, b), Branch::stick};
  if (!(p.friction > 0)) return solve_frictionless<D>(p, b, start);
  if constexpr (kSolver == LocalSolver::newton) return solve_newton<D>(p, b, start);
  if constexpr (kSolver == LocalSolver::enumerative) return solve_enumerative<D>(p, b, start);
  return solve_hybrid<D>(p, b, start);
}

}  // namespace scree::coulomb
