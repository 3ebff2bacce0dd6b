#pragma once
/// \file Prescribed motion: pose and twist as functions of absolute time, so that a restart is exact and nothing
/// drifts.

#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

struct Pose {
  Vec3 position = Vec3::Zero();
  Quat orientation = Quat::Identity();
};

struct Twist {
  Vec3 velocity = Vec3::Zero();          ///< of the body origin [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< world axes [rad/s]
};

/// Motion of a body with constant rates or one harmonic, between `start` and `stop`; it rests in its last pose after.
struct Motion {
  Vec3 velocity = Vec3::Zero();          ///< translation [m/s]
  Vec3 angular_velocity = Vec3::Zero();  ///< rotation [rad/s] about `centre`
  Vec3 centre = Vec3::Zero();            ///< a world point [m] the rotation axis passes through (moves with velocity)
  Vec3 amplitude = Vec3::Zero();         ///< oscillation amplitude sin(2 pi frequency t) [m]
  double frequency = 0;                  ///< [Hz]
  double start = 0;                      ///< [s]
  double stop = 1e300;                   ///< [s]
};

/// The pose at time t of a body that stood at `initial` when its motion began.
SCREE_API Pose pose_at(const Motion& motion, const Pose& initial, double t);
/// Its time derivative.
SCREE_API Twist twist_at(const Motion& motion, const Pose& initial, double t);

}  // namespace scree
