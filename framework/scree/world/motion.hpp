#pragma once
/// \file Prescribed motion: pose and twist as functions of absolute time, so that a restart is exact and nothing
/// drifts.

#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

struct Twist {
  Vec3 velocity = Vec3::Zero();          ///< velocity of the body origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< angular velocity, world axes [rad/s]
};

/// Value of a vector at a time after the start of a motion.
struct MotionRow {
  double time;  ///< [s]
  Vec3 value;
  bool operator==(const MotionRow&) const = default;
};

/// Motion of a body with constant rates, one harmonic and tables, between `start` and `stop`. Afterwards the body rests
/// in its last pose.
struct Motion {
  Vec3 velocity = Vec3::Zero();          ///< translation [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< rotation [rad/s] about `centre`
  Vec3 centre = Vec3::Zero();            ///< world point [m] on the rotation axis (moves with velocity)
  bool about_origin = false;             ///< the axis passes through the body's origin instead
  Vec3 amplitude = Vec3::Zero();         ///< oscillation amplitude sin(2 pi frequency t) [m]
  double frequency = 0;                  ///< [Hz]
  double start = 0;                      ///< [s]
  double stop = 1e300;                   ///< [s]
  /// Tables added to the translation, times ascending: velocities [m/s] and displacements [m]. Values are linear
  /// between rows. Before the first row and after the last one they are constant.
  std::vector<MotionRow> velocities, displacements;

  bool operator==(const Motion&) const = default;
};

/// Returns the pose at time t of a body that stood at `initial` before all motions. Each motion is applied to the pose
/// that the motions listed before it have led to. Motions that do not overlap in time follow each other; at the same
/// time, they add up. A spin listed before an orbit has an axis that the orbit carries along.
SCREE_API Pose pose_at(std::span<const Motion> motions, const Pose& initial, double t);
/// Returns the time derivative of pose_at().
SCREE_API Twist twist_at(std::span<const Motion> motions, const Pose& initial, double t);

/// Effect of motions on any body at one time; bodies of one entry of the scene share it.
class SCREE_API MotionsAt {
 public:
  MotionsAt(std::span<const Motion> motions, double t);
  /// Returns the pose at that time, and its time derivative, of a body that stood at `initial` before all motions.
  std::pair<Pose, Twist> of(const Pose& initial) const;

 private:
  struct Step {
    Quat turn;
    Vec3 shift, rate, angular_velocity,
        centre;  ///< shift, centre: since the motion's start [m]; rate of the shift [m/s]
    bool about_origin, moves;
  };
  std::vector<Step> steps_;
};

}  // namespace scree
