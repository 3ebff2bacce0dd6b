#pragma once
/// \file Columns over a block of contacts: relative motion of the bodies, and the wrenches of forces on them. Four or
/// eight contacts at a time; columns are read and written up to the next multiple of eight.

#include <algorithm>
#include <cstdint>
#include <span>

#include "scree/base/lanes.hpp"
#include "scree/base/types.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/detect/contact_buffer.hpp"
#include "scree/detect/contact_motion.hpp"
#include "scree/detect/pair.hpp"
#include "scree/law/contact_law.hpp"
#include "scree/world/body_view.hpp"

namespace scree::detail {

/// Consecutive contacts of a chunk with their bodies, counted from 0. It has plain pointers, and functions take it by
/// value: for the compiler, stored lanes may alias anything except a local copy.
struct ContactBlock {
  /// \param central  true if the contacts have their arms
  /// \param curved   true if the contacts have their radius of curvature
  ContactBlock(const BodyView& bodies, std::span<const Pair> chunk_pairs, const ContactBuffer& buffer,
               std::size_t begin, std::size_t size, bool central, bool curved, std::uint32_t of_channel = 0)
      : channel(of_channel),
        row(bodies.row),
        pairs(chunk_pairs.data()),
        contacts(&buffer),
        first(begin),
        count(size),
        pair_index(buffer.pair() + begin),
        point{buffer.point(0) + begin, buffer.point(1) + begin, buffer.point(2) + begin},
        normal{buffer.normal(0) + begin, buffer.normal(1) + begin, buffer.normal(2) + begin},
        overlap(buffer.overlap() + begin),
        radius(curved ? buffer.radius() + begin : nullptr),
        arm_a(central ? buffer.arm_a() + begin : nullptr),
        arm_b(central ? buffer.arm_b() + begin : nullptr) {}

  std::uint32_t channel;  ///< channel of all contacts
  const BodyRow* row;
  const Pair* pairs;
  const ContactBuffer* contacts;
  std::size_t first, count;
  const std::uint32_t* pair_index;
  const double *point[3], *normal[3];
  const double* overlap;
  const double* radius;         ///< null unless the detector reports it
  const double *arm_a, *arm_b;  ///< null unless the contacts are central

  const Pair& pair(std::size_t i) const { return pairs[pair_index[i]]; }
  Lanes3 points(std::size_t i) const {
    return {load_lanes(point[0] + i), load_lanes(point[1] + i), load_lanes(point[2] + i)};
  }
  Lanes3 normals(std::size_t i) const {
    return {load_lanes(normal[0] + i), load_lanes(normal[1] + i), load_lanes(normal[2] + i)};
  }
};

/// Three columns of one vector.
struct VectorColumns {
  double* axis[3];
};

inline Lanes3 load(const VectorColumns& columns, std::size_t i) {
  return {load_lanes(columns.axis[0] + i), load_lanes(columns.axis[1] + i), load_lanes(columns.axis[2] + i)};
}
inline void store(const VectorColumns& columns, std::size_t i, const Lanes3& v) {
  store_lanes(columns.axis[0] + i, v.x);
  store_lanes(columns.axis[1] + i, v.y);
  store_lanes(columns.axis[2] + i, v.z);
}

/// Bodies on both sides of four contacts. Past the end, the last contact is repeated.
struct FourPairs {
  const BodyRow *a[4], *b[4];

  /// \param owner  local row -> local row of the body to take instead, or nullptr
  FourPairs(const ContactBlock& c, std::size_t i, const std::uint32_t* owner = nullptr) {
    for (std::size_t k = 0; k < 4; ++k) {
      const Pair& p = c.pair(std::min(i + k, c.count - 1));
      a[k] = c.row + (owner ? owner[p.a] : p.a);
      b[k] = c.row + (owner ? owner[p.b] : p.b);
    }
  }
};

/// Returns one group of four numbers of four bodies as columns. \param first  first member of the group
inline LaneBlock columns_of(const BodyRow* const (&body)[4], Vec3 BodyRow::*first) {
  return transposed({{load_lanes(&(body[0]->*first)), load_lanes(&(body[1]->*first)), load_lanes(&(body[2]->*first)),
                      load_lanes(&(body[3]->*first))}});
}
inline Lanes3 vector_of(const LaneBlock& group) { return {group.v[0], group.v[1], group.v[2]}; }

/// Destinations of the columns of relative motion; nullptr = not wanted.
struct MotionColumns {
  VectorColumns velocity;             ///< velocity of b relative to a at the contact point [m/s]
  VectorColumns spin{}, turn{};       ///< spin: w_b - w_a; turn: angular velocity of the contact's frame [rad/s]
  double* mass = nullptr;             ///< 1/(1/m_a + 1/m_b) [kg]
  double* bounding_radius = nullptr;  ///< reduced radius of the bounding spheres [m]; a wall without bound is flat
};

/// Loads eight numbers, or three columns of eight.
inline WideLanes load_wide(const double* from) { return load_as<WideLanes>(from); }
inline WideLanes3 load_wide(const double* const (&axis)[3], std::size_t i) {
  return {load_wide(axis[0] + i), load_wide(axis[1] + i), load_wide(axis[2] + i)};
}
inline void store(const VectorColumns& columns, std::size_t i, const WideLanes3& v) {
  store_lanes(columns.axis[0] + i, v.x);
  store_lanes(columns.axis[1] + i, v.y);
  store_lanes(columns.axis[2] + i, v.z);
}

/// Bodies on both sides of eight contacts. Past the end, the last contact is repeated.
struct EightPairs {
  FourPairs low, high;
  EightPairs(const ContactBlock& c, std::size_t i, const std::uint32_t* owner)
      : low(c, i, owner), high(c, i + 4, owner) {}
};

/// Motion of both bodies of eight contacts.
struct BodyMotions : PairMotion<WideLanes3> {
  WideLanes inverse_mass;  ///< 1/m_a + 1/m_b [1/kg]

  explicit BodyMotions(const EightPairs& bodies) {
    wa = spins(bodies.low.a, bodies.high.a);
    wb = spins(bodies.low.b, bodies.high.b);
    spin = wb - wa;
    const LaneBlock low = differences(bodies.low), high = differences(bodies.high);
    dv = joined(vector_of(low), vector_of(high));
    inverse_mass = joined(low.v[3], high.v[3]);
  }

 private:
  static WideLanes3 spins(const BodyRow* const (&low)[4], const BodyRow* const (&high)[4]) {
    return joined(vector_of(columns_of(low, &BodyRow::angular_velocity)),
                  vector_of(columns_of(high, &BodyRow::angular_velocity)));
  }
  /// Returns v_b - v_a and 1/m_b + 1/m_a.
  static LaneBlock differences(const FourPairs& bodies) {
    constexpr Lanes difference_but_sum_of_last = {-1, -1, -1, 1};
    LaneBlock motion;
    for (int k = 0; k < 4; ++k)
      motion.v[k] =
          load_lanes(&bodies.b[k]->velocity) + load_lanes(&bodies.a[k]->velocity) * difference_but_sum_of_last;
    return transposed(motion);
  }
};

/// Places of eight bodies, and their bounding radii [m].
struct Places {
  WideLanes3 centre;
  WideLanes radius;
  Places(const BodyRow* const (&first)[4], const BodyRow* const (&second)[4]) {
    const LaneBlock low = columns_of(first, &BodyRow::position), high = columns_of(second, &BodyRow::position);
    centre = joined(vector_of(low), vector_of(high));
    radius = joined(low.v[3], high.v[3]);
  }
};

using ContactMotions = ContactMotion<WideLanes3>;

/// Returns motion_of_central() of eight contacts. \param lag  see relative_motion()
inline ContactMotions motions_of_central(const ContactBlock& c, std::size_t i, const BodyMotions& body, WideLanes lag) {
  return motion_of_central<WideLanes>(body, load_wide(c.normal, i), load_wide(c.arm_a + i), load_wide(c.arm_b + i),
                                      lag);
}

/// Returns motion_of_any() of eight contacts.
inline ContactMotions motions_of_any(const ContactBlock& c, std::size_t i, const EightPairs& bodies,
                                     const BodyMotions& body, WideLanes lag) {
  const Places a(bodies.low.a, bodies.high.a), b(bodies.low.b, bodies.high.b);
  const WideLanes3 point = load_wide(c.point, i);
  const ContactPlace<WideLanes, WideLanes3> at{point - a.centre,         point - b.centre, load_wide(c.normal, i),
                                               load_wide(c.overlap + i), a.radius,         b.radius};
  if (c.radius) return motion_of_any<WideLanes>(body, at, load_wide(c.radius + i), lag);
  return motion_of_any<WideLanes>(body, at, UnknownCurvature{}, lag);
}

/// Computes the columns of relative_motion(). \param of  of(i, bodies, body): motion of the contacts from i on
template <class MotionOf>
void relative_motion_of(const ContactBlock& c, const MotionColumns& to, WideLanes lag, const std::uint32_t* owner,
                        const MotionOf& of) {
  const auto radii = [](const FourPairs& pairs, const BodyRow* const(FourPairs::*side)[4]) {
    const auto& b = pairs.*side;
    return Lanes{b[0]->radius, b[1]->radius, b[2]->radius, b[3]->radius};
  };
  for (std::size_t i = 0; i < c.count; i += 8) {
    const EightPairs bodies(c, i, owner);
    const BodyMotions body(bodies);
    const ContactMotions motion = of(i, bodies, body);
    store(to.velocity, i, motion.velocity);
    if (to.mass) store_lanes(to.mass + i, 1 / body.inverse_mass);
    if (to.bounding_radius) {
      const EightPairs touching = owner ? EightPairs(c, i, nullptr) : bodies;
      const WideLanes a = joined(radii(touching.low, &FourPairs::a), radii(touching.high, &FourPairs::a));
      const WideLanes b = joined(radii(touching.low, &FourPairs::b), radii(touching.high, &FourPairs::b));
      store_lanes(to.bounding_radius + i, 1 / (1 / a + 1 / b));
    }
    if (to.spin.axis[0]) store(to.spin, i, body.spin + lag * cross(motion.turn, body.spin));
    if (to.turn.axis[0]) store(to.turn, i, motion.turn);
  }
}

/// Computes relative motion from the rigid motion of both bodies of each contact. Springs grow by velocities within the
/// tangent plane, so both must belong to the same moment. Velocities are computed with the normal and the arms of their
/// own moment, and then turned with the contact's frame. The frame turns with the normal, and about it with the mean
/// spin of both bodies. Errors are of second order in lag.
/// \param lag    [s] time by which velocities lag behind positions
/// \param owner  local row -> local row that takes its wrench, or nullptr; if given, no contact is central
inline void relative_motion(ContactBlock c, MotionColumns to, double lag, const std::uint32_t* owner) {
  const WideLanes since = WideLanes{} + lag;
  if (c.arm_a)
    relative_motion_of(c, to, since, owner, [&](std::size_t i, const EightPairs&, const BodyMotions& body) {
      return motions_of_central(c, i, body, since);
    });
  else
    relative_motion_of(c, to, since, owner, [&](std::size_t i, const EightPairs& bodies, const BodyMotions& body) {
      return motions_of_any(c, i, bodies, body, since);
    });
}

/// Returns the velocity that a moving surface adds at a contact: its tangential part. It drags, and does not push.
inline Vec3 belt_velocity(const Vec3& velocity, const Vec3& normal) { return velocity - velocity.dot(normal) * normal; }

/// Adds the velocities of moving surfaces.
/// \param surface_velocity  by row of the World
/// \param rows  rows of the chunk's bodies
inline void add_surface_velocity(ContactBlock c, std::span<const Vec3> surface_velocity,
                                 std::span<const std::uint32_t> rows, const VectorColumns& velocity) {
  for (std::size_t i = 0; i < c.count; ++i) {
    const Vec3 n = c.contacts->normal_at(c.first + i);
    const Vec3 tangential = belt_velocity(surface_velocity[rows[c.pair(i).b]] - surface_velocity[rows[c.pair(i).a]], n);
    for (int k = 0; k < 3; ++k) velocity.axis[k][i] += tangential[k];
  }
}

/// Adds each contact's force, and its torque about either body, to the bodies' slots, in contact order.
/// \param moment  couples beside the forces [N m]; nullptr columns: none
/// \param owner   local row -> local row that takes its wrench, or nullptr
inline void add_forces(ContactBlock c, VectorColumns force, VectorColumns moment, const std::uint32_t* owner,
                       WrenchSlot* slots) {
  for (std::size_t i = 0; i < c.count; i += 4) {
    const std::size_t count = std::min<std::size_t>(4, c.count - i);
    std::uint32_t to_a[4], to_b[4];
    const BodyRow *body_a[4], *body_b[4];
    for (std::size_t k = 0; k < 4; ++k) {
      const Pair& p = c.pair(std::min(i + k, c.count - 1));
      to_a[k] = owner ? owner[p.a] : p.a;
      to_b[k] = owner ? owner[p.b] : p.b;
      body_a[k] = c.row + to_a[k];
      body_b[k] = c.row + to_b[k];
    }
    const Lanes3 f = load(force, i);
    Lanes3 on_a, on_b;
    if (c.arm_a) {
      const Lanes3 across = cross(c.normals(i), f);
      on_a = load_lanes(c.arm_a + i) * across;
      on_b = -load_lanes(c.arm_b + i) * across;
    } else {
      const Lanes3 point = c.points(i);
      on_a = cross(point - vector_of(columns_of(body_a, &BodyRow::position)), f);
      on_b = cross(point - vector_of(columns_of(body_b, &BodyRow::position)), f);
    }
    if (moment.axis[0]) {
      const Lanes3 m = load(moment, i);
      on_a = on_a + m;
      on_b = on_b + m;
    }
    const Lanes zero = all_lanes(0);
    const LaneBlock forces = transposed({{f.x, f.y, f.z, zero}});
    const LaneBlock torques_a = transposed({{on_a.x, on_a.y, on_a.z, zero}});
    const LaneBlock torques_b = transposed({{on_b.x, on_b.y, on_b.z, zero}});
    const auto add = [&](std::size_t k) {
      WrenchSlot& a = slots[to_a[k]];
      store_lanes(a.force, load_lanes(a.force) - forces.v[k]);
      store_lanes(a.torque, load_lanes(a.torque) - torques_a.v[k]);
      WrenchSlot& b = slots[to_b[k]];
      store_lanes(b.force, load_lanes(b.force) + forces.v[k]);
      store_lanes(b.torque, load_lanes(b.torque) + torques_b.v[k]);
    };
    if (count == 4)
      add(0), add(1), add(2), add(3);
    else
      for (std::size_t k = 0; k < count; ++k) add(k);
  }
}

inline void add_wrench(WrenchSlot& slot, const Vec3& force, const Vec3& torque) {
  for (int k = 0; k < 3; ++k) slot.force[k] += force[k], slot.torque[k] += torque[k];
}

/// Adds the wrenches of members' own contacts, about their own centres, to their slots.
/// \param owner  local row -> local row that takes its wrench
inline void add_own_forces(ContactBlock c, VectorColumns force, VectorColumns moment, const std::uint32_t* owner,
                           WrenchSlot* slots) {
  const auto vector = [](const VectorColumns& v, std::size_t i) {
    return v.axis[0] ? Vec3(v.axis[0][i], v.axis[1][i], v.axis[2][i]) : Vec3(Vec3::Zero());
  };
  const auto add = [&](std::uint32_t row, const Vec3& point, const Vec3& f, const Vec3& m) {
    if (owner[row] != row) add_wrench(slots[row], f, (point - c.row[row].position).cross(f) + m);
  };
  for (std::size_t i = 0; i < c.count; ++i) {
    const Pair& p = c.pair(i);
    const Vec3 f = vector(force, i), m = vector(moment, i), point = c.contacts->point_at(c.first + i);
    add(p.a, point, -f, -m);
    add(p.b, point, f, m);
  }
}

}  // namespace scree::detail
