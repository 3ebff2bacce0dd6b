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

/// Returns the number of the first row later than s.
std::size_t row_after(const std::vector<MotionRow>& rows, double s) {
  return static_cast<std::size_t>(
      std::upper_bound(rows.begin(), rows.end(), s, [](double time, const MotionRow& row) { return time < row.time; }) -
      rows.begin());
}

/// Returns the value at s, linear between rows.
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

/// Returns the integral of value_at() from 0 to s: trapezia, which are exact.
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

/// Returns the translation since the start [m].
Vec3 shift_at(const Motion& m, double s) {
  return m.velocity * s + m.amplitude * std::sin(2 * std::numbers::pi * m.frequency * s) + integral(m.velocities, s) +
         value_at(m.displacements, s);
}

/// Returns the time derivative of shift_at(). \pre it moves
Vec3 shift_rate(const Motion& m, double s) {
  const double w = 2 * std::numbers::pi * m.frequency;
  return m.velocity + m.amplitude * (w * std::cos(w * s)) + value_at(m.velocities, s) + slope_at(m.displacements, s);
}

}  // namespace

MotionsAt::MotionsAt(std::span<const Motion> motions, double t) {
  steps_.reserve(motions.size());
  for (const Motion& m : motions) {
    const double s = elapsed(m, t);
    const bool now = moves(m, t);
    steps_.push_back({rotation_by(m.angular_velocity * s), shift_at(m, s), now ? shift_rate(m, s) : Vec3::Zero(),
                      m.angular_velocity, m.centre, m.about_origin, now});
  }
}

std::pair<Pose, Twist> MotionsAt::of(const Pose& initial) const {
  Pose pose = initial;
  Twist twist;
  for (const Step& m : steps_) {
    const Vec3 arm = m.about_origin ? Vec3::Zero() : Vec3(m.turn * (pose.position - m.centre));
    if (!m.about_origin) twist.velocity = m.turn * twist.velocity;
    twist.angular_velocity = m.turn * twist.angular_velocity;
    if (m.moves) {
      twist.velocity += m.rate;
      if (!m.about_origin) twist.velocity += m.angular_velocity.cross(arm);
      twist.angular_velocity += m.angular_velocity;
    }
    pose.position = (m.about_origin ? pose.position : Vec3(m.centre + arm)) + m.shift;
    pose.orientation = (m.turn * pose.orientation).normalized();
  }
  return {pose, twist};
}

Pose pose_at(std::span<const Motion> motions, const Pose& initial, double t) {
  return MotionsAt(motions, t).of(initial).first;
}

Twist twist_at(std::span<const Motion> motions, const Pose& initial, double t) {
  return MotionsAt(motions, t).of(initial).second;
}

}  // namespace scree
