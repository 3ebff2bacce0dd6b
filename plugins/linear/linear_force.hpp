#pragma once
/// \file Formulas of the linear spring-dashpot contact with Coulomb friction. Pure, host and device, templated on the
/// scalar, without branches: loops over contacts vectorise. SI units.
///
/// Signs: overlap d > 0 when touching; normal n from a to b; u is the velocity of b relative to a at the contact point,
/// so u_n = n.u > 0 when the bodies separate. Forces act on b.

#include <cmath>
#include <limits>

#include "scree/base/api.hpp"

namespace scree::linear {

/// A vector by components, so that a loop over contacts becomes arithmetic over columns.
template <class Real>
struct Triple {
  Real x, y, z;
};

template <class Real>
SCREE_HD inline Triple<Real> operator*(Real s, Triple<Real> v) {
  return {s * v.x, s * v.y, s * v.z};
}
template <class Real>
SCREE_HD inline Triple<Real> operator+(Triple<Real> v, Triple<Real> w) {
  return {v.x + w.x, v.y + w.y, v.z + w.z};
}
template <class Real>
SCREE_HD inline Triple<Real> operator-(Triple<Real> v, Triple<Real> w) {
  return {v.x - w.x, v.y - w.y, v.z - w.z};
}
template <class Real>
SCREE_HD inline Real dot(Triple<Real> v, Triple<Real> w) {
  return v.x * w.x + v.y * w.y + v.z * w.z;
}

/// By value, unlike std::max: a reference to either argument keeps loops from vectorising.
template <class Real>
SCREE_HD inline Real larger(Real a, Real b) {
  return a > b ? a : b;
}
template <class Real>
SCREE_HD inline Real smaller(Real a, Real b) {
  return a < b ? a : b;
}

/// Keeps quotients finite where a length is 0; far below any physical square of a length or speed.
template <class Real>
inline constexpr Real kTiny = std::numeric_limits<Real>::min();

/// Material-pair parameters.
template <class Real>
struct Parameters {
  Real normal_stiffness = 0;      ///< k_n [N/m]
  Real normal_damping = 0;        ///< c_n [N s/m]
  Real tangential_stiffness = 0;  ///< k_t [N/m]
  Real tangential_damping = 0;    ///< c_t [N s/m]
  Real friction = 0;              ///< mu [-]
};

/// F_n = max(0, k_n d - c_n u_n), and 0 across a gap: the force never pulls.
/// \source Cundall and Strack 1979; clipping as in Schreck et al. 2024
template <class Real>
SCREE_HD inline Real normal_force(const Parameters<Real>& p, Real overlap, Real separation_speed) {
  const Real force = larger(Real(0), p.normal_stiffness * overlap - p.normal_damping * separation_speed);
  return overlap > 0 ? force : Real(0);
}

/// The part of v in the plane across the unit vector n.
template <class Real>
SCREE_HD inline Triple<Real> tangential(Triple<Real> v, Triple<Real> n) {
  return v - dot(v, n) * n;
}

/// A spring stretched in the old tangent plane, turned into the plane across n: projected, its length kept.
/// \return 0 where the spring is parallel to n (to 1e-8 in double); error O(angle turned per step^2) in its direction
/// within the plane
template <class Real>
SCREE_HD inline Triple<Real> turned_into_plane(Triple<Real> spring, Triple<Real> n) {
  const Triple<Real> projected = tangential(spring, n);
  const Real length2 = dot(spring, spring), floor = length2 * std::numeric_limits<Real>::epsilon() + kTiny<Real>;
  return std::sqrt(length2 / larger(dot(projected, projected), floor)) * projected;
}

/// History-free friction of the reference code: F_t = -min(k_t |u_t| dt, mu F_n) u_t/|u_t|. A dashpot whose strength
/// depends on the step; it holds nothing at rest.
/// \source Schreck et al. 2024, published code
template <class Real>
SCREE_HD inline Triple<Real> viscous_friction(const Parameters<Real>& p, Real normal, Triple<Real> slip_speed,
                                              Real dt) {
  const Real speed = std::sqrt(larger(dot(slip_speed, slip_speed), kTiny<Real>));
  return -smaller(p.tangential_stiffness * dt, p.friction * normal / speed) * slip_speed;
}

/// Friction force and the spring that goes with it.
template <class Real>
struct SpringFriction {
  Triple<Real> force;   ///< [N]
  Triple<Real> spring;  ///< [m]
};

/// Cundall-Strack friction: the spring grows by u_t dt; F_t = -(k_t spring + c_t u_t), capped at mu F_n. Where it
/// slides the spring is reset to the cap, k_t |spring| = mu F_n. \param spring  of the last step, already in the
/// tangent plane [m] \source Cundall and Strack, Geotechnique 29 (1979) 47
template <class Real>
SCREE_HD inline SpringFriction<Real> spring_friction(const Parameters<Real>& p, Real normal, Triple<Real> slip_speed,
                                                     Triple<Real> spring, Real dt) {
  const Triple<Real> grown = spring + dt * slip_speed;
  const Triple<Real> trial = p.tangential_stiffness * grown + p.tangential_damping * slip_speed;
  const Real cap = p.friction * normal;
  const Real size = std::sqrt(larger(dot(trial, trial), kTiny<Real>));
  const bool slides = size > cap;
  const Real share = slides ? cap / size : Real(1);
  const Triple<Real> force = share * trial;
  const Real compliance = 1 / larger(p.tangential_stiffness, kTiny<Real>);
  const Triple<Real> reset = compliance * force;
  return {{-force.x, -force.y, -force.z},
          {slides ? reset.x : grown.x, slides ? reset.y : grown.y, slides ? reset.z : grown.z}};
}

/// Elastic energy k_n d^2/2 + k_t |spring|^2/2 [J].
template <class Real>
SCREE_HD inline Real elastic_energy(const Parameters<Real>& p, Real overlap, Triple<Real> spring) {
  const Real depth = larger(Real(0), overlap);
  return (p.normal_stiffness * depth * depth + p.tangential_stiffness * dot(spring, spring)) / 2;
}

/// Duration of a head-on contact [s]: pi / sqrt(k_n/m - (c_n/2m)^2). From critical damping on nothing swings; then pi
/// times the fastest time constant, which is what a time step has to resolve.
template <class Real>
SCREE_HD inline Real contact_duration(const Parameters<Real>& p, Real reduced_mass) {
  const Real omega2 = p.normal_stiffness / reduced_mass, rate = p.normal_damping / (2 * reduced_mass);
  const Real pi = Real(3.14159265358979323846);
  if (rate * rate < omega2) return pi / std::sqrt(omega2 - rate * rate);
  return pi / (rate + std::sqrt(rate * rate - omega2));
}

}  // namespace scree::linear
