#pragma once
/// \file How far a set of impulses is from a solution.

#include <algorithm>

#include "coulomb/fischer_burmeister.hpp"
#include "coulomb/operators.hpp"
#include "coulomb/parallel.hpp"
#include "coulomb/solve.hpp"

namespace scree::coulomb {

/// ( sum |r - P_K(r - u^)|^2 )^(1/2) / max(|q|, |r|, |u|): the measure of FCLib's collection (fc3d_compute_error of
/// Siconos). It depends on units: r and u are added.
/// \param q_norm  of the velocities without impulses
template <ContactOperator Op>
double natural_map(const Op& op, double q_norm, int threads) {
  constexpr int D = Op::dimension;
  const auto [map, r2, u2] = chunked_sum<3>(op.size(), threads, [&op](std::size_t i, std::array<double, 3>& sum) {
    const Vec<D> r = op.impulse(i), u = op.velocity(i);
    const double mu = op.friction(i);
    sum[0] += (r - project_on_cone<D>(r - de_saxce<D>(u, mu), mu)).squaredNorm();
    sum[1] += r.squaredNorm();
    sum[2] += u.squaredNorm();
  });
  const double largest = std::max({q_norm, std::sqrt(r2), std::sqrt(u2)});
  return largest > std::numeric_limits<double>::epsilon() ? std::sqrt(map) / largest : std::sqrt(map);
}

/// The largest |phi_i| / (|x_i| + |y_i| + m), with impulses and velocities of a contact in the self-dual cone and
/// impulses scaled by trace(W_ii) / D; m is the mean of |x| + |y| over contacts, so that one that hardly carries
/// anything need not do so to all digits.
/// \param scales  (contacts) trace(W_ii) / D [1/kg]
template <ContactOperator Op>
double largest_fischer_burmeister(const Op& op, std::span<const double> scales, int threads) {
  constexpr int D = Op::dimension;
  const std::size_t n = op.size();
  std::vector<std::pair<double, double>> residual(n);  // |phi|, |x| + |y|
  const double sum = chunked_sum<1>(n, threads, [&](std::size_t i, std::array<double, 1>& sizes) {
    const ConePair<D> pair(scales[i] * op.impulse(i), op.velocity(i), op.friction(i));
    residual[i] = {fischer_burmeister<D>(pair, op.friction(i)).norm(), pair.size()};
    sizes[0] += pair.size();
  })[0];
  const double mean = sum / static_cast<double>(std::max<std::size_t>(n, 1));
  double largest = 0;
  for (const auto& [phi, size] : residual) {
    if (phi > 0) largest = std::max(largest, phi / (size + mean));
  }
  return largest;
}

/// One of the two measures, with what it needs to know beforehand.
template <ContactOperator Op>
class Judge {
 public:
  /// \pre no impulses are set
  Judge(const Op& op, Measure measure, int threads) : measure_(measure), threads_(threads) {
    for (std::size_t i = 0; i < op.size(); ++i) {
      q_norm_ += op.velocity(i).squaredNorm();
      scales_.push_back(scale_of<Op::dimension>(op.diagonal(i)));
    }
    q_norm_ = std::sqrt(q_norm_);
  }

  double operator()(const Op& op) const {
    return measure_ == Measure::natural_map ? natural_map(op, q_norm_, threads_)
                                            : largest_fischer_burmeister(op, scales_, threads_);
  }

  std::span<const double> scales() const { return scales_; }  ///< (contacts) trace(W_ii) / D [1/kg]

 private:
  Measure measure_;
  int threads_;
  double q_norm_ = 0;
  std::vector<double> scales_;
};

}  // namespace scree::coulomb
