#pragma once
/// \file What every narrow phase does with the contacts it has found: list them without gaps, and find how they move.

#include "scree/detect/contact_motion.hpp"
#include "scree/device/execution.hpp"
#include "scree/device/step_data.hpp"

namespace scree::device {

/// A contact as geometry tells it.
struct Contact {
  double overlap;       ///< [m]
  Vector3d normal;      ///< unit, from a to b
  Vector3d point;       ///< [m]
  double radius;        ///< of curvature [m]
  double arm_a, arm_b;  ///< along the normal, of a contact between the centres of two bodies [m]; else -1
  double force_weight = 1, energy_weight = 1;  ///< how much of what the law answers counts
};

/// What narrow phases know besides their items.
struct NarrowArguments {
  Bodies bodies;
  Sites sites;
  Segment segment;
  ContactSlots slots;
  Control* control;
  double margin;    ///< gaps up to this are contacts [m]
  double lag;       ///< [s] see Mechanics::forces()
  int history;      ///< columns that contacts remember
  double* payload;  ///< column of the 64 bits that the detector keeps of each contact, or null
  bool central;     ///< contacts are between the centres of their bodies
  bool curved;      ///< the detector knows the curvature of its contacts
};

SCREE_HD inline void store(double* const (&column)[3], std::uint32_t slot, const Vector3d& v) {
  column[0][slot] = v.x;
  column[1][slot] = v.y;
  column[2][slot] = v.z;
}
SCREE_HD inline Vector3d load(double* const (&column)[3], std::uint32_t slot) {
  return {column[0][slot], column[1][slot], column[2][slot]};
}

SCREE_HD inline void store(const ContactSlots& to, std::uint32_t slot, const Contact& c) {
  to.overlap[slot] = c.overlap;
  to.radius[slot] = c.radius;
  to.arm_a[slot] = c.arm_a;
  to.arm_b[slot] = c.arm_b;
  store(to.normal, slot, c.normal);
  store(to.point, slot, c.point);
  if (!to.force_weight) return;
  to.force_weight[slot] = c.force_weight;
  to.energy_weight[slot] = c.energy_weight;
}

SCREE_HD inline bool is_negative(const ContactSlots& s, std::uint32_t slot) {
  return s.force_weight && s.force_weight[slot] < 0;
}

/// What has been stored of a contact, as far as find_motion() wants to know.
SCREE_HD inline Contact stored_contact(const NarrowArguments& a, std::uint32_t slot) {
  const ContactSlots& s = a.slots;
  Contact c{};
  c.overlap = s.overlap[slot];
  c.normal = load(s.normal, slot);
  if (a.central)
    c.arm_a = s.arm_a[slot], c.arm_b = s.arm_b[slot];
  else
    c.point = load(s.point, slot), c.radius = a.curved ? s.radius[slot] : 0;
  return c;
}

/// Stores how the two bodies of a contact move there. \param shift  from b to its image [m]  \param fresh  the contact
/// is stored too
SCREE_HD inline void find_motion(const NarrowArguments& a, std::uint32_t slot, const Contact& contact,
                                 std::uint32_t body_a, std::uint32_t body_b, const Vector3d& shift, bool fresh) {
  const Bodies& bodies = a.bodies;
  const ContactSlots& s = a.slots;
  scree::PairMotion<Vector3d> body{bodies.v[body_b] - bodies.v[body_a], bodies.w[body_a], bodies.w[body_b], {}};
  body.spin = body.wb - body.wa;
  // All is loaded before anything is stored: a load that stands behind a store waits for it.
  const double mass = 1 / (bodies.inverse_mass[body_a] + bodies.inverse_mass[body_b]);
  const Vector3d n = contact.normal;
  scree::ContactMotion<Vector3d> motion;
  if (a.central) {
    motion = scree::motion_of_central(body, n, contact.arm_a, contact.arm_b, a.lag);
    if (fresh) store(s, slot, contact);
  } else {
    const Vector3d point = contact.point;
    const double radius_a = bodies.radius[body_a], radius_b = bodies.radius[body_b];
    const scree::ContactPlace<double, Vector3d> at{
        point - bodies.x[body_a], point - (bodies.x[body_b] + shift), n, contact.overlap, radius_a, radius_b};
    motion = a.curved ? scree::motion_of_any(body, at, contact.radius, a.lag)
                      : scree::motion_of_any(body, at, scree::UnknownCurvature{}, a.lag);
    if (fresh) store(s, slot, contact);
    if (!a.curved) s.radius[slot] = 1 / (1 / radius_a + 1 / radius_b);
  }
  // One of negative weight takes back elastic force alone: the law sees it at rest.
  const bool at_rest = is_negative(s, slot);
  const Vector3d none{0, 0, 0};
  store(s.velocity, slot, at_rest ? none : motion.velocity);
  store(s.turn, slot, motion.turn);
  store(s.spin, slot, at_rest ? none : body.spin + a.lag * cross(motion.turn, body.spin));
  s.mass[slot] = mass;
}

/// The contacts of an item. Bit k is that of its slot k.
struct ItemContacts {
  std::uint32_t bits = 0;   ///< there are
  std::uint32_t known = 0;  ///< of them, those that were there before, and keep what they remember
};

/// A contact that was not there before, or has a negative weight, remembers nothing.
SCREE_HD inline void enter(const NarrowArguments& a, std::uint32_t slot, bool known) {
  if (known && !is_negative(a.slots, slot)) return;
  for (int k = 0; k < a.history; ++k) a.slots.history[k][slot] = 0;
}

/// What a detector has found: see Control.
struct Tally {
  unsigned long long contacts = 0, touching = 0, hits = 0, deepest = 0;

  SCREE_HD void add(const Tally& other) {
    contacts += other.contacts, touching += other.touching, hits += other.hits;
    deepest = other.deepest > deepest ? other.deepest : deepest;
  }
  /// That of all lanes.
  SCREE_HD static Tally over(const Warp& warp, const Lane<Tally>& tally) {
    Lane<unsigned long long> contacts, touching, hits, deepest;
    warp.each([&](int lane) {
      contacts[lane] = tally[lane].contacts, touching[lane] = tally[lane].touching;
      hits[lane] = tally[lane].hits, deepest[lane] = tally[lane].deepest;
    });
    return {warp.sum(contacts), warp.sum(touching), warp.sum(hits), warp.largest(deepest)};
  }
};

/// A narrow phase, tile by tile. Items has
///
///   kContacts                the most contacts of an item
///   find(a, item)            which contacts the item has; reads `live`
///   move(a, item, k, slot)   stores contact k, where find() has not, and find_motion() of it -> its overlap
///
/// or, where an item has one contact at most,
///
///   work_out(a, item, slot, overlap)   both at once: fewer loads, for some idle threads
template <class Items>
struct NarrowPhase {
  static constexpr int kTile = Segment::kTile, kMost = kTile * Items::kContacts;
  static constexpr int kLeastBlocks = least_blocks<Items>();
  static constexpr std::uint32_t kKnown = 1 << 15;
  static_assert(kMost <= static_cast<int>(kKnown));
  struct Shared {
    std::uint32_t touched;    ///< bit i: item i of the tile
    std::uint16_t of[kMost];  ///< contacts of the tile: item times kContacts + k, and kKnown
  };
  using Tally = device::Tally;
  NarrowArguments a;
  Items items;

  SCREE_HD std::uint32_t tiles() const { return a.segment.tiles(); }

  SCREE_HD void operator()(const Warp& warp, std::uint32_t tile, Shared& shared, Lane<Tally>& tally) const {
    if constexpr (Items::kContacts == 1) {
      work_out(warp, tile, tally);
    } else {
      const std::uint32_t count = list(warp, tile, shared);
      warp.meet();
      move(warp, tile, count, shared, tally);
      warp.meet();
    }
  }
  SCREE_HD void report(const Tally& found) const {
    if (found.hits == 0 && found.contacts == 0) return;
    atomic_add(&a.control->contacts, found.contacts);
    atomic_add(&a.control->touching, found.touching);
    atomic_add(&a.control->hits, found.hits);
    atomic_max(&a.control->deepest, found.deepest);
  }

 private:
  SCREE_HD void work_out(const Warp& warp, std::uint32_t tile, Lane<Tally>& tally) const {
    Lane<std::uint32_t> place;
    Lane<bool> there;
    warp.each([&](int lane) {
      const std::uint32_t item = tile * kTile + lane;
      place[lane] = 0;
      there[lane] = false;
      if (item >= a.segment.items) return;
      const std::uint32_t slot = a.segment.slot(item);
      double overlap = 0;
      const ItemContacts found = items.work_out(a, item, slot, overlap);
      a.slots.live[slot] = found.bits;
      if (found.bits == 0) return;
      there[lane] = true;
      place[lane] = 1;
      const bool known = found.known != 0;
      enter(a, slot, known);
      tally[lane].add({overlap > 0, overlap > 0, known, overlap > 0 ? ordered_bits(overlap) : 0});
    });
    const std::uint32_t count = warp.scan(place);
    warp.each([&](int lane) {
      if (there[lane]) a.segment.active_of(tile)[place[lane]] = a.segment.slot(tile * kTile + lane);
      if (lane == 0) a.segment.active_count[a.segment.first_tile + tile] = count;
    });
  }

  /// The contacts of a tile without gaps. \return their number
  SCREE_HD std::uint32_t list(const Warp& warp, std::uint32_t tile, Shared& shared) const {
    Lane<std::uint32_t> place;
    Lane<ItemContacts> found;
    warp.each([&](int lane) {
      const std::uint32_t item = tile * kTile + lane;
      found[lane] = {};
      if (item < a.segment.items) {
        found[lane] = items.find(a, item);
        a.slots.live[a.segment.slot(item)] = found[lane].bits;
      }
      place[lane] = bits_set(found[lane].bits);
      if (lane == 0) shared.touched = 0;
    });
    const std::uint32_t count = warp.scan(place);
    warp.each([&](int lane) {
      const auto [bits, known] = found[lane];
      std::uint32_t to = place[lane];
      for (std::uint32_t rest = bits, k = 0; rest != 0; rest >>= 1, ++k)
        if (rest & 1)
          shared.of[to++] = static_cast<std::uint16_t>(lane * Items::kContacts + k + (known >> k & 1 ? kKnown : 0));
      if (lane == 0) a.segment.active_count[a.segment.first_tile + tile] = count;
    });
    return count;
  }

  SCREE_HD void move(const Warp& warp, std::uint32_t tile, std::uint32_t count, Shared& shared,
                     Lane<Tally>& tally) const {
    std::uint32_t* const active = a.segment.active_of(tile);
    warp.each([&](int lane) {
      Tally& sum = tally[lane];
      for (std::uint32_t i = lane; i < count; i += kWarpSize) {
        const std::uint32_t contact = shared.of[i] & (kKnown - 1);
        const bool known = shared.of[i] >= kKnown;
        const std::uint32_t local = contact / Items::kContacts, k = contact % Items::kContacts;
        const std::uint32_t item = tile * kTile + local, slot = a.segment.slot(item, k);
        active[i] = slot;
        const double overlap = items.move(a, item, k, slot);
        enter(a, slot, known);
        if (known) ++sum.hits;
        if (!(overlap > 0)) continue;
        ++sum.contacts;
        if (!(atomic_or(&shared.touched, 1u << local) >> local & 1)) ++sum.touching;
        const unsigned long long depth = ordered_bits(overlap);
        sum.deepest = depth > sum.deepest ? depth : sum.deepest;
      }
    });
  }
};

}  // namespace scree::device
