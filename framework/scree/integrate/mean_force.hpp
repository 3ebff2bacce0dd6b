#pragma once
/// \file Which forces a step has applied: what it takes to account for their work.

#include <array>
#include <string_view>

namespace scree {

/// A face of integrators (Integrator::face). The velocities of free bodies change in a step of length dt by
///
///   v(t + dt) - v(t) = dt/m (carried F_last + sum_k weight[k] F_k)
///
/// F_k is what the k-th evaluation of the step gave, or what a solver of impulses was answered, per time. F_last is
/// what the last evaluation of the previous step gave. The same holds for torques. With these forces F, dt F (v(t) +
/// v(t + dt))/2 is exactly what they add to the kinetic energy of translation.
struct MeanForce {
  static constexpr std::string_view kName = "mean-force/1";
  double carried = 0;              ///< [-]; where it is not 0, an evaluation with dt = 0 replaces F_last
  std::array<double, 4> weight{};  ///< [-], by number of the evaluation; further ones do not count
};

}  // namespace scree
