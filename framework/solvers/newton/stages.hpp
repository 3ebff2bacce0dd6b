#pragma once
/// \file Scheme `sdirk2`: the two stages of a step, each a minimisation. Of second order, and without memory of fast
/// vibrations (L-stable); stiffly accurate, so that the second stage ends the step.
/// (R. Alexander, SIAM J. Numer. Anal. 14 (1977) 1006, the method of two stages.)

#include <numbers>

#include "solvers/newton/time_step.hpp"

namespace scree::solvers {

/// g = 1 - sqrt(1/2): a stage has the length h = g dt.
inline constexpr double kStageShare = 1 - 1 / std::numbers::sqrt2;

/// Eq. (48): a stage is a step of backward Euler of length h that begins in a state no body had. Its end fulfils
/// x = from + h v, v = v_b + h a(x), and the same for rotations, with
///   stage 1: from = x_0,                    v_b = v_0
///   stage 2: from = x_0 + (1 - g) dt v_1,   v_b = v_0 + (1 - g)/g (v_1 - v_0)
struct Stage {
  std::vector<Vec3> position;  ///< where rates are measured from [m]
  std::vector<Quat> orientation;
  std::vector<Vec3> velocity;          ///< v_b [m/s]
  std::vector<Vec3> angular_velocity;  ///< world axes [rad/s]
  double h;                            ///< [s]
  double reached;                      ///< end of the stage since the beginning of the step [s]

  Configuration from() const { return {position, orientation}; }
  Motion motion() { return {position, orientation, velocity, angular_velocity}; }
};

/// \param dt  of the step [s]
Stage first_stage(const Motion& start, double dt);
/// \param first  the first stage, which holds the state at the beginning of the step  \param v, w  at its end
Stage second_stage(const Stage& first, std::span<const Vec3> v, std::span<const Vec3> w, double dt);

/// Velocities at the end of a stage, of free bodies: v = (x - from)/h, and w = w_b + log(q conj(q_b))/h with
/// q_b = exp(h w_b) from. The second is w_b plus h times the torque over the moment; log(q conj(from))/h would be off
/// by h^2 a x w/2, which adds up to an error of first order. \param x  the minimiser
void finish(const Stage& stage, const Unknowns& unknowns, const Motion& x);

}  // namespace scree::solvers
