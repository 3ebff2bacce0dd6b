#pragma once
/// \file How far a set of impulses is from a solution.

#include <algorithm>

#include "coulomb/fischer_burmeister.hpp"
#include "coulomb/operators.hpp"
#include "coulomb/solve.hpp"

namespace scree::coulomb {

/// ( sum |r - P_K(r - u^)|^2 )^(1/2) / max(|q|, |r|, |u|): the measure of FCLib's collection (fc3d_compute_error of
/// Siconos). It depends on units: r and u are added.
/// \param q_norm  of the velocities without impulses
template <ContactOperator Op>
double natural_map(const Op& op, double q_norm) {
  constexpr int D = Op::dimension;
  double map = 0, r_norm = 0, u_norm = 0;
  for (std::size_t i = 0; i < op.size(); ++i) {
    const Vec<D> r = op.impulse(i), u = op.velocity(i);
    const double mu = op.friction(i);
    map += (r - project_on_cone<D>(r - de_saxce<D>(u, mu), mu)).squaredNorm();
    r_norm += r.squaredNorm(), u_norm += u.squaredNorm();
  }
  const double largest = std::max({q_norm, std::sqrt(r_norm), std::sqrt(u_norm)});
  return largest > std::numeric_limits<double>::epsilon() ? std::sqrt(map) / largest : std::sqrt(map);
}

/// The largest |phi_i| / (|x_i| + |y_i| + m), with impulses and velocities of a contact in the self-dual cone and
/// impulses scaled by trace(W_ii) / D; m is the mean of |x| + |y| over contacts, so that one that hardly carries
/// anything need not do so to all digits.
/// \param scales  (contacts) trace(W_ii) / D [1/kg]
template <ContactOperator Op>
double largest_fischer_burmeister(const Op& op, std::span<const double> scales) {
  constexpr int D = Op::dimension;
  const std::size_t n = op.size();
  double mean = 0;
  std::vector<std::pair<double, double>> residual(n);  // |phi|, |x| + |y|
  for (std::size_t i = 0; i < n; ++i) {
    const ConePair<D> pair(scales[i] * op.impulse(i), op.velocity(i), op.friction(i));
    residual[i] = {fischer_burmeister<D>(pair, op.friction(i)).norm(), pair.size()};
    mean += pair.size();
  }
  mean /= static_cast<double>(std::max<std::size_t>(n, 1));
  double largest = 0;
  for (const auto& [phi, size] : residual) {
    if (phi > 0) largest = std::max(largest, phi / (size + mean));
  }
  return largest;
}

}  // namespace scree::coulomb
