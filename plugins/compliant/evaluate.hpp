#pragma once
/// \file Evaluation of each contact, for any of the models in models.hpp: bodies of loops, on the host and on devices.

#include "models.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::compliant {

/// Input of all bodies of loops.
struct ContactsRead {
  In normals, velocities, spins;
  const double* overlap;
  double per_step;  ///< 1/dt [1/s]
  explicit ContactsRead(const ContactColumns& c)
      : normals(c.normal),
        velocities(c.velocity),
        spins(c.spin),
        overlap(c.overlap),
        per_step(1 / larger(c.dt, kTiny<double>)) {}

  /// The normal velocity that dashpots feel: in the step in which a contact begins, bodies were apart at first, and no
  /// dashpot acted then. So they feel no more closing speed than overlap/dt.
  SCREE_HD double damped_speed(double overlap_now, double separation_speed) const {
    return overlap_now > 0 ? larger(separation_speed, -per_step * overlap_now) : separation_speed;
  }
};

/// Devices compile what carries vectors along in the plane, or in space, for that alone.
template <class Model>
struct OfPlane {};
template <class Model>
requires requires { Model::kCarry; }
struct OfPlane<Model> {
  static constexpr bool kFlat = Model::kCarry == Carry::plane;
};

/// Force: along the normal, and friction across it.
template <class Normal, class Across>
struct ForceOfContact : ContactsRead, OfPlane<Across> {
  Normal normal;
  Across across;
  Out force;

  template <class Index>
  SCREE_HD void operator()(const Index& i) const {
    const Triple<double> n = normal_of(normals, i), u = velocity_of(velocities, i);
    const double d = overlap_of(overlap, i);
    const NormalContact<double> c = normal(i, d, damped_speed(d, dot(n, u)));
    store_in_plane(force, i, c.force * n + across(i, c, tangential(u, n), n));
  }
};
template <class Normal, class Across>
ForceOfContact<Normal, Across> force_of_contact(const Normal& normal, const Across& across, const ContactColumns& c,
                                                Out force) {
  return {ContactsRead(c), {}, normal, across, force};
}

/// Couple against rolling.
template <class Normal, class Resistance>
struct CoupleOfContact : ContactsRead, OfPlane<Resistance> {
  Normal normal;
  Resistance resistance;
  Out moment;

  template <class Index>
  SCREE_HD void operator()(const Index& i) const {
    const Triple<double> n = in_plane(normals, i);
    const NormalContact<double> c = normal(i, overlap[i], damped_speed(overlap[i], dot(n, in_plane(velocities, i))));
    moment.store(i, resistance(i, c, tangential(spins[i], n), n));
  }
};
template <class Normal, class Resistance>
CoupleOfContact<Normal, Resistance> couple_of_contact(const Normal& normal, const Resistance& resistance,
                                                      const ContactColumns& c, Out moment) {
  return {ContactsRead(c), {}, normal, resistance, moment};
}

/// Elastic energy of the normal and of friction's spring.
template <class Normal, class Across>
struct EnergyOfContact {
  Normal normal;
  Across across;
  const double* overlap;
  double* energy;

  SCREE_HD void operator()(std::size_t i) const {
    energy[i] = normal.energy(i, overlap[i]) + across.energy(i, normal(i, overlap[i], 0));
  }
};
template <class Normal, class Across>
EnergyOfContact<Normal, Across> energy_of_contact(const Normal& normal, const Across& across, const ContactColumns& c,
                                                  double* energy) {
  return {normal, across, c.overlap, energy};
}

/// Adds the elastic energy of the rolling spring.
template <class Normal, class Resistance>
struct RollingEnergyOfContact {
  Normal normal;
  Resistance resistance;
  const double* overlap;
  double* energy;

  SCREE_HD void operator()(std::size_t i) const { energy[i] += resistance.energy(i, normal(i, overlap[i], 0)); }
};
template <class Normal, class Resistance>
RollingEnergyOfContact<Normal, Resistance> rolling_energy_of_contact(const Normal& normal, const Resistance& resistance,
                                                                     const ContactColumns& c, double* energy) {
  return {normal, resistance, c.overlap, energy};
}

/// The loop of the host: several contacts at a time. The body must be a function: GCC 12 keeps class-type locals of a
/// simd loop's own body in memory, and then does not vectorise it. Flatten: a call that is left is not vectorised
/// either.
struct HostLoop {
  template <class Body>
  [[gnu::flatten]] void operator()(const ContactColumns& contacts, const Body& body) const {
#pragma omp simd
    for (std::size_t i = 0; i < contacts.size; ++i) body(i);
  }
};

}  // namespace scree::compliant
