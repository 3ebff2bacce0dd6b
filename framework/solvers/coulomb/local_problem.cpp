#include "solvers/coulomb/local_problem.hpp"

#include <Eigen/SVD>

namespace scree::coulomb {
namespace {

/// Moore and Penrose's, from singular values. (Eigen's CompleteOrthogonalDecomposition takes ten times as long to
/// compile.)
template <int D>
Mat<D> pseudo_inverse(const Mat<D>& W) {
  const Eigen::JacobiSVD<Mat<D>> svd(W, Eigen::ComputeFullU | Eigen::ComputeFullV);
  Mat<D> inverse = Mat<D>::Zero();
  for (Eigen::Index k = 0; k < svd.rank(); ++k) {
    inverse += svd.matrixV().col(k) * svd.matrixU().col(k).transpose() / svd.singularValues()[k];
  }
  return inverse;
}

}  // namespace

template <int D>
LocalProblem<D> make_local_problem(const Mat<D>& W, double friction) {
  constexpr double kRegular = 1e5;
  LocalProblem<D> p;
  p.friction = friction;
  p.scale = scale_of<D>(W);
  p.W = W / p.scale;
  p.inverse = p.W.inverse();
  p.regular = p.W.norm() * p.inverse.norm() < kRegular;
  // Where two eigenvalues are small, cofactors cancel: the inverse by those may be wrong in the second digit.
  if (!p.regular) p.inverse = pseudo_inverse<D>(p.W);
  return p;
}

template LocalProblem<2> make_local_problem(const Mat<2>&, double);
template LocalProblem<3> make_local_problem(const Mat<3>&, double);

}  // namespace scree::coulomb
