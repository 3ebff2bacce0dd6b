#pragma once
/// \file The Delassus operator in blocks: from a sparse matrix of numbers, and from rigid bodies.

#include "coulomb/problem.hpp"
#include "fclib/problem.hpp"

namespace scree::fclib {

/// \param w  (D contacts, D contacts). A block is stored where any of its entries is; those on the diagonal always
template <int D>
coulomb::DelassusProblem<D> in_blocks(const SparseMatrix& w, const std::vector<double>& q,
                                      std::vector<double> friction);

/// W = H M^-1 H^T and q = H v_0 + w of rigid bodies: a block for each two contacts that share a body that can move.
template <int D>
coulomb::DelassusProblem<D> assemble(const coulomb::RigidProblem<D>& problem);

}  // namespace scree::fclib
