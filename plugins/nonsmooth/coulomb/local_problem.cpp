#include "coulomb/local_problem.hpp"

#include <Eigen/QR>

namespace scree::coulomb {

template <int D>
LocalProblem<D> make_local_problem(const Mat<D>& W, double friction, double proximal) {
  constexpr double kRegular = 1e5, kSingular = 1e13;
  LocalProblem<D> p;
  p.friction = friction;
  p.scale = scale_of<D>(W);
  p.W = W / p.scale + proximal * Mat<D>::Identity();
  p.inverse = p.W.inverse();
  const double condition = p.W.norm() * p.inverse.norm();
  p.regular = condition < kRegular;
  if (!(condition < kSingular)) p.inverse = p.W.completeOrthogonalDecomposition().pseudoInverse();
  return p;
}

template LocalProblem<2> make_local_problem(const Mat<2>&, double, double);
template LocalProblem<3> make_local_problem(const Mat<3>&, double, double);

}  // namespace scree::coulomb
