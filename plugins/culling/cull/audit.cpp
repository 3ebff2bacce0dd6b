#include "cull/audit.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "scree/base/error.hpp"
#include "scree/base/exact_vector.hpp"

namespace scree::culling {

namespace {

/// Sums without rounding: they do not depend on the order of rows.
struct Summing {
  std::size_t count = 0;
  ExactSum mass, rigid_mass, momentum_scale, angular_scale, kinetic;
  ExactVector first_moment, momentum, angular;

  void granule(const RigidBody& p) {
    ++count;
    mass.add(p.mass);
    first_moment.add(p.mass * p.frame.position);
  }
  void rigid(const RigidBody& p) {
    const double size = p.mass * p.twist.velocity.norm();
    rigid_mass.add(p.mass);
    momentum.add(p.mass * p.twist.velocity);
    angular.add(p.mass * p.frame.position.cross(p.twist.velocity) + inertia_tensor(p) * p.twist.angular_velocity);
    momentum_scale.add(size);
    angular_scale.add(size * p.frame.position.norm());
    kinetic.add(kinetic_energy(p));
  }
};

double ratio(double error, double scale) { return scale > 0 ? error / scale : 0; }

void keep_worst(double& worst, double error) { worst = std::max(worst, error); }

}  // namespace

Sums sums(const World& world, const Ledger& ledger, std::span<const std::uint32_t> rows) {
  Summing sum;
  for (const std::uint32_t i : rows) {
    const RigidBody part = part_of(world, i);
    sum.granule(part);
    if (world.owner.read()[i] == world.id.read()[i]) sum.rigid(part);
  }
  for (const auto& [id, aggregate] : ledger.aggregates) {
    const RigidBody owner = part_of(world, *world.row(id));
    sum.rigid(owner);
    const Pose frame = world_frame(world, aggregate);
    for (const StoredGranule& g : aggregate.stored) sum.granule(part_of(world, g, frame, owner));
  }
  return {sum.count,
          sum.mass.value(),
          sum.rigid_mass.value(),
          sum.first_moment.value(),
          sum.momentum.value(),
          sum.angular.value(),
          sum.momentum_scale.value(),
          sum.angular_scale.value(),
          sum.kinetic.value()};
}

Audit::Audit(World& world)
    : mass_(world.metric("culling_mass_error")),
      momentum_(world.metric("culling_momentum_error")),
      angular_(world.metric("culling_angular_momentum_error")),
      centre_(world.metric("culling_centre_error_d")),
      energy_(world.metric("culling_energy_error")),
      dissipated_(world.metric("culling_dissipated_J")) {}

void Audit::compare(const Sums& before, const Sums& after, double diameter) {
  if (before.count != after.count)
    throw NumericalError(fmt::format("granular-culling: {} granules were there before an exchange, {} are after it.",
                                     before.count, after.count));
  keep_worst(mass_, std::abs(after.mass - before.mass) / before.mass);
  keep_worst(mass_, std::abs(after.rigid_mass - after.mass) / before.mass);
  keep_worst(momentum_, ratio((after.momentum - before.momentum).norm(), before.momentum_scale));
  keep_worst(angular_, ratio((after.angular_momentum - before.angular_momentum).norm(), before.angular_scale));
  keep_worst(centre_, (after.first_moment - before.first_moment).norm() / before.mass / diameter);
  const double lost = before.kinetic - after.kinetic;
  keep_worst(energy_, ratio(std::max(0.0, -lost), before.kinetic));
  dissipated_ += lost;
  if (mass_ > 1e-12)
    throw NumericalError(fmt::format("granular-culling: mass changed by {:.3g} of all in an exchange.", mass_));
}

}  // namespace scree::culling
