#include "beam/modes.hpp"

#include <Eigen/Eigenvalues>

namespace scree::bonded {

Modes modes_of(const Matrix12& h) {
  const Eigen::SelfAdjointEigenSolver<Matrix12> solver(h);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

Vector12 eigenvalues_of(const Matrix12& h) {
  return Eigen::SelfAdjointEigenSolver<Matrix12>(h, Eigen::EigenvaluesOnly).eigenvalues();
}

}  // namespace scree::bonded
