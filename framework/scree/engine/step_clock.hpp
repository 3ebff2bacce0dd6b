#pragma once
/// \file Clock of steps. A run whose time step changes counts time from the last change.

#include <cmath>
#include <cstdint>

#include "scree/hooks/hook.hpp"

namespace scree {

/// Origin of time: steps have had their present size since `step`, which ended at `time` [s].
struct TimeOrigin {
  std::uint64_t step = 0;
  double time = 0;
  /// Returns the time at which step s ends [s]: not summed, so it does not drift, and is the same after a resume. \pre
  /// s >= step
  double time_at(std::uint64_t s, double dt) const { return time + static_cast<double>(s - step) * dt; }
};

/// Time as the steps of one run count it.
struct StepClock {
  double dt = 0;  ///< [s]
  TimeOrigin origin;

  double time_at(std::uint64_t step) const { return origin.time_at(step, dt); }
  /// Returns the number of the step that ends nearest to a time [s]; may lie before the origin, and before the run.
  std::int64_t step_at(double time) const {
    constexpr double kMost = 9e18;
    const double steps = std::fmin(std::fmax((time - origin.time) / dt, -kMost), kMost);
    const auto whole = static_cast<std::int64_t>(std::llround(steps));
    const auto first = static_cast<std::int64_t>(origin.step);
    return whole > INT64_MAX - first ? INT64_MAX : whole + first;
  }
  /// Returns the number of steps that a time takes [s], at least one.
  std::uint64_t steps_in(double time) const {
    return static_cast<std::uint64_t>(std::fmax(1, std::round(std::fmin(time / dt, 9e18))));
  }
  /// Checks whether a hook runs after this many steps (0 = before the first).
  bool due(const Schedule& schedule, std::uint64_t step) const {
    if (origin.step == 0) return schedule.due(step, dt);
    const auto now = static_cast<std::int64_t>(step);
    const std::int64_t first = step_at(schedule.start);
    if (now < first || now > step_at(schedule.stop)) return false;
    if (schedule.interval <= 0) return now == first;
    return (now - first) % static_cast<std::int64_t>(steps_in(schedule.interval)) == 0;
  }
  /// Checks whether output is due after this many steps: after the step nearest to each time of the schedule. Hooks
  /// that act run after whole numbers of steps, so their times may drift. Output does not drift, and the last one of a
  /// run of whole intervals is at its end. \pre step >= origin.step
  bool output_due(const Schedule& schedule, std::uint64_t step) const {
    const auto now = static_cast<std::int64_t>(step);
    const std::int64_t first = step_at(schedule.start);
    if (now < first || now > step_at(schedule.stop)) return false;
    if (schedule.interval <= 0) return now == first;
    const double intervals = std::round((time_at(step) - schedule.start) / schedule.interval);
    return now == step_at(schedule.start + intervals * schedule.interval);
  }
};

}  // namespace scree
