#pragma once
/// \file The bodies in the memory of a device, by rank, and the columns of the World that are lent from there.

#include <cstring>
#include <functional>
#include <memory>
#include <utility>
#include <vector>

#include "engine/device.hpp"
#include "engine/plan.hpp"
#include "scree/device/step_data.hpp"
#include "scree/world/world.hpp"

namespace scree::device {

class BodyState {
 public:
  BodyState(Device& device, World& world, const DevicePlan& plan);
  ~BodyState();

  /// What the World has, mass and size included.
  void upload();
  /// The same, but only where the host's rows of what moves have changed. \return whether any did
  bool upload_changes();
  /// The device's rows of what moves are newer from now on.
  void mark_newer();

  /// Checks whether the World has got external wrenches since this was made.
  bool lacks_external_wrenches() const;

  Bodies view() const;
  Vector3d* x0() const { return x0_.data(); }
  Quaterniond* q0() const { return q0_.data(); }
  /// Puts free bodies back into the periodic cell, if there is one. Places of now become those for which pairs are
  /// listed.
  void take_reference();
  /// How that moved bodies: see WrapBodies. Null where space does not repeat.
  const std::uint8_t* wrapped() const { return wrapped_.data(); }

  /// Sums of forces on obstacles, which are put in when force and torque are fetched: by rank of the body.
  std::function<std::vector<std::pair<std::uint32_t, Wrench>>()> wall_wrenches;

 private:
  class Lent;
  template <class T>
  void lend(ColumnStorage& column, Buffer<T>& rows);
  template <class T, class From>
  void upload_by_rank(Buffer<T>& to, const From& column);

  Device& device_;
  World& world_;
  const DevicePlan& plan_;
  Buffer<Vector3d> x_, v_, w_, moments_, inverse_moments_, force_, torque_, external_force_, external_torque_, x0_,
      crossings_;
  Buffer<Quaterniond> q_, q0_;
  Buffer<double> mass_, inverse_mass_, radius_;
  Buffer<std::uint32_t> first_site_;
  Buffer<std::uint8_t> wrapped_;
  std::vector<std::unique_ptr<Lent>> lent_;
};

}  // namespace scree::device
