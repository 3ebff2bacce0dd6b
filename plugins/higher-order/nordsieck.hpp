#pragma once
/// \file Gear's corrector for second-order equations, and Taylor's series as the predictor: pure formulas of one
/// vector.

#include <array>
#include <cstddef>

#include "scree/integrate/rigid_body.hpp"

namespace scree::higher_order {

/// Most values (the coordinate and its derivatives) of any variant.
inline constexpr int kMostValues = 6;

/// Corrector coefficients c_k of the k-th derivative, for x'' = a, in Nordsieck's scaling: x^(k) += c_k (k!/h^k) R with
/// R = (h^2/2) (a - a predicted).
/// \param values           4, 5 or 6
/// \param velocity_forces  true if a depends on velocity: then c_0 differs
/// \source C. W. Gear, Numerical Initial Value Problems, 1971; M. P. Allen, D. J. Tildesley, Computer
/// Simulation of Liquids, 1987, app. E (c_0 for forces with velocity)
inline std::array<double, kMostValues> gear_coefficients(int values, bool velocity_forces) {
  switch (values) {
    case 4:
      return {1.0 / 6, 5.0 / 6, 1, 1.0 / 3, 0, 0};
    case 5:
      return {velocity_forces ? 19.0 / 90 : 19.0 / 120, 3.0 / 4, 1, 1.0 / 2, 1.0 / 12, 0};
    default:
      return {velocity_forces ? 3.0 / 16 : 3.0 / 20, 251.0 / 360, 1, 11.0 / 18, 1.0 / 6, 1.0 / 60};
  }
}

/// A vector and its derivatives in time, and how many of them are kept.
template <class Real>
struct Derivatives {
  std::array<Vector3<Real>, kMostValues> of;
  int count = 0;
};

/// The `order`-th derivative after a time h by Taylor's series: sum_j of[order + j] h^j / j!.
template <class Real>
SCREE_HD inline Vector3<Real> taylor(const Derivatives<Real>& d, int order, Real h) {
  Vector3<Real> sum = d.of[d.count - 1];
  for (int k = d.count - 2; k >= order; --k) sum = d.of[k] + sum * (h / Real(k + 1 - order));
  return sum;
}

/// All derivatives after a time h.
template <class Real>
SCREE_HD inline Derivatives<Real> predicted(const Derivatives<Real>& d, Real h) {
  Derivatives<Real> out;
  out.count = d.count;
  for (int k = 0; k < d.count; ++k) out.of[k] = taylor<Real>(d, k, h);
  return out;
}

/// Factors f_k = c_k k!/h^k h^2/2 by which the k-th derivative is corrected per error of the second one.
template <class Real>
SCREE_HD inline std::array<Real, kMostValues> corrector(const std::array<Real, kMostValues>& c, Real h) {
  std::array<Real, kMostValues> f;
  Real scale = h * h / 2;
  for (int k = 0; k < kMostValues; ++k) {
    f[k] = c[k] * scale;
    scale *= Real(k + 1) / h;
  }
  return f;
}

}  // namespace scree::higher_order
