#pragma once
/// \file Basic value types of all rooms. SI units, double precision.

#include <Eigen/Core>
#include <Eigen/Geometry>
#include <cstdint>

namespace scree {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
/// Unit quaternion, rotation from body to world. Unaligned, so that no type's layout depends on the instruction set.
/// Written, read and constructed in the order (w, x, y, z).
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

/// Permanent name of a body: survives reordering, output, checkpoints.
using Id = std::uint64_t;

/// Force [N] and torque [N m] about the body's centre of mass, both in world axes.
struct Wrench {
  Vec3 force = Vec3::Zero();
  Vec3 torque = Vec3::Zero();
};

}  // namespace scree
