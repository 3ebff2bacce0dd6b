#pragma once
/// \file The loops over contacts, for any of the models in models.hpp.

#include "models.hpp"
#include "scree/law/contact_law.hpp"

namespace scree::compliant {

/// Force of all contacts: along the normal, and friction across it.
template <class Normal, class Across>
void add_up_forces(const Normal& normal, const Across& across, const ContactColumns& contacts, Out force) {
  const In normals(contacts.normal), velocities(contacts.velocity);
  for_all(contacts.size, [=, overlap = contacts.overlap](std::size_t i) {
    const Triple<double> n = normals[i], u = velocities[i];
    const NormalContact<double> c = normal(i, overlap[i], dot(n, u));
    force.store(i, c.force * n + across(i, c, tangential(u, n), n));
  });
}

/// Couples of all contacts against rolling.
template <class Normal, class Resistance>
void couples(const Normal& normal, const Resistance& resistance, const ContactColumns& contacts, Out moment) {
  const In normals(contacts.normal), velocities(contacts.velocity), spins(contacts.spin);
  for_all(contacts.size, [=, overlap = contacts.overlap](std::size_t i) {
    const Triple<double> n = normals[i];
    const NormalContact<double> c = normal(i, overlap[i], dot(n, velocities[i]));
    moment.store(i, resistance(i, c, tangential(spins[i], n), n));
  });
}

/// Elastic energy of the normal and of friction's spring.
template <class Normal, class Across>
void energies(const Normal& normal, const Across& across, const ContactColumns& contacts, double* energy) {
  for_all(contacts.size, [=, overlap = contacts.overlap](std::size_t i) {
    energy[i] = normal.energy(i, overlap[i]) + across.energy(i, normal(i, overlap[i], 0));
  });
}

/// Adds the elastic energy of the rolling spring.
template <class Normal, class Resistance>
void add_rolling_energies(const Normal& normal, const Resistance& resistance, const ContactColumns& contacts,
                          double* energy) {
  for_all(contacts.size, [=, overlap = contacts.overlap](std::size_t i) {
    energy[i] += resistance.energy(i, normal(i, overlap[i], 0));
  });
}

}  // namespace scree::compliant
