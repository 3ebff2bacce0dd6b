#include "scree/world/motion.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace scree {

namespace {

Quat rotation_by(const Vec3& rotation_vector) {
  const double angle = rotation_vector.norm();
  if (angle == 0) return Quat::Identity();
  return Quat(Eigen::AngleAxisd(angle, rotation_vector / angle));
}

double elapsed(const Motion& m, double t) { return std::clamp(t, m.start, std::max(m.start, m.stop)) - m.start; }

}  // namespace

Pose pose_at(const Motion& m, const Pose& initial, double t) {
  const double s = elapsed(m, t);
  const Quat turn = rotation_by(m.angular_velocity * s);
  const Vec3 shift = m.velocity * s + m.amplitude * std::sin(2 * std::numbers::pi * m.frequency * s);
  return {m.centre + turn * (initial.position - m.centre) + shift, (turn * initial.orientation).normalized()};
}

Twist twist_at(const Motion& m, const Pose& initial, double t) {
  if (t < m.start || t >= m.stop) return {};
  const double s = elapsed(m, t);
  const double w = 2 * std::numbers::pi * m.frequency;
  const Vec3 arm = rotation_by(m.angular_velocity * s) * (initial.position - m.centre);
  return {m.velocity + m.angular_velocity.cross(arm) + m.amplitude * (w * std::cos(w * s)), m.angular_velocity};
}

}  // namespace scree
