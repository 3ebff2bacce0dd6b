#pragma once
/// \file How far a set of impulses is from a solution.

#include <algorithm>
#include <utility>

#include "solvers/coulomb/fischer_burmeister.hpp"
#include "solvers/coulomb/operators.hpp"
#include "solvers/coulomb/parallel.hpp"
#include "solvers/coulomb/solve.hpp"

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

/// The largest |phi_i| / (|x_i| + |y_i| + m), phi of a joint being its velocity, with impulses and velocities of a
/// contact in the self-dual cone and impulses scaled by trace(W_ii) / D; m is the mean of |x| + |y| over contacts, so
/// that one that hardly carries anything need not do so to all digits. \param scales  (contacts) trace(W_ii) / D [1/kg]
template <ContactOperator Op>
double largest_fischer_burmeister(const Op& op, std::span<const double> scales, int threads) {
  constexpr int D = Op::dimension;
  const std::size_t n = op.size();
  std::vector<std::pair<double, double>> residual(n);  // |phi|, |x| + |y|
  const double sum = chunked_sum<1>(n, threads, [&](std::size_t i, std::array<double, 1>& sizes) {
    const Vec<D> x = scales[i] * op.impulse(i), u = op.velocity(i);
    const double mu = op.friction(i);
    if (mu == kJoint) {
      residual[i] = {u.norm(), x.norm() + u.norm()};
    } else {
      const ConePair<D> pair(x, u, mu);
      residual[i] = {fischer_burmeister<D>(pair, mu).norm(), pair.size()};
    }
    sizes[0] += residual[i].second;
  })[0];
  const double mean = sum / static_cast<double>(std::max<std::size_t>(n, 1));
  double largest = 0;
  for (const auto& [phi, size] : residual) {
    if (phi > 0) largest = std::max(largest, phi / (size + mean));
  }
  return largest;
}

/// sum s |r|^2, s = trace(W_ii) / D: impulses, each weighted by how much it moves [J].
template <ContactOperator Op>
double weighted_square(const Op& op, std::span<const double> scales, int threads) {
  return chunked_sum<1>(op.size(), threads, [&](std::size_t i, std::array<double, 1>& sum) {
    sum[0] += scales[i] * op.impulse(i).squaredNorm();
  })[0];
}

/// ( sum s |r - P_K(r - u^/s)|^2 / reference )^(1/2): the error of all impulses.
/// \param reference  a size to compare with [J], which must be bounded: where bodies are wedged in between walls
///                   impulses may grow without bound, and any error would become small beside them
template <ContactOperator Op>
double impulse_error(const Op& op, std::span<const double> scales, double reference, int threads) {
  constexpr int D = Op::dimension;
  const double map = chunked_sum<1>(op.size(), threads, [&](std::size_t i, std::array<double, 1>& sum) {
    const double s = scales[i], mu = op.friction(i);
    const Vec<D> r = op.impulse(i);
    sum[0] += s * (r - project_on_cone<D>(r - de_saxce<D>(op.velocity(i), mu) / s, mu)).squaredNorm();
  })[0];
  return map > 0 ? std::sqrt(map / reference) : 0;
}

/// A tall pile may need impulses this many times those of a single layer. Errors are judged by impulses up to that
/// size: larger ones are those of a heavy body on a light one, which a small part of them would throw about.
inline constexpr double kTall = 100;

/// One of the measures, with what it needs to know beforehand.
template <ContactOperator Op>
class Judge {
 public:
  /// \param scales  (contacts) trace(W_ii) / D [1/kg]; they are to stay
  /// \pre no impulses are set
  void prepare(const Op& op, std::span<const double> scales, Measure measure, int threads) {
    measure_ = measure;
    threads_ = threads;
    scales_ = scales;
    const auto [q2, approach, free2] = chunked_sum<3>(op.size(), threads, [&](std::size_t i, auto& sum) {
      const auto q = op.velocity(i);
      const double square = q.squaredNorm();
      sum[0] += square;
      if (q[0] < 0 || op.friction(i) == kJoint) sum[1] += square / scales[i];
      sum[2] += square / scales[i];
    });
    q_norm_ = std::sqrt(q2);
    approach_ = approach;
    free_size_ = std::sqrt(free2);
  }

  /// Impulses are the measure for those a search finds, together with what approaching contacts and joints ask: those
  /// it starts from, so that it knows when there is nothing to do, or larger ones it has found.
  void start_from(const Op& op) {
    start_ = bounded(weighted_square(op, scales_, threads_));
    reference_ = approach_ + start_;
  }

  /// \param size  of impulses found, each in the units of its velocity [J^(1/2)]
  /// \return what measures of before have to be multiplied by
  double compare_with(double size) {
    if (measure_ != Measure::impulse_error) return 1;
    const double before = std::exchange(reference_, approach_ + std::fmax(start_, bounded(size * size)));
    return reference_ > 0 ? std::sqrt(before / reference_) : 1;
  }

  double operator()(const Op& op) const {
    switch (measure_) {
      case Measure::natural_map:
        return natural_map(op, q_norm_, threads_);
      case Measure::fischer_burmeister:
        return largest_fischer_burmeister(op, scales_, threads_);
      case Measure::impulse_error:
        return impulse_error(op, scales_, reference_, threads_);
    }
    return 0;
  }

  std::span<const double> scales() const { return scales_; }  ///< (contacts) trace(W_ii) / D [1/kg]
  /// Of the velocities without impulses, each in the units of its impulse [J^(1/2)].
  double free_size() const { return free_size_; }

 private:
  /// Where nothing moves without impulses either, as in a sample between walls at rest, they are still judged by a
  /// small part of themselves.
  double bounded(double square) const {
    constexpr double kDigits = 1e-6;
    const double tall = kTall * free_size_;
    return std::fmax(std::fmin(square, tall * tall), kDigits * kDigits * square);
  }

  Measure measure_ = Measure::natural_map;
  int threads_ = 1;
  double q_norm_ = 0, free_size_ = 0;
  double approach_ = 0, start_ = 0, reference_ = 0;  ///< see impulse_error() [J]
  std::span<const double> scales_;
};

}  // namespace scree::coulomb
