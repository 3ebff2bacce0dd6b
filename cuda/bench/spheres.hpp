#pragma once
/// \file A packing of spheres in a periodic cell, in Hertzian contact with friction: made without a scene, so that the
/// benchmark needs nothing but kernels.

#include <cstdint>
#include <memory>
#include <vector>

#include "engine/contact_forces.hpp"
#include "engine/pair_lists.hpp"
#include "kernels/step_kernels.hpp"

namespace scree::device {

class SphereBench {
 public:
  /// \param count  of spheres, roughly
  SphereBench(Device& device, std::uint32_t count);
  /// Batch by batch, each step a recording of one.
  void advance(std::uint32_t steps);
  std::uint32_t bodies() const { return view_.count; }
  std::uint64_t rebuilds() const { return rebuilds_; }
  double rebuild_seconds() const { return rebuild_seconds_; }
  const PairLists& lists() const { return lists_; }
  /// What the last step has found.
  const Control& control() const { return control_; }

 private:
  struct Plan : DevicePlan {
    explicit Plan(std::uint32_t side);
    Channel channel;
    Interaction interaction;
    DevicePairs stage;
    DeviceLaw law_stage;
  };
  void rebuild();
  std::uint32_t advance_batch(std::uint32_t most);
  void enqueue_step();
  void evaluate_and_move();

  Device& device_;
  std::uint32_t side_;
  double pitch_;
  Plan plan_;
  PeriodicCell cell_;
  Environment environment_;
  PairLists lists_;
  ContactForces contacts_;
  Buffer<Vector3d> x_, v_, w_, force_, torque_, moments_, inverse_moments_, crossings_;
  Buffer<Quaterniond> q_;
  Buffer<double> mass_, inverse_mass_, radius_;
  Buffer<std::uint32_t> first_site_;
  Buffer<std::uint8_t> wrapped_;
  Bodies view_{};
  std::unique_ptr<Recording> recording_;
  Control control_ = empty_control();
  bool listed_ = false, in_step_ = false;
  std::uint32_t steps_with_lists_ = 0;
  std::uint64_t rebuilds_ = 0;
  double rebuild_seconds_ = 0;
};

}  // namespace scree::device
