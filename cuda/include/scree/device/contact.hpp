#pragma once
/// \file What every narrow phase does with the contacts it has found: list them without gaps, and find how they move.

#include "scree/detect/contact_motion.hpp"
#include "scree/device/execution.hpp"
#include "scree/device/plane.hpp"
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
  StepContacts contacts;
  ContactSlots slots;
  Control* control;
  double margin;  ///< gaps up to this are contacts [m]
  double lag;     ///< [s] see Mechanics::forces()
  int history;   ///< numbers that the law remembers of a contact; behind them are 64 bits of a detector that keeps some
  bool central;  ///< contacts are between the centres of their bodies
  bool curved;   ///< the detector knows the curvature of its contacts
};

SCREE_HD inline void store(double* const (&column)[3], std::uint32_t at, const Vector3d& v) {
  column[0][at] = v.x;
  column[1][at] = v.y;
  if (column[2]) column[2][at] = v.z;
}
SCREE_HD inline Vector3d load(double* const (&column)[3], std::uint32_t at) {
  return {column[0][at], column[1][at], column[2] ? column[2][at] : 0};
}

SCREE_HD inline void store(const NarrowArguments& a, std::uint32_t place, const Contact& c) {
  const StepContacts& to = a.contacts;
  to.overlap[place] = c.overlap;
  store(to.normal, place, c.normal);
  if (has_point(a.central, c.arm_a)) store(to.point, place, c.point);
  if (to.radius) to.radius[place] = c.radius;
  if (a.central) to.arm_a[place] = c.arm_a, to.arm_b[place] = c.arm_b;
  if (!to.force_weight) return;
  to.force_weight[place] = c.force_weight;
  to.energy_weight[place] = c.energy_weight;
}

SCREE_HD inline bool is_negative(const StepContacts& s, std::uint32_t place) {
  return s.force_weight && s.force_weight[place] < 0;
}

/// What has been stored of a contact that is not between centres, as far as find_motion() wants to know.
SCREE_HD inline Contact stored_contact(const NarrowArguments& a, std::uint32_t place) {
  const StepContacts& s = a.contacts;
  Contact c{};
  c.overlap = s.overlap[place];
  c.normal = load(s.normal, place);
  c.point = load(s.point, place);
  if (a.curved) c.radius = s.radius[place];
  return c;
}

/// How the two bodies of a contact move there, and what else laws ask of them.
template <class Space>
struct MotionAt {
  using Within = decltype(Space::within(Vector3d{}));
  using Across = decltype(Space::across(Vector3d{}));
  Within velocity;
  Across turn, spin;
  double mass;    ///< reduced; 0 where no column asks for it [kg]
  double radius;  ///< of curvature; that of balls of their bounding radii where the detector does not know it [m]

  /// Where they have columns.
  SCREE_HD void store_scalars(const NarrowArguments& a, std::uint32_t place) const {
    if (a.contacts.mass) a.contacts.mass[place] = mass;
    if (a.contacts.radius && !a.central && !a.curved) a.contacts.radius[place] = radius;
  }
};

/// (r x n) I^-1 (r x n) of a body: how much more easily a contact moves along its normal because the body turns [1/kg].
/// \param lever  r x n [m]
template <class Space>
SCREE_HD inline double turning_mobility(const Bodies& bodies, std::uint32_t body, const Vector3d& lever) {
  const Vector3d i = bodies.inverse_moments[body];
  if constexpr (Space::kPlanar) return i.z * lever.z * lever.z;
  const Vector3d local = turned(inverse(bodies.q[body]), lever);
  return i.x * local.x * local.x + i.y * local.y * local.y + i.z * local.z * local.z;
}

/// ContactColumns::mass of a pair that has this contact alone: see contacts/evaluation/pair_masses.hpp. Where it has
/// several, they do not share it here as they do on the host.
template <class Space>
SCREE_HD inline double lone_mass(const NarrowArguments& a, const Contact& contact, std::uint32_t body_a,
                                 std::uint32_t body_b, const Vector3d& shift) {
  const Bodies& bodies = a.bodies;
  const double straight = bodies.inverse_mass[body_a] + bodies.inverse_mass[body_b];
  if (a.central) return 1 / straight;
  const double turning =
      turning_mobility<Space>(bodies, body_a, cross(contact.point - bodies.x[body_a], contact.normal)) +
      turning_mobility<Space>(bodies, body_b, cross(contact.point - (bodies.x[body_b] + shift), contact.normal));
  constexpr double kRounding = 1e-12;  // of normals through the centres
  return 1 / (turning > kRounding * straight ? straight + turning : straight);
}

/// \param shift  from b to its image [m] \tparam Space  InSpace, or InPlane where all bodies are
template <class Space>
SCREE_HD inline MotionAt<Space> motion_of(const NarrowArguments& a, const Contact& contact, std::uint32_t body_a,
                                          std::uint32_t body_b, const Vector3d& shift) {
  const Bodies& bodies = a.bodies;
  using Within = typename MotionAt<Space>::Within;
  using Across = typename MotionAt<Space>::Across;
  const Within dv = Space::within(bodies.v[body_b]) - Space::within(bodies.v[body_a]);
  const Across wa = Space::across(bodies.w[body_a]), wb = Space::across(bodies.w[body_b]), spin = wb - wa;
  const scree::PairMotion<Within, Across> body{dv, wa, wb, spin};
  const double mass = a.contacts.mass ? lone_mass<Space>(a, contact, body_a, body_b, shift) : 0;
  const Within n = Space::within(contact.normal);
  double radius = contact.radius;
  scree::ContactMotion<Within, Across> motion;
  if (a.central) {
    motion = scree::motion_of_central(body, n, contact.arm_a, contact.arm_b, a.lag);
  } else {
    const Within point = Space::within(contact.point);
    const double radius_a = bodies.radius[body_a], radius_b = bodies.radius[body_b];
    const scree::ContactPlace<double, Within> at{point - Space::within(bodies.x[body_a]),
                                                 point - Space::within(bodies.x[body_b] + shift),
                                                 n,
                                                 contact.overlap,
                                                 radius_a,
                                                 radius_b};
    motion = a.curved ? scree::motion_of_any(body, at, contact.radius, a.lag)
                      : scree::motion_of_any(body, at, scree::UnknownCurvature{}, a.lag);
    if (a.contacts.radius && !a.curved) radius = 1 / (1 / radius_a + 1 / radius_b);
  }
  return {motion.velocity, motion.turn, spin + a.lag * cross(motion.turn, spin), mass, radius};
}

/// Stores that, as far as the law asks. \param fresh  the contact is stored too
template <class Space = InSpace>
SCREE_HD inline void find_motion(const NarrowArguments& a, std::uint32_t place, const Contact& contact,
                                 std::uint32_t body_a, std::uint32_t body_b, const Vector3d& shift, bool fresh) {
  const StepContacts& s = a.contacts;
  // All is loaded before anything is stored: a load that stands behind a store waits for it.
  const MotionAt<Space> motion = motion_of<Space>(a, contact, body_a, body_b, shift);
  if (fresh) store(a, place, contact);
  motion.store_scalars(a, place);
  // One of negative weight takes back elastic force alone: the law sees it at rest.
  const bool at_rest = is_negative(s, place);
  const Vector3d none{0, 0, 0};
  store(s.velocity, place, at_rest ? none : spatial(motion.velocity));
  if (s.turn[0]) store(s.turn, place, spatial(motion.turn));
  if (s.spin[0]) store(s.spin, place, at_rest ? none : spatial(motion.spin));
}

/// The contacts of an item. Bit k is that of its slot k.
struct ItemContacts {
  std::uint32_t bits = 0;   ///< there are
  std::uint32_t known = 0;  ///< of them, those that were there before, and keep what they remember
};

/// A contact that was not there before remembers nothing.
SCREE_HD inline void forget(const NarrowArguments& a, std::uint32_t slot) {
  for (int k = 0; k < a.history; ++k) a.slots.history_of(slot)[k] = 0;
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

/// What a step records of the contacts of a tile, whatever has found them.
struct TileRecords {
  static constexpr std::uint32_t kTile = Segment::kTile;
  NarrowArguments a;

  SCREE_HD std::uint32_t item_of(std::uint32_t tile, int lane) const {
    return tile * kTile + static_cast<std::uint32_t>(lane);
  }
  SCREE_HD LiveContacts& live(std::uint32_t item) const { return a.slots.live[a.segment.slot(item)]; }

  /// Each lane has the contacts of its item, as bits. \param first  out: the item's first among those of the tile
  /// \return contacts of the tile
  SCREE_HD std::uint32_t number(const Warp& warp, std::uint32_t tile, const Lane<std::uint32_t>& bits,
                                Lane<std::uint32_t>& first) const {
    warp.each([&](int lane) { first[lane] = bits_set(bits[lane]); });
    const std::uint32_t count = warp.scan(first);
    warp.each([&](int lane) {
      if (lane == 0) a.segment.active_count[a.segment.first_tile + tile] = count;
    });
    return count;
  }
  /// Most items have what they had.
  SCREE_HD void record_item(std::uint32_t tile, std::uint32_t item, std::uint32_t bits, std::uint32_t first,
                            const LiveContacts& before) const {
    const LiveContacts now{bits, bits != 0 ? a.segment.place(tile, first) : kNone};
    if (!(now == before)) live(item) = now;
  }
  /// A contact of negative weight remembers nothing.
  SCREE_HD void record_contact(std::uint32_t place, std::uint32_t slot, bool known) const {
    if (a.history > 0) a.segment.slot_at[place] = slot;
    if (!known || is_negative(a.contacts, place)) forget(a, slot);
  }
  SCREE_HD void report(const Tally& found) const {
    if (found.hits == 0 && found.contacts == 0) return;
    atomic_add(&a.control->contacts, found.contacts);
    atomic_add(&a.control->touching, found.touching);
    atomic_add(&a.control->hits, found.hits);
    atomic_max(&a.control->deepest, found.deepest);
  }
};

/// Adds a contact. \param touched  of the tile: bit i is set where item i has touched already
SCREE_HD inline void tally_contact(Tally& sum, double overlap, bool known, std::uint32_t& touched, std::uint32_t item) {
  if (known) ++sum.hits;
  if (!(overlap > 0)) return;
  ++sum.contacts;
  if (!(atomic_or(&touched, 1u << item) >> item & 1)) ++sum.touching;
  const unsigned long long depth = ordered_bits(overlap);
  sum.deepest = depth > sum.deepest ? depth : sum.deepest;
}

/// A narrow phase, tile by tile. Items has
///
///   kContacts                            the most contacts of an item
///   Found                                what find() hands on; where it has `feature`, store() is called next
///   find(a, item, before, found)         which contacts the item has, where it had `before` (bits) -> ItemContacts
///
/// and then, where an item has one contact at most,
///
///   move(a, found, place)                stores it, and find_motion() of it -> its overlap
///   answer(a, found, place, slot, known) instead: all that, the law's answer too, and what it remembers
///
/// or, shared out among lanes,
///
///   move(a, item, k, place)              of contact k: stores it, where Found has not, and find_motion() -> overlap
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
  TileRecords records;
  Items items;

  SCREE_HD std::uint32_t tiles() const { return records.a.segment.tiles(); }

  SCREE_HD void operator()(const Warp& warp, std::uint32_t tile, Shared& shared, Lane<Tally>& tally) const {
    Lane<OfItem> of;
    const std::uint32_t count = find(warp, tile, of);
    if constexpr (Items::kContacts == 1) {
      move_own(warp, tile, of, tally);
    } else {
      share_out(warp, tile, of, shared);
      warp.meet();
      move(warp, tile, count, shared, tally);
      warp.meet();
    }
  }
  SCREE_HD void report(const Tally& found) const { records.report(found); }

 private:
  /// What a lane knows of its item.
  struct OfItem {
    ItemContacts contacts;
    LiveContacts before;
    std::uint32_t first;  ///< of the item's contacts among those of the tile
    typename Items::Found found;
  };

  /// \return contacts of the tile
  SCREE_HD std::uint32_t find(const Warp& warp, std::uint32_t tile, Lane<OfItem>& of) const {
    const NarrowArguments& a = records.a;
    Lane<std::uint32_t> bits, first;
    warp.each([&](int lane) {
      OfItem& o = of[lane];
      o.contacts = {};
      if (const std::uint32_t item = records.item_of(tile, lane); item < a.segment.items) {
        o.before = records.live(item);
        o.contacts = items.find(a, item, o.before.bits, o.found);
      }
      bits[lane] = o.contacts.bits;
    });
    const std::uint32_t count = records.number(warp, tile, bits, first);
    warp.each([&](int lane) { of[lane].first = first[lane]; });
    return count;
  }
  SCREE_HD void record_item(std::uint32_t tile, int lane, const OfItem& o) const {
    const std::uint32_t item = records.item_of(tile, lane);
    if (item < records.a.segment.items) records.record_item(tile, item, o.contacts.bits, o.first, o.before);
  }

  SCREE_HD void move_own(const Warp& warp, std::uint32_t tile, Lane<OfItem>& of, Lane<Tally>& tally) const {
    const NarrowArguments& a = records.a;
    warp.each([&](int lane) {
      const OfItem& o = of[lane];
      if (o.contacts.bits != 0) {
        const std::uint32_t place = a.segment.place(tile, o.first);
        const std::uint32_t slot = a.segment.slot(records.item_of(tile, lane));
        const bool known = o.contacts.known != 0;
        double overlap;
        if constexpr (requires { items.answer(a, o.found, place, slot, known); }) {
          overlap = items.answer(a, o.found, place, slot, known);
        } else {
          overlap = items.move(a, o.found, place);
          records.record_contact(place, slot, known);
        }
        tally[lane].add({overlap > 0, overlap > 0, known, overlap > 0 ? ordered_bits(overlap) : 0});
      }
      record_item(tile, lane, o);
    });
  }

  /// The contacts of a tile without gaps.
  SCREE_HD void share_out(const Warp& warp, std::uint32_t tile, const Lane<OfItem>& of, Shared& shared) const {
    const NarrowArguments& a = records.a;
    warp.each([&](int lane) {
      const OfItem& o = of[lane];
      const auto [bits, known] = o.contacts;
      if constexpr (requires { o.found.feature; })
        if (bits != 0)
          o.found.store(
              a, [&](std::uint32_t k) { return a.segment.place(tile, o.first + bits_set(bits & ((1u << k) - 1))); });
      std::uint32_t to = o.first;
      for (std::uint32_t rest = bits, k = 0; rest != 0; rest >>= 1, ++k)
        if (rest & 1)
          shared.of[to++] = static_cast<std::uint16_t>(lane * Items::kContacts + k + (known >> k & 1 ? kKnown : 0));
      if (lane == 0) shared.touched = 0;
      record_item(tile, lane, o);
    });
  }

  SCREE_HD void move(const Warp& warp, std::uint32_t tile, std::uint32_t count, Shared& shared,
                     Lane<Tally>& tally) const {
    const NarrowArguments& a = records.a;
    warp.each([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += kWarpSize) {
        const std::uint32_t contact = shared.of[i] & (kKnown - 1);
        const bool known = shared.of[i] >= kKnown;
        const std::uint32_t local = contact / Items::kContacts, k = contact % Items::kContacts;
        const std::uint32_t item = tile * kTile + local, place = a.segment.place(tile, i);
        const double overlap = items.move(a, item, k, place);
        records.record_contact(place, a.segment.slot(item, k), known);
        tally_contact(tally[lane], overlap, known, shared.touched, local);
      }
    });
  }
};

}  // namespace scree::device
