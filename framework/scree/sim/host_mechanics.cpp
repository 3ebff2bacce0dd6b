#include "scree/sim/host_mechanics.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/base/parallel.hpp"

namespace scree {

HostMechanics::HostMechanics(World& world, const Methods& methods)
    : world_(world), methods_(methods), pipeline_(world, methods) {
  force_ = world.column<Vec3>("force", "N");
  torque_ = world.column<Vec3>("torque", "N m");
}

HostMechanics::~HostMechanics() = default;

std::span<const Wrench> HostMechanics::forces(double dt) {
  dt_ = dt;
  if (pipeline_.stale(0)) pipeline_.rebuild(false);
  wrench_.resize(world_.size());
  pipeline_.evaluate(dt, wrench_);
  return wrench_;
}

void HostMechanics::commit() {
  pipeline_.commit();
  const auto force = force_.write(), torque = torque_.write();
  for (std::size_t i = 0; i < wrench_.size(); ++i) {
    force[i] = wrench_[i].force;
    torque[i] = wrench_[i].torque;
  }
  check_state();
  // Rows may only change order between steps, so the lists are renewed now if the coming step might outrun them.
  if (pipeline_.stale(dt_)) pipeline_.rebuild(true);
}

const void* HostMechanics::ability(std::string_view) const noexcept { return nullptr; }

void HostMechanics::refresh() {
  if (pipeline_.stale(0)) pipeline_.rebuild(true);
}

void HostMechanics::restore(std::span<const HistoryRecord> history) {
  pipeline_.rebuild_at_reference();
  pipeline_.insert(history);
}

/// NaN fails every comparison, so the test is written to be true only for a body that is where it may be.
void HostMechanics::check_state() const {
  const auto x = world_.position.read(), v = world_.velocity.read(), w = world_.angular_velocity.read();
  const auto inverse_mass = world_.inverse_mass.read();
  const auto id = world_.id.read();
  const Vec3 &low = methods_.domain.lower, &high = methods_.domain.upper;
  const auto sound = [&](std::size_t i) {
    bool good = v[i].squaredNorm() + w[i].squaredNorm() < 1e300;
    for (int k = 0; k < 3; ++k) good = good && x[i][k] >= low[k] && x[i][k] <= high[k];
    return good || inverse_mass[i] == 0;
  };
  const double faults = parallel_max(static_cast<std::ptrdiff_t>(x.size()),
                                     [&](std::ptrdiff_t i) { return sound(static_cast<std::size_t>(i)) ? 0.0 : 1.0; });
  if (faults == 0) return;

  std::size_t culprit = 0;
  Id lowest = kNewId;
  for (std::size_t i = 0; i < x.size(); ++i)
    if (!sound(i) && id[i] < lowest) lowest = id[i], culprit = i;
  const Vec3 &at = x[culprit], &speed = v[culprit];
  const bool numbers = at.allFinite() && speed.allFinite() && w[culprit].allFinite();
  throw NumericalError(fmt::format(
      "body {}: {} in step {} (time {:.6g} s): position ({:.6g}, {:.6g}, {:.6g}) m, velocity ({:.6g}, {:.6g}, {:.6g}) "
      "m/s. {}",
      lowest, numbers ? "left the world" : "became NaN or infinite", world_.step + 1, world_.time + dt_, at[0], at[1],
      at[2], speed[0], speed[1], speed[2],
      numbers
          ? fmt::format("Allowed is ({:.6g}, {:.6g}, {:.6g}) to ({:.6g}, {:.6g}, {:.6g}) m: close the walls, lower dt, "
                        "or enlarge /domain.",
                        low[0], low[1], low[2], high[0], high[1], high[2])
          : "Lower dt or the stiffness, or look for a bad initial overlap."));
}

}  // namespace scree
