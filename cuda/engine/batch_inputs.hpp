#pragma once
/// \file What the steps of a batch take from the host: poses of prescribed bodies, and how far obstacles have moved.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "engine/device.hpp"
#include "engine/plan.hpp"
#include "kernels/step_kernels.hpp"

namespace scree::device {

/// When things are in a step [s].
struct StepTimes {
  static constexpr std::size_t kPoses = 3;
  double end;
  double forces;         ///< when forces are evaluated
  double poses[kPoses];  ///< of prescribed bodies, in the order in which the step asks for them
};

/// Obstacles as they lie when pairs are listed.
struct WallReference {
  std::vector<Pose> poses;   ///< of DevicePlan::walls
  double farthest_site = 0;  ///< from an obstacle, at most, where one turns [m]
};

/// DevicePlan::walls at a time [s].
std::vector<Pose> walls_at(const World& world, const DevicePlan& plan, double time);

/// Whether one of them has prescribed motion.
bool some_wall_moves(const World& world, const DevicePlan& plan);

class BatchInputs {
 public:
  BatchInputs(Device& device, const World& world, const DevicePlan& plan)
      : world_(world), plan_(plan), poses_(device), walls_(device) {}

  /// Poses and rates of prescribed bodies at these times [s].
  void upload_poses(std::span<const double> times);
  /// The k-th of these times.
  const PrescribedPose* poses(std::size_t k) const { return poses_.data() + k * prescribed_; }
  /// Bodies with prescribed motion.
  std::uint32_t prescribed() const { return prescribed_; }

  /// How far obstacles are from the reference at the times of the batch's forces [s].
  void upload_walls(std::span<const double> times, const WallReference& reference);
  /// Asks whether lists are stale in the step that the batch is at.
  CheckLists check(Batch* batch, double skin) const { return {batch, skin, walls_.data(), count_, per_step_}; }

 private:
  const World& world_;
  const DevicePlan& plan_;
  Buffer<PrescribedPose> poses_;
  Buffer<WallMotion> walls_;
  std::uint32_t prescribed_ = 0, count_ = 0, per_step_ = 0;
};

}  // namespace scree::device
