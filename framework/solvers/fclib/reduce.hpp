#pragma once
/// \file From the global form of a problem to the local one.

#include "solvers/fclib/problem.hpp"

namespace scree::fclib {

/// Whether entries are found on one side of the diagonal only.
bool is_triangular(const SparseMatrix& matrix);
/// A triangle and its mirror image.
SparseMatrix mirrored(const SparseMatrix& triangle);
/// The largest difference between an entry and its mirror image, relative to the largest entry.
double asymmetry(const SparseMatrix& matrix);

struct LocalForm {
  SparseMatrix w;         ///< W = H^T M^-1 H [1/kg]
  std::vector<double> q;  ///< w + H^T M^-1 f [m/s]
};

/// By sparse Cholesky factors of M.
/// \return nothing when M is not positive definite
std::optional<LocalForm> reduced(const GlobalForm& form);

}  // namespace scree::fclib
