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

/// How the two bodies of a contact move there. \param shift  from b to its image [m]
SCREE_HD inline void find_motion(const NarrowArguments& a, std::uint32_t slot, std::uint32_t body_a,
                                 std::uint32_t body_b, const Vector3d& shift) {
  const Bodies& bodies = a.bodies;
  const ContactSlots& s = a.slots;
  scree::PairMotion<Vector3d> body{bodies.v[body_b] - bodies.v[body_a], bodies.w[body_a], bodies.w[body_b], {}};
  body.spin = body.wb - body.wa;
  const Vector3d n = load(s.normal, slot);
  scree::ContactMotion<Vector3d> motion;
  if (a.central) {
    motion = scree::motion_of_central(body, n, s.arm_a[slot], s.arm_b[slot], a.lag);
  } else {
    const Vector3d point = load(s.point, slot);
    const scree::ContactPlace<double, Vector3d> at{
        point - bodies.x[body_a], point - (bodies.x[body_b] + shift), n, s.overlap[slot], bodies.radius[body_a],
        bodies.radius[body_b]};
    if (a.curved) {
      motion = scree::motion_of_any(body, at, s.radius[slot], a.lag);
    } else {
      motion = scree::motion_of_any(body, at, scree::UnknownCurvature{}, a.lag);
      s.radius[slot] = 1 / (1 / bodies.radius[body_a] + 1 / bodies.radius[body_b]);
    }
  }
  // One of negative weight takes back elastic force alone: the law sees it at rest.
  const bool at_rest = is_negative(s, slot);
  const Vector3d none{0, 0, 0};
  store(s.velocity, slot, at_rest ? none : motion.velocity);
  store(s.turn, slot, motion.turn);
  store(s.spin, slot, at_rest ? none : body.spin + a.lag * cross(motion.turn, body.spin));
  s.mass[slot] = 1 / (bodies.inverse_mass[body_a] + bodies.inverse_mass[body_b]);
}

/// A contact that was not there before, or has a negative weight, remembers nothing. \return whether it was there
SCREE_HD inline bool enter(const NarrowArguments& a, std::uint32_t slot) {
  const bool known = a.slots.live[slot];
  if (known && !is_negative(a.slots, slot)) return true;
  a.slots.live[slot] = 1;
  for (int k = 0; k < a.history; ++k) a.slots.history[k][slot] = 0;
  return known;
}

/// A narrow phase, tile by tile. Items has
///
///   kContacts                            the most contacts of an item
///   find(a, item, first_slot)            stores the item's contacts; bit k is set where slot first_slot + k has one
///   move(a, item, slot)                  find_motion() of one of them
template <class Items>
struct NarrowPhase {
  static constexpr int kThreads = Segment::kTile;
  static constexpr int kMost = kThreads * Items::kContacts;
  static constexpr int kLeastBlocks = least_blocks<Items>();
  static_assert(kMost <= 1 << 16);
  struct Shared {
    std::uint32_t count[kThreads / kWarpSize];
    std::uint16_t of_warp[kMost], of_tile[kMost];  ///< contact within the tile: item times kContacts + k
  };
  NarrowArguments a;
  Items items;

  SCREE_HD std::uint32_t blocks(std::uint32_t) const { return a.segment.tiles(); }

  SCREE_HD void operator()(const Block& block, Shared& shared) const {
    block.warps([&](const Warp& warp) { find(block, warp, shared); });
    block.warps([&](const Warp& warp) { list(block, warp, shared); });
    block.warps([&](const Warp& warp) { move(block, warp, shared); });
  }

 private:
  SCREE_HD void find(const Block& block, const Warp& warp, Shared& shared) const {
    Lane<std::uint32_t> place, found;
    Lane<unsigned long long> deepest;
    Lane<bool> touches;
    warp.each([&](int lane) {
      const std::uint32_t local = warp.index * kWarpSize + lane, item = block.index * kThreads + local;
      std::uint32_t bits = 0;
      double overlap = 0;
      touches[lane] = false;
      if (item < a.segment.items) {
        const std::uint32_t slot = a.segment.slot(item);
        bits = items.find(a, item, slot);
        for (std::uint32_t k = 0; k < a.segment.per_item; ++k) {
          if (!(bits >> k & 1)) {
            a.slots.live[slot + k] = 0;
            continue;
          }
          const double d = a.slots.overlap[slot + k];
          touches[lane] = touches[lane] || d > 0;
          overlap = d > overlap ? d : overlap;
        }
      }
      found[lane] = bits;
      deepest[lane] = ordered_bits(overlap);
      place[lane] = 0;
      for (std::uint32_t rest = bits; rest != 0; rest &= rest - 1) ++place[lane];
    });
    const std::uint32_t total = warp.scan(place), touching = warp.ballot(touches);
    const unsigned long long most = warp.largest(deepest);
    warp.each([&](int lane) {
      std::uint32_t to = warp.index * kWarpSize * Items::kContacts + place[lane];
      const std::uint32_t local = warp.index * kWarpSize + lane;
      for (std::uint32_t k = 0; k < Items::kContacts; ++k)
        if (found[lane] >> k & 1) shared.of_warp[to++] = static_cast<std::uint16_t>(local * Items::kContacts + k);
      if (lane != 0) return;
      shared.count[warp.index] = total;
      if (total == 0) return;
      std::uint32_t pairs = 0;
      for (std::uint32_t rest = touching; rest != 0; rest &= rest - 1) ++pairs;
      atomic_add(&a.control->touching, static_cast<unsigned long long>(pairs));
      atomic_max(&a.control->deepest, most);
    });
  }

  /// Without gaps between warps.
  SCREE_HD void list(const Block&, const Warp& warp, Shared& shared) const {
    std::uint32_t before = 0;
    for (std::uint32_t w = 0; w < warp.index; ++w) before += shared.count[w];
    warp.each([&](int lane) {
      for (std::uint32_t i = lane; i < shared.count[warp.index]; i += kWarpSize)
        shared.of_tile[before + i] = shared.of_warp[warp.index * kWarpSize * Items::kContacts + i];
    });
  }

  SCREE_HD void move(const Block& block, const Warp& warp, const Shared& shared) const {
    std::uint32_t total = 0;
    for (int w = 0; w < kThreads / kWarpSize; ++w) total += shared.count[w];
    const std::uint32_t first = block.index * kThreads;
    std::uint32_t* const active = a.segment.active + a.segment.first_slot + first * a.segment.per_item;
    Lane<std::uint32_t> contacts, hits;
    warp.each([&](int lane) {
      contacts[lane] = hits[lane] = 0;
      for (std::uint32_t i = warp.index * kWarpSize + lane; i < total; i += kThreads) {
        const std::uint32_t item = first + shared.of_tile[i] / Items::kContacts;
        const std::uint32_t slot = a.segment.slot(item) + shared.of_tile[i] % Items::kContacts;
        active[i] = slot;
        hits[lane] += enter(a, slot) ? 1 : 0;
        contacts[lane] += a.slots.overlap[slot] > 0 ? 1 : 0;
        items.move(a, item, slot);
      }
    });
    const std::uint32_t all = warp.scan(contacts), known = warp.scan(hits);
    warp.each([&](int lane) {
      if (lane != 0) return;
      if (warp.index == 0) a.segment.active_count[a.segment.first_tile + block.index] = total;
      if (all == 0 && known == 0) return;
      atomic_add(&a.control->contacts, static_cast<unsigned long long>(all));
      atomic_add(&a.control->hits, static_cast<unsigned long long>(known));
    });
  }
};

}  // namespace scree::device
