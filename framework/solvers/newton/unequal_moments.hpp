#pragma once
/// \file How a body whose principal moments differ turns in a time step: what is predicted, and what follows from the
/// minimiser, eqs. (44) to (46). All is said of angular momentum in world axes, L = R I R^T w, which the torque alone
/// changes. Bodies with equal moments have formulas of their own, newton/time_step.hpp. BDF2 knows those alone: carried
/// over in L it lets a thin body that is kept from turning gain energy, for its moment about the direction of L
/// changes.
///
/// The torque-free motion is rotated_freely(): exact for symmetric tops; for three different moments it keeps L to
/// rounding, and its orientation is off by O(h^2), symplectic and reversible.

#include "solvers/newton/configuration.hpp"
#include "solvers/newton/rotation_inertia.hpp"

namespace scree::solvers {

/// A body at one time.
struct Turning {
  Quat orientation;
  Vec3 angular_velocity;  ///< world axes [rad/s]

  Vec3 momentum(const Vec3& moments) const { return times_principal<double>(moments, orientation, angular_velocity); }
};

/// What the step would end with without torques that depend on the configuration.
struct PredictedTurn {
  Quat orientation;  ///< q^, unit
  Vec3 momentum;     ///< L^ [kg m^2/s]
};

inline Vec3 velocity_of(const Vec3& momentum, const Quat& q, const Vec3& moments) {
  return times_principal<double>(moments.cwiseInverse(), q, momentum);
}

/// The torque-free motion with angular momentum L for a time that may be negative.
inline Quat turned_freely(const Quat& q, const Vec3& momentum, const Vec3& moments, double time) {
  const Rotation<double> now{q, velocity_of(momentum, q, moments)};
  return rotated_freely<double>(now, moments, moments.cwiseInverse(), time).q.normalized();
}

/// Eq. (44), backward Euler and midpoint: L^ = L_n + h T, q^ from q_n by torque-free motion with L^ for h. With equal
/// moments this is eq. (22). \param torque  T, of loads [N m]
inline PredictedTurn predicted_turn(const Turning& now, const Vec3& moments, const Vec3& torque, double h) {
  const Vec3 momentum = now.momentum(moments) + h * torque;
  return {turned_freely(now.orientation, momentum, moments, h), momentum};
}

/// Eq. (45), backward Euler: with u = log(q conj(q^)), w = exp(u) (w^ + u/h). From q^ to q the angular velocity turns
/// with the body, so that its energy is that of w^ + u/h at q^, whatever the moments: a body that is kept from turning
/// stops. The change of L is off by u x L^ in each step, u = O(h^2): an error of first order, like the scheme's own.
/// \return angular velocity [rad/s]
inline Vec3 spin_after(const Quat& q, const PredictedTurn& predicted, const Vec3& moments, double h) {
  const Quat turn = q * predicted.orientation.conjugate();
  return turn * Vec3(velocity_of(predicted.momentum, predicted.orientation, moments) + logarithm(turn) / h);
}

/// Eq. (46), midpoint, with the torque (42) at the minimiser q_m and h = dt/2: torque-free motion for h, which led to
/// q^; all of the step's torque; torque-free motion for h. The same for translation is the implicit midpoint rule. The
/// torque is the derivative with respect to q^ of the incremental potential at its minimum over q_m. So the step is
/// symmetric in time and symplectic, and changes L by dt (T + torque). \param before  at the beginning of the step
inline Turning turned_to_the_end(const Quat& q_m, const PredictedTurn& predicted, const Turning& before,
                                 const Vec3& moments, double h) {
  const Vec3 kick = 2 * h * rotation_torque<double>(q_m, predicted.orientation, moments, h);
  const Vec3 momentum = predicted.momentum + kick;
  const Quat q = turned_freely(predicted.orientation, momentum, moments, h);
  const Vec3 loads = predicted.momentum - before.momentum(moments);  // h T
  return {q, velocity_of(momentum + loads, q, moments)};
}

}  // namespace scree::solvers
