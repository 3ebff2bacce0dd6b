#pragma once
/// \file A time step as a minimisation: what is predicted before it, and what follows from its minimiser. Eqs. (22) to
/// (30) for bodies with equal moments of inertia; for others newton/unequal_moments.hpp.

#include "solvers/newton/terms.hpp"
#include "solvers/newton/minimise.hpp"

namespace scree::solvers {

enum class Scheme {
  backward_euler,  ///< first order; loses spin, (27); no step makes potential energy grow, (29)
  midpoint,        ///< second order; keeps linear and angular momentum; implicit midpoint rule, (P.22)
  bdf2,   ///< second order, damps less than backward Euler; needs the step before, and equal moments of inertia
  sdirk2  ///< second order, two minimisations, see newton/stages.hpp; equal moments of inertia
};

/// Everything a step changes. (bodies) each.
struct Motion {
  std::span<Vec3> position;          ///< [m]
  std::span<Quat> orientation;       ///< unit
  std::span<Vec3> velocity;          ///< [m/s]
  std::span<Vec3> angular_velocity;  ///< world axes [rad/s]

  Moving moving() const { return {position, orientation}; }
};

/// The same one step earlier, for BDF2; empty on the first step, which is then backward Euler.
struct Earlier {
  std::span<const Vec3> position;
  std::span<const Quat> orientation;
  std::span<const Vec3> velocity;
  std::span<const Vec3> angular_velocity;

  bool empty() const { return position.empty(); }
};

struct BodyColumns {
  std::span<const double> mass;        ///< [kg]
  std::span<const double> moment;      ///< of inertia [kg m^2]; not used where `moments` says otherwise
  std::span<const double> radius;      ///< [m]: lever of torques in the residual
  std::span<const Vec3> moments = {};  ///< principal, of bodies in which they differ, see unequal(); or empty

  /// The tensor of inertia of body i in world axes, times x: angular velocity to momentum, angular acceleration to
  /// torque (but for the gyroscopic part). \param q  the body's orientation
  Vec3 times_inertia(std::size_t i, const Quat& q, const Vec3& x) const;
};

/// Force and torque that do not depend on the configuration, gravity included. (bodies), or empty.
struct Applied {
  std::span<const Vec3> force;   ///< [N]
  std::span<const Vec3> torque;  ///< [N m]
};

/// p^ and q^, and the h of the incremental potential: dt for backward Euler, dt/2 for midpoint, 2 dt/3 for BDF2, and a
/// stage's for SDIRK2.
struct Prediction {
  std::vector<Vec3> position;
  std::vector<Quat> orientation;
  double h = 0;
  std::vector<Vec3> momentum = {};  ///< L^ of bodies with unequal moments [kg m^2/s]; empty: there are none

  InertiaTerm::Columns columns(const BodyColumns& bodies) const {
    return {bodies.mass, bodies.moment, position, orientation, h, bodies.moments};
  }
};

/// The geodesic predictor, eq. (22): p^ = p + h v + h^2 f/m, q^ = exp(h w + h^2 T/I) q. For BDF2, h v is replaced by
/// (h (4 v_n - v_(n-1)) + p_n - p_(n-1))/3, and h w likewise with rotation vectors from q_n. Of bodies with unequal
/// moments q^ is that of (44).
Prediction predict(Scheme scheme, const Motion& x, const Earlier& earlier, const BodyColumns& bodies,
                   const Applied& applied, double dt);

/// Where Newton starts: the state as it is or one of the guesses, whichever has the lowest potential. As the state is
/// among them, (29) holds.
void start_from_lowest(IncrementalPotential& potential, std::initializer_list<const Prediction*> guesses, Moving x);

/// From the minimiser, which `x` holds, to the end of the step.
/// \param before  positions and orientations the step began with
/// \param unknowns  driven bodies keep the velocities they have; with midpoint they are carried to the end of the step
void finish(Scheme scheme, const Configuration& before, const Earlier& earlier, const Prediction& prediction,
            const BodyColumns& bodies, const Unknowns& unknowns, const Motion& x, double dt);

/// Eq. (31): a_ref sqrt(sum of m^2 of free bodies) [N]. \param acceleration  a_ref [m/s^2], at least 9.81 say
ResidualScale step_scale(const BodyColumns& bodies, const Unknowns& unknowns, double acceleration);

}  // namespace scree::solvers
