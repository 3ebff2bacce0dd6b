#pragma once
/// \file Gravity and damping: forces on every free body besides contacts. The formulas and their data.

#include <cmath>
#include <numbers>

#include "scree/base/gravity_variation.hpp"
#include "scree/integrate/rigid_body.hpp"

namespace scree {

/// Damping of all bodies that move freely. Plain data.
struct Damping {
  double linear_damping = 0;           ///< force -c (v - fluid_velocity) [N s/m]
  double angular_damping = 0;          ///< torque -c omega [N m s]
  Vec3 fluid_velocity = Vec3::Zero();  ///< [m/s]
  double mass_damping = 0;             ///< force -alpha m v, torque -alpha L [1/s]
  double local_damping = 0;            ///< fraction of each component of force and torque [-]

  bool damps() const { return linear_damping > 0 || angular_damping > 0 || mass_damping > 0 || local_damping > 0; }
};

/// Uniform forces on all bodies that move freely.
struct Environment : Damping {
  Vec3 gravity = Vec3::Zero();  ///< constant part [m/s^2]
  GravityVariation variation;   ///< variation of gravity in time
};

/// Returns the acceleration of gravity at time t [s]: constant + amplitude sin(2 pi frequency t + phase) + table(t).
/// The table is linear between its rows, and keeps its first and last value outside of them.
inline Vec3 gravity_at(const Environment& env, double t) {
  const GravityVariation& change = env.variation;
  Vec3 g = env.gravity;
  if (change.frequency > 0 || change.phase != 0)
    g += change.amplitude * std::sin(2 * std::numbers::pi * change.frequency * t + change.phase);
  const auto& table = change.table;
  if (table.empty()) return g;
  if (t <= table.front().time) return g + table.front().vector;
  for (std::size_t i = 1; i < table.size(); ++i)
    if (t < table[i].time) {
      const auto &from = table[i - 1], &to = table[i];
      return g + from.vector + (t - from.time) / (to.time - from.time) * (to.vector - from.vector);
    }
  return g + table.back().vector;
}

/// Returns a force or torque with local, non-viscous damping: F_k - alpha |F_k| sign(v_k). Every component loses the
/// fraction `alpha` of its size if it speeds the body up, and gains as much if it slows it down. The loss per cycle of
/// an oscillator does not depend on its frequency. Components are along the world's axes.
/// \source P. A. Cundall, in E. T. Brown (ed.), Analytical and Computational Methods in Engineering Rock Mechanics,
/// 1987
template <class Real>
SCREE_HD inline Vector3<Real> locally_damped(const Vector3<Real>& force, const Vector3<Real>& velocity, Real alpha) {
  Vector3<Real> damped = force;
  for (int k = 0; k < 3; ++k) {
    const Real size = alpha * (force[k] < 0 ? -force[k] : force[k]);
    damped[k] -= velocity[k] > 0 ? size : velocity[k] < 0 ? -size : Real(0);
  }
  return damped;
}

/// Properties of a body that damping needs; world axes.
template <class Real>
struct BodyMotion {
  Real mass;               ///< [kg]
  Vector3<Real> moments;   ///< principal moments [kg m^2]
  Quaternion<Real> q;      ///< rotation from body to world
  Vector3<Real> velocity;  ///< [m/s]
  Vector3<Real> omega;     ///< [rad/s]
};

/// Adds the weight m g of a free body. \param g  [m/s^2]
template <class Real>
SCREE_HD inline void add_weight(Real mass, const Vector3<Real>& g, Vector3<Real>& force) {
  for (int k = 0; k < 3; ++k) force[k] += mass * g[k];
}

/// Makes the total wrench on a free body from `sum`, the wrench of its contacts: adds gravity g [m/s^2] and damping.
/// Local damping acts on contacts and gravity only: viscous forces are damping already.
template <class Real>
SCREE_HD inline void add_environment(const Damping& env, const Vector3<Real>& g, const BodyMotion<Real>& body,
                                     Vector3<Real>& force, Vector3<Real>& torque) {
  add_weight<Real>(body.mass, g, force);
  if (env.local_damping > 0) {
    force = locally_damped<Real>(force, body.velocity, env.local_damping);
    torque = locally_damped<Real>(torque, body.omega, env.local_damping);
  }
  force -= env.linear_damping * (body.velocity - env.fluid_velocity);
  torque -= env.angular_damping * body.omega;
  if (env.mass_damping > 0) {
    force -= env.mass_damping * body.mass * body.velocity;
    const Vector3<Real> spin_body = body.moments.cwiseProduct(body.q.conjugate() * body.omega);
    torque -= env.mass_damping * (body.q * spin_body);
  }
}

}  // namespace scree
