#include "scree/shape/principal_axes.hpp"

#include <Eigen/Eigenvalues>
#include <algorithm>
#include <array>
#include <cmath>

namespace scree {

namespace {

/// Products of inertia below this, relative to the moments, are rounding.
constexpr double kSmallProduct = 1e-9;

}  // namespace

PrincipalAxes principal_axes(const Mat3& inertia) {
  const double products = std::max({std::abs(inertia(0, 1)), std::abs(inertia(0, 2)), std::abs(inertia(1, 2))});
  if (products <= kSmallProduct * inertia.trace()) return {inertia.diagonal(), Mat3::Identity()};
  const Eigen::SelfAdjointEigenSolver<Mat3> solver(inertia);
  std::array<int, 3> order{0, 1, 2}, best = order;
  double best_score = -1;
  do {
    double score = 0;
    for (int k = 0; k < 3; ++k) score += std::abs(solver.eigenvectors()(k, order[static_cast<std::size_t>(k)]));
    if (score > best_score) best_score = score, best = order;
  } while (std::next_permutation(order.begin(), order.end()));
  PrincipalAxes result;
  for (int k = 0; k < 3; ++k) {
    result.moments[k] = solver.eigenvalues()[best[static_cast<std::size_t>(k)]];
    result.axes.col(k) = solver.eigenvectors().col(best[static_cast<std::size_t>(k)]);
    if (result.axes(k, k) < 0) result.axes.col(k) *= -1;
  }
  if (result.axes.determinant() < 0) result.axes.col(2) *= -1;
  return result;
}

}  // namespace scree
