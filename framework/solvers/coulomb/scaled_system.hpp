#pragma once
/// \file A problem as one sparse system in the units of velocity (times a root of mass): x_i = s_i^(1/2) r_i,
/// y_i = s_i^(-1/2) u_i with s_i = trace(W_ii) / D, so that y = A x + c, A's diagonal blocks have trace D, and a
/// symmetric W stays so. Cones and Coulomb's law are the same in these variables.

#include <Eigen/SparseCore>
#include <functional>
#include <span>

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// What does not depend on how A is kept.
template <int D>
struct ScaledVariables {
  Eigen::VectorXd c;
  std::vector<double> friction, root;  ///< (contacts) mu_i, s_i^(1/2)

  std::size_t size() const { return friction.size(); }
  Eigen::VectorXd scaled(std::span<const Vec<D>> impulses) const;
  std::vector<Vec<D>> impulses(const Eigen::VectorXd& x) const;
};

/// A itself.
template <int D>
struct ScaledSystem : ScaledVariables<D> {
  Eigen::SparseMatrix<double> A;

  explicit ScaledSystem(const DelassusProblem<D>& problem);
};

/// A = G G^T, with a column of G for each degree of freedom of the bodies that move, in units in which M is I.
template <int D>
struct ScaledBodies : ScaledVariables<D> {
  Eigen::SparseMatrix<double> G;

  explicit ScaledBodies(const RigidProblem<D>& problem);
};

/// Judges impulses, in the order of the problem, and keeps the best. \return their measure
template <int D>
using Judgement = std::function<double(std::span<const Vec<D>>)>;

}  // namespace scree::coulomb
