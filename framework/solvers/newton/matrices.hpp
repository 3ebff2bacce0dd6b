#pragma once
/// \file Matrices of three rows, for one number or several at once. Pure, host and device.

#include <Eigen/Core>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree::solvers {

template <class Number>
using Vector = Eigen::Matrix<Number, 3, 1>;
template <class Number>
using Matrix = Eigen::Matrix<Number, 3, 3>;

/// [v]x, the matrix of the cross product.
template <class Number>
SCREE_HD inline Matrix<Number> cross_matrix(const Vector<Number>& v) {
  const Number o(0);
  Matrix<Number> m;
  m << o, -v[2], v[1], v[2], o, -v[0], -v[1], v[0], o;
  return m;
}

template <class Number>
SCREE_HD inline Matrix<Number> outer(const Vector<Number>& a, const Vector<Number>& b) {
  return a.lazyProduct(b.transpose());
}

template <class Number>
SCREE_HD inline Matrix<Number> scaled_identity(Number s) {
  const Number o(0);
  Matrix<Number> m;
  m << s, o, o, o, s, o, o, o, s;
  return m;
}

}  // namespace scree::solvers
