#pragma once
/// \file The formulas bound to the columns of a batch of contacts: one small class per choice the user has, put
/// together by the bodies of evaluate.hpp. Choices are template arguments; nothing branches on an option inside a loop.

#include "columns.hpp"
#include "friction.hpp"
#include "hertz_force.hpp"
#include "jkr_force.hpp"
#include "lennard_jones_force.hpp"
#include "linear_force.hpp"
#include "power_force.hpp"
#include "rolling.hpp"

namespace scree::compliant {

/// Transformation of a vector of the last step into the present frame.
enum class Carry {
  plane,  ///< 2D: into the new tangent plane, which is all that turns
  frame,  ///< 3D: with the contact's frame, twist included, then into the plane
};

/// Carries a vector. \param turn  rotation of the contact's frame; not read in the plane
template <Carry carry, class Index>
SCREE_HD Triple<double> carried(Triple<double> v, Triple<double> n, const In& turn, const Index& i, double dt) {
  if constexpr (carry == Carry::frame) v = rotated(v, dt * turn_of(turn, i));
  return turned_into_plane(v, n);
}

// Those with columns of history take an index of any kind: see in_history().

// --- Along the normal: contact i -> NormalContact; energy(i) [J]
// ------------------------------------------------------

struct LinearNormal {
  double stiffness, damping;

  SCREE_HD NormalContact<double> operator()(std::size_t, double overlap, double speed) const {
    return linear_contact(stiffness, damping, overlap, speed);
  }
  SCREE_HD double energy(std::size_t, double overlap) const { return linear_energy(stiffness, overlap); }
};

/// The dashpot that gives one restitution to all masses, c = 2 z sqrt(k m).
struct LinearRestitution {
  double stiffness, damping_per_root_mass;
  const double* mass;

  template <class Index>
  SCREE_HD NormalContact<double> operator()(const Index& i, double overlap, double speed) const {
    return linear_contact(stiffness, damping_per_root_mass * std::sqrt(mass_of(mass, i)), overlap, speed);
  }
  SCREE_HD double energy(std::size_t, double overlap) const { return linear_energy(stiffness, overlap); }
};

struct PowerNormal {
  double stiffness, exponent, damping;

  SCREE_HD NormalContact<double> operator()(std::size_t, double overlap, double speed) const {
    return power_contact(stiffness, exponent, damping, overlap, speed);
  }
  SCREE_HD double energy(std::size_t, double overlap) const { return power_energy(stiffness, exponent, overlap); }
};

struct LennardJonesNormal {
  LennardJones<double> potential;

  SCREE_HD NormalContact<double> operator()(std::size_t, double overlap, double) const {
    const double force = potential.force(overlap);
    return {force, larger(0.0, force), potential.stiffness(), 0, 0};
  }
  SCREE_HD double energy(std::size_t, double overlap) const { return potential.energy(overlap); }
};

struct HertzNormal {
  double modulus, damping_ratio;
  const double *mass, *radius;

  template <class Index>
  SCREE_HD NormalContact<double> operator()(const Index& i, double overlap, double speed) const {
    return hertz_contact(modulus, damping_ratio, mass_of(mass, i), radius_of(radius, i), overlap, speed);
  }
  SCREE_HD double energy(std::size_t i, double overlap) const { return hertz_energy(modulus, radius[i], overlap); }
};

struct JkrNormal {
  double modulus, adhesion, damping_ratio;
  const double *mass, *radius;
  const double* area_radius;  ///< radius of the contact area in the last step, > 0 where the contact was made

  template <class Index>
  SCREE_HD NormalContact<double> operator()(const Index& i, double overlap, double speed) const {
    return jkr_contact(modulus, adhesion, damping_ratio, mass_of(mass, i), radius_of(radius, i), overlap, speed,
                       area_radius[in_history(i)] > 0);
  }
  SCREE_HD double energy(std::size_t i, double overlap) const {
    return area_radius[i] > 0 ? jkr_energy(modulus, adhesion, radius[i], overlap) : 0.0;
  }
};

/// A pull while touching, constant [N] plus per_radius [N/m] times R: cohesion "constant" and "dmt".
template <class Normal>
struct Pulled {
  Normal normal;
  double constant, per_radius;
  const double* radius;

  template <class Index>
  SCREE_HD double pull(const Index& i) const {
    return constant + per_radius * std::abs(radius_of(radius, i));
  }
  template <class Index>
  SCREE_HD NormalContact<double> operator()(const Index& i, double overlap, double speed) const {
    NormalContact<double> c = normal(i, overlap, speed);
    c.force -= (overlap > 0 ? 1.0 : 0.0) * pull(i);
    return c;
  }
  SCREE_HD double energy(std::size_t i, double overlap) const {
    return normal.energy(i, overlap) - pull(i) * larger(0.0, overlap);
  }
};

// --- Across the normal: contact i -> force on b, history written; energy(i) [J] --------------------------------------

struct NoFriction {
  SCREE_HD Triple<double> operator()(std::size_t, const NormalContact<double>&, Triple<double>, Triple<double>) const {
    return {0, 0, 0};
  }
  SCREE_HD double energy(std::size_t, const NormalContact<double>&) const { return 0; }
};

/// No friction, but the radius of the contact area is kept, which tells JKR that the contact is made.
struct RememberRadius : NoFriction {
  double* area_radius;

  explicit RememberRadius(double* column) : area_radius(column) {}
  template <class Index>
  SCREE_HD Triple<double> operator()(const Index& i, const NormalContact<double>& c, Triple<double>,
                                     Triple<double>) const {
    area_radius[in_history(i)] = c.radius;
    return {0, 0, 0};
  }
};

struct ViscousFriction : NoFriction {
  double stiffness, friction, dt;

  ViscousFriction(double k, double mu, double step) : stiffness(k), friction(mu), dt(step) {}
  SCREE_HD Triple<double> operator()(std::size_t, const NormalContact<double>& c, Triple<double> slip,
                                     Triple<double>) const {
    return viscous_friction(stiffness, friction, c.load, slip, dt);
  }
};

template <Carry carry>
struct SpringFriction {
  static constexpr Carry kCarry = carry;
  double stiffness, damping, friction, dt;
  In last_spring;
  Out spring;
  In turn;

  template <class Index>
  SCREE_HD Triple<double> operator()(const Index& i, const NormalContact<double>& c, Triple<double> slip,
                                     Triple<double> n) const {
    const Triple<double> old = carried<carry>(last_spring[in_history(i)], n, turn, i, dt);
    const Friction<double> t = spring_friction(stiffness, damping, friction * c.load, slip, old, dt);
    spring.store(in_history(i), t.history);
    return t.force;
  }
  SCREE_HD double energy(std::size_t i, const NormalContact<double>&) const {
    return stiffness * dot(spring[i], spring[i]) / 2;
  }
};

template <Carry carry>
struct MindlinFriction {
  static constexpr Carry kCarry = carry;
  double stiffness_ratio;  ///< k_t/k_n = 4 G*/E* [-]
  double damping_ratio;    ///< c_t/c_n [-]
  double friction, dt;
  In last_elastic;
  const double* last_radius;
  Out elastic;
  double* area_radius;
  In turn;

  template <class Index>
  SCREE_HD Triple<double> operator()(const Index& i, const NormalContact<double>& c, Triple<double> slip,
                                     Triple<double> n) const {
    const std::size_t h = in_history(i);
    const Triple<double> old = carried<carry>(last_elastic[h], n, turn, i, dt);
    const Friction<double> t = mindlin_friction(stiffness_ratio * c.stiffness, damping_ratio * c.damping,
                                                friction * c.load, slip, old, c.radius, last_radius[h], dt);
    elastic.store(h, t.history);
    area_radius[h] = c.radius;
    return t.force;
  }
  SCREE_HD double energy(std::size_t i, const NormalContact<double>& c) const {
    return dot(elastic[i], elastic[i]) / larger(2 * stiffness_ratio * c.stiffness, kTiny<double>);
  }
};

// --- Couples against rolling: contact i -> moment on b, history written; energy(i) [J] -------------------------------

struct ConstantRolling {
  double friction, dt;
  const double *mass, *radius;

  SCREE_HD Triple<double> operator()(std::size_t i, const NormalContact<double>& c, Triple<double> spin,
                                     Triple<double>) const {
    const double r = std::abs(radius[i]);
    return constant_rolling(friction * r * c.load, mass[i], r, spin, dt);
  }
  SCREE_HD double energy(std::size_t, const NormalContact<double>&) const { return 0; }
};

template <Carry carry>
struct ElasticPlasticRolling {
  static constexpr Carry kCarry = carry;
  double friction, stiffness_factor, damping_ratio, inertia_factor, dt;
  const double *mass, *radius;
  In last;  ///< elastic couple; z alone in the plane
  Out now;
  In turn;

  SCREE_HD double stiffness(std::size_t i, const NormalContact<double>& c) const {
    const double arm = friction * radius[i];
    return stiffness_factor * c.stiffness * arm * arm;
  }
  template <class Columns>
  SCREE_HD static Triple<double> elastic(const Columns& columns, std::size_t i) {
    if constexpr (carry == Carry::plane) return {0, 0, columns.z[i]};
    return columns[i];
  }
  template <class Index>
  SCREE_HD Triple<double> operator()(const Index& i, const NormalContact<double>& c, Triple<double> spin,
                                     Triple<double> n) const {
    const std::size_t h = in_history(i);
    Triple<double> old = elastic(last, h);
    if constexpr (carry == Carry::frame) old = carried<carry>(old, n, turn, i, dt);
    const double r = std::abs(radius[i]), k = stiffness(i, c);
    const double damping = rolling_damping(damping_ratio, inertia_factor, mass[i], r, k);
    const Rolling<double> m = elastic_plastic_rolling(k, damping, friction * r * c.load, spin, old, dt);
    if constexpr (carry == Carry::frame) now.x[h] = m.history.x, now.y[h] = m.history.y;
    now.z[h] = m.history.z;
    return m.moment;
  }
  SCREE_HD double energy(std::size_t i, const NormalContact<double>& c) const {
    const Triple<double> couple = elastic(now, i);
    return dot(couple, couple) / larger(2 * stiffness(i, c), kTiny<double>);
  }
};

}  // namespace scree::compliant
