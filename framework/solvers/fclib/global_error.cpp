#include "solvers/fclib/global_error.hpp"

#include <Eigen/SparseCholesky>
#include <algorithm>
#include <cmath>
#include <limits>

#include "solvers/coulomb/local_problem.hpp"

namespace scree::fclib {

using coulomb::Vec;

namespace {

template <int D>
Eigen::VectorXd stacked(const std::vector<Vec<D>>& vectors) {
  Eigen::VectorXd numbers(static_cast<Eigen::Index>(D * vectors.size()));
  for (std::size_t i = 0; i < vectors.size(); ++i) numbers.segment<D>(static_cast<Eigen::Index>(D * i)) = vectors[i];
  return numbers;
}

double relative(double error, double scale) {
  const double rounding = std::sqrt(std::numeric_limits<double>::epsilon());
  return scale > rounding ? error / scale : error;
}

template <int D>
double natural_map(const std::vector<Vec<D>>& r, const Eigen::VectorXd& u, const std::vector<double>& friction) {
  double sum = 0;
  for (std::size_t i = 0; i < r.size(); ++i) {
    const Vec<D> velocity = u.segment<D>(static_cast<Eigen::Index>(D * i));
    const Vec<D> change = coulomb::de_saxce<D>(velocity, friction[i]);
    sum += (r[i] - coulomb::project_on_cone<D>(r[i] - change, friction[i])).squaredNorm();
  }
  return std::sqrt(sum);
}

}  // namespace

template <int D>
double global_error(const GlobalForm& form, const std::vector<double>& friction, const std::vector<Vec<D>>& impulses) {
  const Eigen::SimplicialLDLT<Eigen::SparseMatrix<double>> factors{Eigen::SparseMatrix<double>(form.mass)};
  const Eigen::VectorXd r = stacked<D>(impulses), push = form.directions * r;
  const Eigen::VectorXd v = factors.solve(push + form.f), momentum = form.mass * v;
  const Eigen::VectorXd u = form.directions.transpose() * v + form.w;
  const double balance =
      relative((momentum - push - form.f).norm(), std::max({form.f.norm(), momentum.norm(), push.norm()}));
  return balance + relative(natural_map<D>(impulses, u, friction), std::max(u.norm(), r.norm()));
}

template double global_error(const GlobalForm&, const std::vector<double>&, const std::vector<Vec<2>>&);
template double global_error(const GlobalForm&, const std::vector<double>&, const std::vector<Vec<3>>&);

}  // namespace scree::fclib
