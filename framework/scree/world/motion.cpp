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

bool moves(const Motion& m, double t) { return t >= m.start && t < m.stop; }

/// Number of the first row later than s.
std::size_t row_after(const std::vector<MotionRow>& rows, double s) {
  return static_cast<std::size_t>(
      std::upper_bound(rows.begin(), rows.end(), s, [](double time, const MotionRow& row) { return time < row.time; }) -
      rows.begin());
}

/// Linear between rows.
Vec3 value_at(const std::vector<MotionRow>& rows, double s) {
  if (rows.empty()) return Vec3::Zero();
  const std::size_t k = row_after(rows, s);
  if (k == 0) return rows.front().value;
  if (k == rows.size()) return rows.back().value;
  const MotionRow &a = rows[k - 1], &b = rows[k];
  return a.value + (s - a.time) / (b.time - a.time) * (b.value - a.value);
}

Vec3 slope_at(const std::vector<MotionRow>& rows, double s) {
  const std::size_t k = row_after(rows, s);
  if (k == 0 || k == rows.size()) return Vec3::Zero();
  const MotionRow &a = rows[k - 1], &b = rows[k];
  return (b.value - a.value) / (b.time - a.time);
}

/// Of value_at(), from 0 to s: trapezia, which are exact.
Vec3 integral(const std::vector<MotionRow>& rows, double s) {
  Vec3 sum = Vec3::Zero(), before = value_at(rows, 0);
  double from = 0;
  const auto add = [&](double to, const Vec3& value) {
    sum += (to - from) / 2 * (before + value);
    from = to, before = value;
  };
  for (const MotionRow& row : rows)
    if (row.time > 0 && row.time < s) add(row.time, row.value);
  if (s > 0 && !rows.empty()) add(s, value_at(rows, s));
  return sum;
}

/// Translation since the start [m].
Vec3 shift_at(const Motion& m, double s) {
  return m.velocity * s + m.amplitude * std::sin(2 * std::numbers::pi * m.frequency * s) + integral(m.velocities, s) +
         value_at(m.displacements, s);
}

/// \pre it moves
Vec3 shift_rate(const Motion& m, double s) {
  const double w = 2 * std::numbers::pi * m.frequency;
  return m.velocity + m.amplitude * (w * std::cos(w * s)) + value_at(m.velocities, s) + slope_at(m.displacements, s);
}

Pose moved(const Motion& m, const Pose& from, double t) {
  const double s = elapsed(m, t);
  const Quat turn = rotation_by(m.angular_velocity * s);
  const Vec3& centre = m.about_origin ? from.position : m.centre;
  return {centre + turn * (from.position - centre) + shift_at(m, s), (turn * from.orientation).normalized()};
}

/// Twist of the moved pose, whose own twist before this motion is `from`.
Twist moved(const Motion& m, const Pose& pose, const Twist& from, double t) {
  const double s = elapsed(m, t);
  const Quat turn = rotation_by(m.angular_velocity * s);
  Twist twist{m.about_origin ? from.velocity : Vec3(turn * from.velocity), turn * from.angular_velocity};
  if (!moves(m, t)) return twist;
  twist.velocity += shift_rate(m, s);
  if (!m.about_origin) twist.velocity += m.angular_velocity.cross(turn * (pose.position - m.centre));
  twist.angular_velocity += m.angular_velocity;
  return twist;
}

}  // namespace

Pose pose_at(std::span<const Motion> motions, const Pose& initial, double t) {
  Pose pose = initial;
  for (const Motion& m : motions) pose = moved(m, pose, t);
  return pose;
}

Twist twist_at(std::span<const Motion> motions, const Pose& initial, double t) {
  Pose pose = initial;
  Twist twist;
  for (const Motion& m : motions) {
    twist = moved(m, pose, twist, t);
    pose = moved(m, pose, t);
  }
  return twist;
}

}  // namespace scree
