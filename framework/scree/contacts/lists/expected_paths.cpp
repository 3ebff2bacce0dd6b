#include "scree/contacts/lists/expected_paths.hpp"

#include <algorithm>

namespace scree {

namespace {

// Measured on 400 swinging hairs: with these values, lists hold 37 pairs per contact and take a tenth of the time. Half
// the least slack makes a third more rebuilds; twice as much lists half as many pairs again, for the same time.

/// Slack over the deviation from the path in a step, if the velocity continues to change as it did.
constexpr double kSafety = 3;
/// Part of an unused slack that is kept.
constexpr double kKept = 0.9;
/// Least slack over the radius of a segment.
constexpr double kLeastSlack = 0.5;

}  // namespace

void ExpectedPaths::find_columns(World& world) {
  velocity_ = world.column<Vec3>(kListVelocity, "m/s", false);
  turning_ = world.column<Vec3>(kListTurning, "m/s", false);
  slack_ = world.column<double>(kListSlack, "m", false);
}

void ExpectedPaths::choose(World& world, std::span<const Start> segments, const Choice& choice) {
  find_columns(world);
  world.metric(kListTime) = start_ = world.trial_time();
  world.metric(kListHorizon) = horizon_ = choice.steps * choice.dt;
  const auto v = world.velocity.read();
  const auto velocity = velocity_.write(), turning = turning_.write();
  const auto slack = slack_.write();
  for (const Start& s : segments) {
    const bool is_new = slack[s.row] == 0;
    const double change = is_new ? 0 : (v[s.row] - velocity[s.row]).norm() + (s.turning - turning[s.row]).norm();
    const double wanted = std::max({kSafety * change * choice.dt, kKept * slack[s.row], kLeastSlack * s.radius});
    slack[s.row] = std::min(wanted, choice.largest);
    velocity[s.row] = v[s.row];
    turning[s.row] = s.turning;
  }
}

void ExpectedPaths::none(World& world) {
  start_ = horizon_ = 0;
  if (world.find_column(kListSlack)) world.metric(kListHorizon) = 0;
}

void ExpectedPaths::restore(World& world) {
  start_ = horizon_ = 0;
  if (!world.find_column(kListSlack)) return;
  find_columns(world);
  start_ = world.metric(kListTime);
  horizon_ = world.metric(kListHorizon);
}

double ExpectedPaths::elapsed(const World& world) const {
  return std::clamp(world.trial_time() - start_, 0.0, horizon_);
}

}  // namespace scree
