#pragma once
/// \file The Delassus operator W = H M^-1 H^T of a rigid problem, and its q = H v_0 + w.

#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// \return the same contacts in the same order; W_ij where i and j share a moving body
DelassusProblem<2> assemble(const RigidProblem<2>& problem);
DelassusProblem<3> assemble(const RigidProblem<3>& problem);

}  // namespace scree::coulomb
