#pragma once
/// \file Friction across a contact: Coulomb's cap on a spring, on Mindlin's incremental spring, on a dashpot. Pure,
/// host and device. SI units; signs as in normal_contact.hpp, forces act on b.

#include "triple.hpp"

namespace scree::compliant {

/// Friction force and the history that goes with it.
template <class Real>
struct Friction {
  Triple<Real> force;    ///< [N]
  Triple<Real> history;  ///< elastic spring [m] or its force [N], to be carried into the next step
};

/// History-free friction of the reference code: F_t = -min(k_t |u_t| dt, mu N) u_t/|u_t|. A dashpot whose strength
/// depends on the step; it holds nothing at rest.
/// \param load  N that friction is proportional to [N]  \source Schreck et al. 2024, published code
template <class Real>
SCREE_HD inline Triple<Real> viscous_friction(Real stiffness, Real friction, Real load, Triple<Real> slip_speed,
                                              Real dt) {
  const Real speed = std::sqrt(larger(dot(slip_speed, slip_speed), kTiny<Real>));
  return -smaller(stiffness * dt, friction * load / speed) * slip_speed;
}

/// Share of the old spring that one step of sliding leaves, c_t/(c_t + k_t dt); 0 without dashpot.
///
/// Spring and dashpot stand side by side, and the slider is in series with both. While it slides, the two together
/// carry the cap, k_t s + c_t ds/dt = mu N, so that the spring nears mu N/k_t within c_t/k_t. In a step from s to s'
/// that is s' = share s + (1 - share) mu N/k_t. The dashpot must not feel the whole slip: a spring that is set to the
/// cap at once never comes to stick again while the surfaces move on, however weak the dashpot.
template <class Real>
SCREE_HD inline Real kept_while_sliding(Real stiffness, Real damping, Real dt) {
  return damping / larger(damping + stiffness * dt, kTiny<Real>);
}

/// Cundall-Strack friction: the spring grows by u_t dt; F_t = -(k_t spring + c_t u_t), at most mu N. Where it slides
/// the spring nears the cap, k_t |spring| = mu N; without dashpot it is there at once. \param spring  of the last step,
/// already in the tangent plane [m] \source Cundall and Strack, Geotechnique 29 (1979) 47
template <class Real>
SCREE_HD inline Friction<Real> spring_friction(Real stiffness, Real damping, Real cap, Triple<Real> slip_speed,
                                               Triple<Real> spring, Real dt) {
  const Triple<Real> grown = spring + dt * slip_speed;
  const Capped<Real> trial = capped(stiffness * grown + damping * slip_speed, cap);
  const Real share = kept_while_sliding(stiffness, damping, dt);
  const Real compliance = (1 - share) / larger(stiffness, kTiny<Real>);
  return {-trial.vector, chosen(trial.cut, share * spring + compliance * trial.vector, grown)};
}

/// Mindlin's friction by increments, without micro-slip: the elastic force grows by k_t u_t dt with the k_t of now;
/// when the contact area shrinks the force shrinks with k_t, so that no energy is gained by loading, shearing and
/// unloading. F_t = -(elastic force + c_t u_t), at most mu N; where it slides the elastic force nears the cap, as
/// above. \param elastic  force of the last step, already in the tangent plane [N] \param radius, last_radius  radius
/// of the contact area now and in the last step [m]; k_t is proportional to it \source Mindlin and Deresiewicz 1953;
/// unloading rule: Thornton and Randall 1988, as in LAMMPS mindlin_rescale/force
template <class Real>
SCREE_HD inline Friction<Real> mindlin_friction(Real stiffness, Real damping, Real cap, Triple<Real> slip_speed,
                                                Triple<Real> elastic, Real radius, Real last_radius, Real dt) {
  const Triple<Real> kept = smaller(radius / larger(last_radius, kTiny<Real>), Real(1)) * elastic;
  const Triple<Real> grown = kept + (stiffness * dt) * slip_speed;
  const Capped<Real> trial = capped(grown + damping * slip_speed, cap);
  const Real share = kept_while_sliding(stiffness, damping, dt);
  return {-trial.vector, chosen(trial.cut, share * kept + (1 - share) * trial.vector, grown)};
}

}  // namespace scree::compliant
