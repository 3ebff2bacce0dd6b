#pragma once
/// \file Columns over the contacts of one chunk: how the bodies move against each other there, and what the forces do
/// to them. Planar: bodies stay in z = 0 and turn about z.

#include <cmath>
#include <cstdint>
#include <span>
#include <utility>

#include "scree/base/types.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/pair.hpp"
#include "scree/world/body_view.hpp"

namespace scree::detail {

/// The contacts of a chunk with the bodies they belong to.
struct ChunkContacts {
  const BodyView& bodies;
  std::span<const Pair> pairs;
  const ContactBuffer& contacts;

  std::size_t size() const { return contacts.size(); }
  const Pair& pair(std::size_t i) const { return pairs[contacts.pair()[i]]; }
};

/// Three columns of one vector.
struct VectorColumns {
  double* axis[3];
};

/// Velocity of b relative to a at the contact point [m/s], from the rigid motion of both.
template <bool Planar>
inline void relative_velocity(const ChunkContacts& c, const VectorColumns& velocity) {
  const BodyView& bodies = c.bodies;
  for (std::size_t i = 0; i < c.size(); ++i) {
    const auto [a, b] = std::pair(c.pair(i).a, c.pair(i).b);
    const Vec3 &xa = bodies.position[a], &xb = bodies.position[b];
    const Vec3 &va = bodies.velocity[a], &vb = bodies.velocity[b];
    const Vec3 &wa = bodies.angular_velocity[a], &wb = bodies.angular_velocity[b];
    if constexpr (Planar) {
      const double px = c.contacts.point(0)[i], py = c.contacts.point(1)[i];
      velocity.axis[0][i] = (vb[0] - wb[2] * (py - xb[1])) - (va[0] - wa[2] * (py - xa[1]));
      velocity.axis[1][i] = (vb[1] + wb[2] * (px - xb[0])) - (va[1] + wa[2] * (px - xa[0]));
      velocity.axis[2][i] = 0;
    } else {
      const double p[3] = {c.contacts.point(0)[i], c.contacts.point(1)[i], c.contacts.point(2)[i]};
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        velocity.axis[k][i] = (vb[k] + (wb[l] * (p[m] - xb[m]) - wb[m] * (p[l] - xb[l]))) -
                              (va[k] + (wa[l] * (p[m] - xa[m]) - wa[m] * (p[l] - xa[l])));
      }
    }
  }
}

/// Adds the tangential part of what moving surfaces do. \param surface_velocity  by row of the World  \param rows  of
/// the chunk's bodies
inline void add_surface_velocity(const ChunkContacts& c, std::span<const Vec3> surface_velocity,
                                 std::span<const std::uint32_t> rows, const VectorColumns& velocity) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec3 n = c.contacts.normal_at(i);
    const Vec3 belt = surface_velocity[rows[c.pair(i).b]] - surface_velocity[rows[c.pair(i).a]];
    const Vec3 tangential = belt - belt.dot(n) * n;
    for (int k = 0; k < 3; ++k) velocity.axis[k][i] += tangential[k];
  }
}

/// w_b - w_a [rad/s].
inline void relative_spin(const ChunkContacts& c, const VectorColumns& spin) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec3 &wa = c.bodies.angular_velocity[c.pair(i).a], &wb = c.bodies.angular_velocity[c.pair(i).b];
    for (int k = 0; k < 3; ++k) spin.axis[k][i] = wb[k] - wa[k];
  }
}

/// (w_a + w_b)/2 [rad/s].
inline void mean_spin(const ChunkContacts& c, const VectorColumns& turn) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    const Vec3 &wa = c.bodies.angular_velocity[c.pair(i).a], &wb = c.bodies.angular_velocity[c.pair(i).b];
    for (int k = 0; k < 3; ++k) turn.axis[k][i] = (wa[k] + wb[k]) / 2;
  }
}

/// 1/(1/m_a + 1/m_b) [kg]. \param inverse_mass  by local row, that of the owner for a member [1/kg]
inline void reduced_mass(const ChunkContacts& c, const double* inverse_mass, double* mass) {
  for (std::size_t i = 0; i < c.size(); ++i) mass[i] = 1 / (inverse_mass[c.pair(i).a] + inverse_mass[c.pair(i).b]);
}

/// Where the detector knows no curvature: that of the bounding spheres [m]; a wall without bound is flat.
/// \param inverse_radius  by local row, 0 for a wall without bound [1/m]
inline void bounding_curvature(const ChunkContacts& c, const double* inverse_radius, double* radius) {
  for (std::size_t i = 0; i < c.size(); ++i)
    radius[i] = 1 / (inverse_radius[c.pair(i).a] + inverse_radius[c.pair(i).b]);
}

/// Adds each contact's force and the torque it has about either body to the bodies' wrenches, in contact order.
/// \param owner  local row -> local row that takes its wrench, or nullptr
template <bool Planar>
inline void add_forces(const ChunkContacts& c, const VectorColumns& force, const std::uint32_t* owner,
                       Wrench* __restrict wrench) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::uint32_t a = c.pair(i).a, b = c.pair(i).b;
    if (owner) a = owner[a], b = owner[b];
    const Vec3 &xa = c.bodies.position[a], &xb = c.bodies.position[b];
    Wrench &on_a = wrench[a], &on_b = wrench[b];
    if constexpr (Planar) {
      const double px = c.contacts.point(0)[i], py = c.contacts.point(1)[i];
      const double fx = force.axis[0][i], fy = force.axis[1][i];
      on_a.force[0] -= fx;
      on_a.force[1] -= fy;
      on_a.torque[2] -= (px - xa[0]) * fy - (py - xa[1]) * fx;
      on_b.force[0] += fx;
      on_b.force[1] += fy;
      on_b.torque[2] += (px - xb[0]) * fy - (py - xb[1]) * fx;
    } else {
      // By components: vectors of three go through memory in pieces of two and one, and wait for each other there.
      const double p[3] = {c.contacts.point(0)[i], c.contacts.point(1)[i], c.contacts.point(2)[i]};
      const double f[3] = {force.axis[0][i], force.axis[1][i], force.axis[2][i]};
      for (int k = 0; k < 3; ++k) {
        const int l = (k + 1) % 3, m = (k + 2) % 3;
        on_a.force[k] -= f[k];
        on_a.torque[k] -= (p[l] - xa[l]) * f[m] - (p[m] - xa[m]) * f[l];
        on_b.force[k] += f[k];
        on_b.torque[k] += (p[l] - xb[l]) * f[m] - (p[m] - xb[m]) * f[l];
      }
    }
  }
}

/// Adds couples [N m] that act besides the forces.
inline void add_moments(const ChunkContacts& c, const VectorColumns& moment, const std::uint32_t* owner,
                        Wrench* wrench) {
  for (std::size_t i = 0; i < c.size(); ++i) {
    std::uint32_t a = c.pair(i).a, b = c.pair(i).b;
    if (owner) a = owner[a], b = owner[b];
    const Vec3 m(moment.axis[0][i], moment.axis[1][i], moment.axis[2][i]);
    wrench[a].torque -= m;
    wrench[b].torque += m;
  }
}

}  // namespace scree::detail
