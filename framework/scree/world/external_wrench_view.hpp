#pragma once
/// \file Reading external wrenches of bodies: World::external_wrenches().

#include <span>

#include "scree/world/world.hpp"

namespace scree {

/// View of the external wrenches; empty if there are none.
class ExternalWrenchView {
 public:
  explicit ExternalWrenchView(const World& world) : planar_(world.dimension() == 2) {
    const ColumnStorage *const force = world.find_column("external_force"), *const torque =
                                                                                world.find_column("external_torque");
    if (!force || !torque) return;
    force_ = force->as<Vec3>();
    torque_ = torque->as<Vec3>();
  }
  /// Adds the wrench on a body. \pre it moves freely
  void add(std::size_t row, Vec3& force, Vec3& torque) const {
    if (force_.empty()) return;
    if (planar_) {
      force.head<2>() += force_[row].head<2>();
      torque.z() += torque_[row].z();
    } else {
      force += force_[row];
      torque += torque_[row];
    }
  }

 private:
  bool planar_;
  std::span<const Vec3> force_, torque_;
};

}  // namespace scree
