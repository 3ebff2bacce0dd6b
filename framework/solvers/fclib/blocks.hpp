#pragma once
/// \file The Delassus operator in blocks, from a sparse matrix of numbers.

#include "solvers/coulomb/problem.hpp"
#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// \param w  (D contacts, D contacts). A block is stored where any of its entries is; those on the diagonal always
template <int D>
coulomb::DelassusProblem<D> in_blocks(const SparseMatrix& w, const std::vector<double>& q,
                                      std::vector<double> friction);

}  // namespace scree::fclib
