#pragma once
/// \file One joint of an elastic rod: how it is deformed, its energy and the derivatives. Pure formulas; SI units.
///
/// Two bodies a and b hold a joint, each at a point of its own and in a frame of its own; the frames coincide where the
/// rod is straight and without twist. Bending and twist are the Rodrigues vector 2 tan(phi/2) of the rotation between
/// the frames. In pure bending this is the energy of discrete elastic rods.
///
/// \source Bergou, Wardetzky, Robinson, Audoly, Grinspun, Discrete Elastic Rods (2008), for the measure of bending;
/// derivatives are derived here along q <- exp(th) q.
///
/// What steps need is templated on the number: double, or Wide for four joints at once.

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <limits>
#include <type_traits>

#include "scree/base/types.hpp"
#include "scree/base/wide.hpp"

namespace scree::rods {

template <class Real>
using Vector = Eigen::Matrix<Real, 3, 1>;
template <class Real>
using Matrix = Eigen::Matrix<Real, 3, 3>;
template <class Real>
using Rotation = Eigen::Quaternion<Real, Eigen::DontAlign>;

/// Joint of a rod. Rotations: world axes unless said otherwise.
template <class Real>
struct JointOf {
  Vector<Real> place_a, place_b;    ///< places of the joint in the body frames of a and b [m]
  Rotation<Real> frame_a, frame_b;  ///< joint frame to body frame
  Vector<Real> rest;                ///< Rodrigues vector without stress, in the joint frames
  Real stretch;                     ///< EA/h [N/m], in all directions
  Vector<Real> turn;                ///< bending and twist, diagonal in the joint frames: EI/h, GJ/h [N m]
};
using RodJoint = JointOf<double>;

/// Cross-product matrix: skew(x) y = x cross y.
template <class Real>
inline Matrix<Real> skew(const Vector<Real>& x) {
  const Real o(0);
  Matrix<Real> m;
  m << o, -x.z(), x.y(), x.z(), o, -x.x(), -x.y(), x.x(), o;
  return m;
}

/// A joint at work.
template <class Real>
struct StateOf {
  Vector<Real> arm_a, arm_b;  ///< from the centres to the joint, world axes [m]
  Vector<Real> gap;           ///< from the joint of a to that of b [m]
  Vector<Real> rodrigues;     ///< rotation of b against a, joint frame [-]; infinite at half a turn
  Real cosine;                ///< cosine of half the angle between the frames, >= 0
  Matrix<Real> axes;          ///< joint frame of a to world
};
using JointState = StateOf<double>;

template <class Real>
inline StateOf<Real> state_of(const std::type_identity_t<JointOf<Real>>& joint, const Vector<Real>& p_a,
                              const Rotation<Real>& q_a, const Vector<Real>& p_b, const Rotation<Real>& q_b) {
  StateOf<Real> s;
  s.arm_a = q_a * joint.place_a;
  s.arm_b = q_b * joint.place_b;
  s.gap = p_b + s.arm_b - p_a - s.arm_a;
  const Rotation<Real> frame = q_a * joint.frame_a, between = frame.conjugate() * (q_b * joint.frame_b);
  s.axes = frame.toRotationMatrix();
  s.rodrigues = (Real(2) / between.w()) * between.vec();
  s.cosine = sign_or_one(between.w()) * between.w();
  return s;
}

/// Moments m = B (Omega - Omega0) in the joint frame [N m].
template <class Real>
inline Vector<Real> moments(const JointOf<Real>& joint, const StateOf<Real>& s) {
  return joint.turn.cwiseProduct(s.rodrigues - joint.rest);
}

/// V = k |c|^2/2 + (Omega - Omega0)^T B (Omega - Omega0)/2 [J]
inline double energy(const RodJoint& joint, const JointState& s) {
  return joint.stretch * s.gap.squaredNorm() / 2 + (s.rodrigues - joint.rest).dot(moments(joint, s)) / 2;
}

/// A joint that also resists the rate of bending and twist, V + tau_v/dt (Omega - Omega_n)^T B (Omega - Omega_n)/2, in
/// a step of length dt by backward Euler. But for a constant, it is a stiffer joint of another natural shape. \param
/// before  Omega_n, at the beginning of the step   \param ratio  tau_v/dt
template <class Real>
inline JointOf<Real> resisting(JointOf<Real> joint, const Vector<Real>& before, double ratio) {
  joint.rest = (joint.rest + Real(ratio) * before) * Real(1 / (1 + ratio));
  joint.turn *= Real(1 + ratio);
  return joint;
}

/// Moments beyond which bending and twist flow: perfectly plastic [N m].
struct Yield {
  double bending = std::numeric_limits<double>::infinity(), twist = std::numeric_limits<double>::infinity();

  bool flows() const { return std::min(bending, twist) < std::numeric_limits<double>::infinity(); }
};

/// Returns the change of the rest shape that brings moments back to yield: of bending |m_bend| = M_y, in the direction
/// in which the joint is bent, and of twist in the same way. The energy never grows by it.
/// \param axis  axis of the rod in the joint frames
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
template <class Real>
struct GradientOf {
  Vector<Real> force;           ///< k c [N]
  Vector<Real> turn_a, turn_b;  ///< [N m]
  Real cosine;                  ///< StateOf::cosine
};
using JointGradient = GradientOf<double>;

/// From dOmega = T w, T = I - [Omega]/2 + Omega Omega^T/4, with w the turn of b less that of a in the joint frame.
template <class Real>
inline Vector<Real> conjugate_moment(const Vector<Real>& omega, const Vector<Real>& m) {
  return m + Real(0.5) * omega.cross(m) + (Real(0.25) * omega.dot(m)) * omega;
}

/// The other way round: the moments m whose conjugate is mu.
inline Vec3 elastic_moments(const Vec3& omega, const Vec3& mu) {
  const Mat3 conjugate = Mat3::Identity() + skew<double>(omega) / 2 + omega * omega.transpose() / 4;
  return conjugate.inverse() * mu;
}

template <class Real>
inline GradientOf<Real> gradient(const JointOf<Real>& joint, const StateOf<Real>& s) {
  const Vector<Real> force = joint.stretch * s.gap;
  const Vector<Real> moment = s.axes * conjugate_moment<Real>(s.rodrigues, moments(joint, s));
  return {force, -s.arm_a.cross(force) - moment, s.arm_b.cross(force) + moment, s.cosine};
}

/// Unit vector along the rod at a joint, the mean of both frames' axes, world axes. \param axis  0, 1 or 2
inline Vec3 tangent(const JointState& s, int axis) {
  // The axis of b in the frame of a: e turned by the Rodrigues vector Omega, from tan(phi/2) = |Omega|/2.
  const Vec3 e = Vec3::Unit(axis), &omega = s.rodrigues;
  const Vec3 of_b = e + (omega.cross(e) + omega.cross(omega.cross(e)) / 2) / (1 + omega.squaredNorm() / 4);
  return s.axes * (e + of_b).normalized();
}

/// Load of a joint. Signs are for an axis that points from a to b: else tension and twist change theirs.
struct SectionLoad {
  double tension;   ///< pull > 0 [N]
  double bending;   ///< across the tangent, >= 0 [N m]
  double twisting;  ///< about it, as for a right-handed twist > 0 [N m]
};

inline SectionLoad load_of(const RodJoint& joint, const JointState& s, int axis) {
  const Vec3 along = tangent(s, axis);
  const Vec3 moment = s.axes * conjugate_moment<double>(s.rodrigues, moments(joint, s));
  const double twisting = moment.dot(along);
  return {joint.stretch * s.gap.dot(along), (moment - twisting * along).norm(), twisting};
}

/// Bending and twist of a rod per length: the vector u that turns a joint of length h by |u| h.
struct RodShape {
  double curvature;  ///< curvature of both axes across, >= 0 [1/m]
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
template <class Real>
struct HessianOf {
  Real stretch;
  Matrix<Real> place_a_turn_a, place_a_turn_b;  ///< rows: p_a; those of p_b are the negatives
  Matrix<Real> turn_a_turn_a, turn_a_turn_b, turn_b_turn_b;
};
using JointHessian = HessianOf<double>;

/// \param definite  leave out what may make it indefinite: forces and moments times curvature
template <class Real>
inline HessianOf<Real> hessian(const JointOf<Real>& joint, const StateOf<Real>& s, bool definite) {
  const Real half(0.5), quarter(0.25);
  const auto outer = [](const Vector<Real>& x, const Vector<Real>& y) -> Matrix<Real> {
    return x.lazyProduct(y.transpose());
  };
  const auto add_to_diagonal = [](Matrix<Real>& to, const Real& x) {
    for (int k = 0; k < 3; ++k) to(k, k) += x;
  };
  const Vector<Real>&omega = s.rodrigues, m = moments(joint, s);
  Matrix<Real> change = quarter * outer(omega, omega) - half * skew(omega);
  add_to_diagonal(change, Real(1));
  Matrix<Real> turned_change;
  for (int k = 0; k < 3; ++k) turned_change.row(k) = joint.turn[k] * change.row(k);
  Matrix<Real> inner = change.transpose().lazyProduct(turned_change);
  const Vector<Real> mu = conjugate_moment<Real>(omega, m), force = joint.stretch * s.gap;
  if (!definite) {
    const Matrix<Real> product = outer(omega, mu);
    inner += quarter * (product + product.transpose());
  }
  const Matrix<Real> part = s.axes.lazyProduct(inner), turned = part.lazyProduct(s.axes.transpose());
  const Matrix<Real> a = skew(s.arm_a), b = skew(s.arm_b);
  const Real k = joint.stretch;
  HessianOf<Real> h;
  h.stretch = k;
  h.place_a_turn_a = -k * a;
  h.place_a_turn_b = k * b;
  h.turn_a_turn_a = turned - k * a.lazyProduct(a);
  h.turn_b_turn_b = turned - k * b.lazyProduct(b);
  h.turn_a_turn_b = k * a.lazyProduct(b) - turned;
  if (definite) return h;
  const auto curvature = [&](const Vector<Real>& arm) {
    const Matrix<Real> product = outer(force, arm);
    Matrix<Real> c = half * (product + product.transpose());
    add_to_diagonal(c, -force.dot(arm));
    return c;
  };
  h.turn_a_turn_a -= curvature(s.arm_a);
  h.turn_b_turn_b += curvature(s.arm_b);
  h.turn_a_turn_b += half * skew<Real>(s.axes * mu);
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
