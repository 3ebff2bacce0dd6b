#pragma once
/// \file Eigenvalues and eigenvectors of a bond's Hessian. Compiled once: Eigen's solver for twelve coordinates takes
/// ten seconds of a compiler's time wherever it is included.

#include <Eigen/Core>

namespace scree::bonded {

using Matrix12 = Eigen::Matrix<double, 12, 12>;
using Vector12 = Eigen::Matrix<double, 12, 1>;

struct Modes {
  Vector12 values;   ///< ascending
  Matrix12 vectors;  ///< columns, orthonormal, in the order of the values
};

/// \param h  symmetric; its lower half is read
Modes modes_of(const Matrix12& h);
/// Ascending.
Vector12 eigenvalues_of(const Matrix12& h);

}  // namespace scree::bonded
