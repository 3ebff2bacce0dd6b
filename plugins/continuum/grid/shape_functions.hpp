#pragma once
/// \file Multilinear shape functions (Q1) of the corners of a cell: of velocities N, and of stresses omega alike.

#include <algorithm>

#include "grid/lattice.hpp"

namespace scree::continuum {

/// Weights at a point of a cell. Those along an axis stay above 1e-12: a node that a point sits beside would get mass
/// and momentum of nothing, and their ratio, its velocity, is needed for gradients. That shifts a weight by less than
/// what rounding does to sums of them.
template <int D>
class ShapeFunctions {
 public:
  /// \param local  0 to 1 along each axis
  ShapeFunctions(const Vec<D>& local, double width) : per_width_(1 / width) {
    constexpr double kLeast = 1e-12;
    for (int k = 0; k < D; ++k) {
      upper_[k] = std::clamp(local[k], kLeast, 1 - kLeast);
      lower_[k] = 1 - upper_[k];
    }
  }

  double weight(int corner) const {
    double n = 1;
    for (int k = 0; k < D; ++k) n *= along(corner, k);
    return n;
  }
  /// [1/m]
  Vec<D> gradient(int corner) const {
    Vec<D> g;
    for (int k = 0; k < D; ++k) {
      double n = (corner >> k & 1 ? per_width_ : -per_width_);
      for (int l = 0; l < D; ++l)
        if (l != k) n *= along(corner, l);
      g[k] = n;
    }
    return g;
  }

 private:
  double along(int corner, int axis) const { return corner >> axis & 1 ? upper_[axis] : lower_[axis]; }

  double per_width_;
  std::array<double, D> lower_, upper_;
};

/// From a point of a cell to a corner [widths].
template <int D>
Vec<D> arm(const Vec<D>& local, int corner) {
  Vec<D> a;
  for (int k = 0; k < D; ++k) a[k] = (corner >> k & 1) - local[k];
  return a;
}

}  // namespace scree::continuum
