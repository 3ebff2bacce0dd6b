#pragma once
/// \file What an integrator is to a device that does kicks and drifts itself.

#include <string_view>

namespace scree {

/// A face of integrators (Integrator::face) whose step is a drift between kicks, with one evaluation of forces:
///
///   forces first:  forces at t, from velocities of t - dt/2; kick by dt; drift by dt
///   forces last:   kick by dt/2; drift by dt; forces at t + dt, from velocities of t + dt/2; kick by dt/2
///
/// Prescribed bodies have the velocities of the same moments as free ones while forces are evaluated.
struct KickDriftScheme {
  static constexpr std::string_view kName = "kick-drift/1";
  bool forces_first;
};

}  // namespace scree
