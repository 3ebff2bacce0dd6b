#include "coulomb/scaled_system.hpp"

#include "coulomb/local_problem.hpp"

namespace scree::coulomb {

template <int D>
ScaledSystem<D>::ScaledSystem(const DelassusProblem<D>& problem) : friction(problem.friction), root(problem.size()) {
  const std::size_t n = problem.size();
  const auto rows = static_cast<Eigen::Index>(D * n);
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      if (problem.column[k] == i) root[i] = std::sqrt(scale_of<D>(problem.block[k]));
    }
  }
  std::vector<Eigen::Triplet<double>> entries;
  entries.reserve(problem.block.size() * D * D);
  c.resize(rows);
  for (std::size_t i = 0; i < n; ++i) {
    c.segment<D>(D * i) = problem.q[i] / root[i];
    for (std::size_t k = problem.row_start[i]; k < problem.row_start[i + 1]; ++k) {
      const std::uint32_t j = problem.column[k];
      const Mat<D> block = problem.block[k] / (root[i] * root[j]);
      for (int a = 0; a < D; ++a) {
        for (int b = 0; b < D; ++b) entries.emplace_back(D * i + a, D * j + b, block(a, b));
      }
    }
  }
  A.resize(rows, rows);
  A.setFromTriplets(entries.begin(), entries.end());
}

template <int D>
Eigen::VectorXd ScaledSystem<D>::scaled(std::span<const Vec<D>> impulses) const {
  Eigen::VectorXd x(D * size());
  for (std::size_t i = 0; i < size(); ++i) x.segment<D>(D * i) = root[i] * impulses[i];
  return x;
}

template <int D>
std::vector<Vec<D>> ScaledSystem<D>::impulses(const Eigen::VectorXd& x) const {
  std::vector<Vec<D>> r(size());
  for (std::size_t i = 0; i < size(); ++i) r[i] = x.segment<D>(D * i) / root[i];
  return r;
}

template struct ScaledSystem<2>;
template struct ScaledSystem<3>;

}  // namespace scree::coulomb
