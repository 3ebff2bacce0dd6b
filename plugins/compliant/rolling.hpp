#pragma once
/// \file Rolling resistance: a couple against the relative spin of two bodies across the normal. Pure, host and device,
/// without branches. SI units; the couple acts on b (a gets the opposite).

#include "triple.hpp"

namespace scree::compliant {

/// Couple and the history that goes with it.
template <class Real>
struct Rolling {
  Triple<Real> moment;   ///< [N m]
  Triple<Real> history;  ///< history of the elastic part [N m]
};

/// Constant couple (model A): M = -mu_r R N w_r/|w_r|, but at most what stops the roll within one step,
/// (2/5 m R^2) |w_r|/dt, so that a body at rest does not chatter.
/// \param spin  w_r, relative, its part across the normal [rad/s]  \param cap  mu_r R N [N m]
/// \source Zhou et al., Physica A 269 (1999) 536; Ai et al., Powder Technology 206 (2011) 269, section 2.1
template <class Real>
SCREE_HD inline Triple<Real> constant_rolling(Real cap, Real mass, Real radius, Triple<Real> spin, Real dt) {
  const Real speed = std::sqrt(larger(dot(spin, spin), kTiny<Real>));
  const Real stopping = Real(0.4) * mass * radius * radius / larger(dt, kTiny<Real>);
  return -smaller(stopping, cap / speed) * spin;
}

/// Elastic-plastic spring and dashpot (model C): the elastic couple grows by k_r w_r dt, at most mu_r R N; the dashpot
/// C_r w_r is added. Departs from the paper, where the dashpot stands outside the cap until the spring reaches it:
/// there a body that begins to roll feels many times mu_r R N. Here the sum is capped too. \param damping  C_r [N m s]
/// \param elastic  couple of the last step, across the normal [N m] \source Ai et al., Powder Technology 206 (2011)
/// 269, section 2.3
template <class Real>
SCREE_HD inline Rolling<Real> elastic_plastic_rolling(Real stiffness, Real damping, Real cap, Triple<Real> spin,
                                                      Triple<Real> elastic, Real dt) {
  const Triple<Real> kept = capped(elastic + (stiffness * dt) * spin, cap).vector;
  return {-capped(kept + damping * spin, cap).vector, kept};
}

/// C_r = 2 eta sqrt(I_r k_r) with I_r = j m R^2 about the contact: exact at a wall with j = 7/5 for a sphere, 3/2 for a
/// disc; of two equal bodies I_r is four times as large. \source Ai et al. 2011, section 2.3
template <class Real>
SCREE_HD inline Real rolling_damping(Real ratio, Real inertia_factor, Real mass, Real radius, Real stiffness) {
  return 2 * ratio * std::sqrt(inertia_factor * mass * radius * radius * stiffness);
}

}  // namespace scree::compliant
