#include "grid/quadrature.hpp"

#include "catch.hpp"

using namespace scree::continuum;

namespace {

template <int D>
double largest_difference(const CellGradients<D>& one, const CellGradients<D>& other) {
  double worst = 0;
  for (int j = 0; j < kCorners<D>; ++j)
    for (int i = 0; i < kCorners<D>; ++i) worst = std::max(worst, (one[j][i] - other[j][i]).cwiseAbs().maxCoeff());
  return worst;
}

/// Gauss's rule of two points per axis: exact for products of a hat function and a gradient.
template <int D>
CellGradients<D> by_gauss(double h) {
  CellGradients<D> g;
  for (auto& row : g) row.fill(Vec<D>::Zero());
  for (int q = 0; q < power(2, D); ++q) {
    Vec<D> x;
    for (int k = 0; k < D; ++k) x[k] = 0.5 + (q >> k & 1 ? 0.5 : -0.5) / std::sqrt(3.0);
    for (int j = 0; j < kCorners<D>; ++j)
      for (int i = 0; i < kCorners<D>; ++i)
        for (int k = 0; k < D; ++k) {
          double value = std::pow(h, D) / power(2, D) * ((i >> k & 1) ? 1 : -1) / h;
          for (int l = 0; l < D; ++l) {
            value *= j >> l & 1 ? x[l] : 1 - x[l];
            if (l != k) value *= i >> l & 1 ? x[l] : 1 - x[l];
          }
          g[j][i][k] += value;
        }
  }
  return g;
}

template <int D>
void check_integrals() {
  const double h = 0.3;
  CHECK(largest_difference<D>(whole_cell<D>(h), by_gauss<D>(h)) < 1e-15);
  // Samples in the middle of cubes are off by 1/(12 n^2) of the curvature.
  std::vector<double> free(kSamples<D>, 1);
  CHECK(largest_difference<D>(whole_cell<D>(h), cut_cell<D>(h, free)) <
        0.5 / (kAlong<D> * kAlong<D>)*std::pow(h, D - 1));
  // Where the upper half is wall, hat functions of the lower corners have more of the rest.
  for (int s = 0; s < kSamples<D>; ++s) free[s] = sample<D>(s)[D - 1] < 0.5;
  const CellGradients<D> cut = cut_cell<D>(h, free);
  const int top = 1 << (D - 1);
  const double others = std::pow(h / 2, D - 1);
  double low = 0, high = 0, balance = 0;
  for (int i = 0; i < kCorners<D>; ++i) low += std::abs(cut[0][i][D - 1]), high += std::abs(cut[top][i][D - 1]);
  for (int j = 0; j < kCorners<D>; ++j) {
    Vec<D> sum = Vec<D>::Zero();
    for (int i = 0; i < kCorners<D>; ++i) sum += cut[j][i];
    balance = std::max(balance, sum.norm());
  }
  CHECK(low == Approx(2 * 3 / 8. * others).epsilon(1e-12));  // integral of 1 - x over the lower half is 3/8
  CHECK(high == Approx(2 * 1 / 8. * others).epsilon(1e-12));
  CHECK(balance < 1e-15);  // no momentum is made
}

}  // namespace

TEST_CASE("integrals of hat functions and gradients over a cell are exact") {
  check_integrals<2>();
  check_integrals<3>();
}
