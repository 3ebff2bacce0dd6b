#pragma once
/// \file A contact and a body as solvers of impulses take them. Formulas alone: for integrators of other plugins too.
/// SI units.

#include <algorithm>
#include <cmath>

#include "scree/integrate/impulse_problem.hpp"
#include "scree/integrate/rigid_body.hpp"
#include "solvers/coulomb/problem.hpp"

namespace scree::coulomb {

/// Rows: the unit normal and one (D = 2) or two unit tangents, right-handed.
template <int D>
Mat<D> contact_frame(const Vec3& normal);

template <>
inline Mat<2> contact_frame<2>(const Vec3& normal) {
  Mat<2> frame;
  frame << normal[0], normal[1], -normal[1], normal[0];
  return frame;
}

/// \source T. Duff et al., Building an orthonormal basis, revisited, J. Computer Graphics Techniques 6 (2017) 1
template <>
inline Mat<3> contact_frame<3>(const Vec3& n) {
  const double sign = std::copysign(1.0, n[2]), a = -1 / (sign + n[2]), b = n[0] * n[1] * a;
  Mat<3> frame;
  frame.row(0) = n.transpose();
  frame.row(1) << 1 + sign * n[0] * n[0] * a, sign * b, -sign * n[0];
  frame.row(2) << b, sign + n[1] * n[1] * a, -n[1];
  return frame;
}

/// How overlaps that are there all the same, from the start or from an unconverged step, are undone.
struct DriftControl {
  double rate = 0;  ///< fraction of an overlap that goes in one step
  double slop = 0;  ///< [m] gaps and overlaps up to this size are taken as none
};

/// The normal velocity [m/s] above which a contact must be at the end of the step, as a lower bound:
///   touching, |gap| <= slop             u_N >= 0
///   a gap may close, and no more        u_N >= -gap/dt
///   an overlap is undone bit by bit     u_N >= -rate gap/dt   (gap < 0)
///   an impact within the step rebounds  u_N >= -e u_N^-       (Newton; u_N^- before the step)
/// Why slop: a pile has more contacts than it needs to stand. As long as bodies at rest may stay at rest, any of its
/// balanced impulses will do, those of the step before among them. Gaps that differ by rounding and by the solver's
/// tolerance forbid rest: bodies would have to close them all, and impulses that do so are far away, other ones every
/// step.
struct NormalBound {
  double velocity;
  double drift;  ///< the part of it that is drift control: its work is booked apart
};

/// \param slant  the part of -u_N that does not close the gap: see find_flush() [m/s]
inline NormalBound normal_bound(const ConeContact& c, const DriftControl& control, double dt, double slant = 0) {
  const double approach = c.velocity.dot(c.normal) + slant;
  const bool hits = c.restitution > 0 && approach < 0 && c.gap + dt * approach <= 0;
  const double rebound = hits ? -c.restitution * approach - slant : -HUGE_VAL;
  const double gap = std::abs(c.gap) <= control.slop ? 0 : c.gap;
  if (gap >= 0) return {std::max(-gap / dt - slant, rebound), 0};
  const double drift = -control.rate * gap / dt;
  return rebound > drift ? NormalBound{rebound, 0} : NormalBound{drift, drift};
}

/// How a body moves and what resists that. World axes unless a name says body.
struct BodyState {
  Vec3 velocity, angular_velocity;  ///< [m/s], [rad/s]
  Quat orientation;
  double inverse_mass;   ///< [1/kg]
  Vec3 inverse_moments;  ///< of the body's axes [1/(kg m^2)]
};

/// With the velocities of the end of a step without contacts. \param external  wrench besides contacts   \param dt  [s]
template <int D>
RigidBody<D> free_body(const BodyState& state, const Wrench& external, double dt) {
  const Vec3& moments = state.inverse_moments;
  const Vec3 v = kicked<double>(state.velocity, linear_acceleration<double>(external.force, state.inverse_mass), dt);
  RigidBody<D> body;
  body.velocity = v.head<D>();
  body.inverse_mass = state.inverse_mass;
  if constexpr (D == 2) {
    body.spin[0] = state.angular_velocity[2] + dt * external.torque[2] * moments[2];
    body.inverse_inertia(0, 0) = moments[2];
  } else {
    const Quat& q = state.orientation;
    body.spin = kicked<double>(state.angular_velocity, angular_acceleration<double>(external.torque, q, moments), dt);
    const Mat3 turn = q.toRotationMatrix();
    body.inverse_inertia = turn * moments.asDiagonal() * turn.transpose();
  }
  return body;
}

}  // namespace scree::coulomb
