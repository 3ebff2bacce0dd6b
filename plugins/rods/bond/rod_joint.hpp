#pragma once
/// \file One joint of an elastic rod: how it is deformed, its energy and the derivatives. Pure formulas; SI units.
///
/// Two bodies a and b hold a joint, each at a point of its own and in a frame of its own; the frames coincide where the
/// rod is straight and without twist. Bending and twist are the Rodrigues vector 2 tan(phi/2) of the rotation between
/// the frames. In pure bending this is the energy of discrete elastic rods.
///
/// \source Bergou, Wardetzky, Robinson, Audoly, Grinspun, Discrete Elastic Rods (2008), for the measure of bending;
/// derivatives are derived here along q <- exp(th) q.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>

#include "scree/base/types.hpp"

namespace scree::rods {

/// What a joint is made of. Rotations: world axes unless said otherwise.
struct RodJoint {
  Vec3 place_a, place_b;  ///< of the joint in the body frames of a and b [m]
  Quat frame_a, frame_b;  ///< joint frame to body frame
  Vec3 rest;              ///< Rodrigues vector without stress, in the joint frames
  double stretch;         ///< EA/h [N/m], in all directions
  Vec3 turn;              ///< bending and twist, diagonal in the joint frames: EI/h, GJ/h [N m]
};

/// Cross-product matrix: skew(x) y = x cross y.
inline Mat3 skew(const Vec3& x) {
  Mat3 m;
  m << 0, -x.z(), x.y(), x.z(), 0, -x.x(), -x.y(), x.x(), 0;
  return m;
}

/// A joint at work.
struct JointState {
  Vec3 arm_a, arm_b;  ///< from the centres to the joint, world axes [m]
  Vec3 gap;           ///< from the joint of a to that of b [m]
  Vec3 rodrigues;     ///< of b against a, joint frame [-]; infinite at half a turn
  double cosine;      ///< of half the angle between the frames, >= 0
  Mat3 axes;          ///< joint frame of a to world
};

inline JointState state_of(const RodJoint& joint, const Vec3& p_a, const Quat& q_a, const Vec3& p_b, const Quat& q_b) {
  JointState s;
  s.arm_a = q_a * joint.place_a;
  s.arm_b = q_b * joint.place_b;
  s.gap = p_b + s.arm_b - p_a - s.arm_a;
  const Quat frame = q_a * joint.frame_a, between = frame.conjugate() * (q_b * joint.frame_b);
  s.axes = frame.toRotationMatrix();
  s.rodrigues = 2 * between.vec() / between.w();
  s.cosine = std::abs(between.w());
  return s;
}

/// Moments m = B (Omega - Omega0) in the joint frame [N m].
inline Vec3 moments(const RodJoint& joint, const JointState& s) {
  return joint.turn.cwiseProduct(s.rodrigues - joint.rest);
}

/// V = k |c|^2/2 + (Omega - Omega0)^T B (Omega - Omega0)/2 [J]
inline double energy(const RodJoint& joint, const JointState& s) {
  return joint.stretch * s.gap.squaredNorm() / 2 + (s.rodrigues - joint.rest).dot(moments(joint, s)) / 2;
}

/// A joint that also resists the rate of bending and twist, V + tau_v/dt (Omega - Omega_n)^T B (Omega - Omega_n)/2, in
/// a step of length dt by backward Euler. But for a constant, it is a stiffer joint of another natural shape. \param
/// before  Omega_n, at the beginning of the step   \param ratio  tau_v/dt
inline RodJoint resisting(RodJoint joint, const Vec3& before, double ratio) {
  joint.rest = (joint.rest + ratio * before) / (1 + ratio);
  joint.turn *= 1 + ratio;
  return joint;
}

/// Moments beyond which bending and twist flow: perfectly plastic [N m].
struct Yield {
  double bending = std::numeric_limits<double>::infinity(), twist = std::numeric_limits<double>::infinity();

  bool flows() const { return std::min(bending, twist) < std::numeric_limits<double>::infinity(); }
};

/// What the rest is to change by, that moments come back to those at which they yield: of bending |m_bend| = M_y, in
/// the direction in which the joint is bent, and the same of twist. The energy never grows by it.
/// \param axis  that of the rod in the joint frames
inline Vec3 plastic_flow(const RodJoint& joint, const JointState& s, const Yield& yield, int axis) {
  Vec3 bend = moments(joint, s);
  const double twist = std::abs(bend[axis]);
  bend[axis] = 0;
  const auto part = [](double m, double limit) { return m > limit ? 1 - limit / m : 0; };
  const Vec3 strain = s.rodrigues - joint.rest;
  Vec3 flow = part(bend.norm(), yield.bending) * strain;
  flow[axis] = part(twist, yield.twist) * strain[axis];
  return flow;
}

/// Derivatives of the energy by translations and rotations. By that of b's place: `force`; of a's: its negative.
struct JointGradient {
  Vec3 force;           ///< k c [N]
  Vec3 turn_a, turn_b;  ///< [N m]
  double cosine;        ///< JointState::cosine
};

/// From dOmega = T w, T = I - [Omega]/2 + Omega Omega^T/4, with w the turn of b less that of a in the joint frame.
inline Vec3 conjugate_moment(const Vec3& omega, const Vec3& m) {
  return m + omega.cross(m) / 2 + omega.dot(m) / 4 * omega;
}

/// The other way round: the moments m whose conjugate is mu.
inline Vec3 elastic_moments(const Vec3& omega, const Vec3& mu) {
  const Mat3 conjugate = Mat3::Identity() + skew(omega) / 2 + omega * omega.transpose() / 4;
  return conjugate.inverse() * mu;
}

inline JointGradient gradient(const RodJoint& joint, const JointState& s) {
  const Vec3 force = joint.stretch * s.gap;
  const Vec3 moment = s.axes * conjugate_moment(s.rodrigues, moments(joint, s));
  return {force, -s.arm_a.cross(force) - moment, s.arm_b.cross(force) + moment, s.cosine};
}

/// Unit vector along the rod at a joint, the mean of both frames' axes, world axes. \param axis  0, 1 or 2
inline Vec3 tangent(const JointState& s, int axis) {
  // The axis of b in the frame of a: e turned by the Rodrigues vector Omega, from tan(phi/2) = |Omega|/2.
  const Vec3 e = Vec3::Unit(axis), &omega = s.rodrigues;
  const Vec3 of_b = e + (omega.cross(e) + omega.cross(omega.cross(e)) / 2) / (1 + omega.squaredNorm() / 4);
  return s.axes * (e + of_b).normalized();
}

/// What a joint carries. Signs are for an axis that points from a to b: else tension and twist change theirs.
struct SectionLoad {
  double tension;   ///< pull > 0 [N]
  double bending;   ///< across the tangent, >= 0 [N m]
  double twisting;  ///< about it, as for a right-handed twist > 0 [N m]
};

inline SectionLoad load_of(const RodJoint& joint, const JointState& s, int axis) {
  const Vec3 along = tangent(s, axis);
  const Vec3 moment = s.axes * conjugate_moment(s.rodrigues, moments(joint, s));
  const double twisting = moment.dot(along);
  return {joint.stretch * s.gap.dot(along), (moment - twisting * along).norm(), twisting};
}

/// How a rod is bent and twisted per length: the vector u that turns a joint of length h by |u| h.
struct RodShape {
  double curvature;  ///< of both axes across, >= 0 [1/m]
  double twist;      ///< right-handed > 0 [1/m]
};

/// \param length  h [m]
inline RodShape shape_of(const JointState& s, double length, int axis) {
  const double norm = s.rodrigues.norm();
  Vec3 u = norm > 0 ? Vec3(2 * std::atan(norm / 2) / (norm * length) * s.rodrigues) : Vec3(Vec3::Zero());
  const double twist = u[axis];
  u[axis] = 0;
  return {u.norm(), twist};
}

/// Second derivatives by (p_a, th_a, p_b, th_b), as blocks; (p_a, p_a) and (p_b, p_b) are k I, (p_a, p_b) is -k I.
struct JointHessian {
  double stretch;
  Mat3 place_a_turn_a, place_a_turn_b;  ///< rows: p_a; those of p_b are the negatives
  Mat3 turn_a_turn_a, turn_a_turn_b, turn_b_turn_b;
};

/// \param definite  leave out what may make it indefinite: forces and moments times curvature
inline JointHessian hessian(const RodJoint& joint, const JointState& s, bool definite) {
  const Vec3 &omega = s.rodrigues, m = moments(joint, s);
  const Mat3 change = Mat3::Identity() - skew(omega) / 2 + omega * omega.transpose() / 4;
  Mat3 inner = change.transpose() * joint.turn.asDiagonal() * change;
  const Vec3 mu = conjugate_moment(omega, m), force = joint.stretch * s.gap, moment = s.axes * mu;
  if (!definite) inner += (omega * mu.transpose() + mu * omega.transpose()) / 4;
  const Mat3 turned = s.axes * inner * s.axes.transpose(), a = skew(s.arm_a), b = skew(s.arm_b);
  const auto curvature = [&](const Vec3& arm) -> Mat3 {
    if (definite) return Mat3::Zero();
    return (force * arm.transpose() + arm * force.transpose()) / 2 - force.dot(arm) * Mat3::Identity();
  };
  const double k = joint.stretch;
  JointHessian h;
  h.stretch = k;
  h.place_a_turn_a = -k * a;
  h.place_a_turn_b = k * b;
  h.turn_a_turn_a = turned - k * a * a - curvature(s.arm_a);
  h.turn_b_turn_b = turned - k * b * b + curvature(s.arm_b);
  h.turn_a_turn_b = -turned + k * a * b;
  if (!definite) h.turn_a_turn_b += skew(moment) / 2;
  return h;
}

/// All of it, rows and columns p_a, th_a, p_b, th_b.
inline Eigen::Matrix<double, 12, 12> whole(const JointHessian& h) {
  const Mat3 k = h.stretch * Mat3::Identity();
  Eigen::Matrix<double, 12, 12> m;
  m << k, h.place_a_turn_a, -k, h.place_a_turn_b,                                                     //
      h.place_a_turn_a.transpose(), h.turn_a_turn_a, -h.place_a_turn_a.transpose(), h.turn_a_turn_b,  //
      -k, -h.place_a_turn_a, k, -h.place_a_turn_b,                                                    //
      h.place_a_turn_b.transpose(), h.turn_a_turn_b.transpose(), -h.place_a_turn_b.transpose(), h.turn_b_turn_b;
  return m;
}

}  // namespace scree::rods
