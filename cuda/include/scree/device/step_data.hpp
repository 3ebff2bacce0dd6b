#pragma once
/// \file What kernels of a step work on, in the device's memory. All positions, velocities and sums are in double
/// precision. SI units, world axes unless a name says otherwise.

#include <cstddef>
#include <cstdint>

#include "scree/device/execution.hpp"
#include "scree/device/vector.hpp"

namespace scree::device {

/// Bodies by rank: their order by id, which never depends on where they are.
struct Bodies {
  std::uint32_t count;
  Vector3d *x, *v, *w;
  Quaterniond* q;  ///< body to world
  const double *mass, *inverse_mass, *radius;
  const Vector3d *moments, *inverse_moments;
  const std::uint32_t* first_site;                   ///< (count + 1) the sites of body i are first_site[i] .. by rank
  Vector3d *force, *torque;                          ///< of the last evaluation
  const Vector3d *external_force, *external_torque;  ///< World::external_wrenches(); null: there are none
};

/// What pairs are listed of: a sphere of a body, or a body as a whole. Sites lie in memory by slot, along a curve
/// through space; their rank is that of body and sphere.
struct Sites {
  std::uint32_t count;
  std::uint32_t *rank, *body, *species;
  std::uint32_t* slot_of_rank;
  double *radius, *scale;  ///< size of the body relative to its shape [-]
  Vector3d* local;         ///< centre in the body's frame; null: all are at their bodies' centres
  double* share;           ///< weight of contacts with walls; null: all have 1
  Vector3d *x, *x0;        ///< centre now; when pairs were listed
};

/// Entries of lists and pairs name a site and one of the 27 images of the cell; image 13 is the site itself.
inline constexpr std::uint32_t kSiteBits = 27, kSiteMask = (1u << kSiteBits) - 1, kOwnImage = 13;
inline constexpr std::uint32_t kMostSites = kSiteMask;
inline constexpr std::uint32_t kNone = ~0u;

/// What a step finds of its contacts, and what laws answer: columns without gaps, by place (Segment::place()), which is
/// another in each step. Where a channel has no use for a column, it is null in what its kernels get.
struct StepContacts {
  double *overlap, *mass, *radius, *arm_a, *arm_b;  ///< arms where contacts are between centres
  double *normal[3], *point[3];                     ///< point: see has_point()
  double *velocity[3], *turn[3], *spin[3], *force[3], *moment[3];
  double *force_weight, *energy_weight;  ///< how much of what the law answers counts; null: all of it
};

/// Whether the point of a contact is stored. Between centres it is where the arm of a ends, but for a negative arm.
SCREE_HD inline bool has_point(bool central, double arm_a) { return !central || arm_a < 0; }

/// The contacts of an item.
struct alignas(8) LiveContacts {
  std::uint32_t bits;   ///< bit k is set where its slot k has one
  std::uint32_t place;  ///< of the first of them, the others follow (next_place()); kNone: not found by a step yet

  SCREE_HD bool operator==(const LiveContacts& other) const { return bits == other.bits && place == other.place; }
};

/// What is remembered of contacts from step to step, by slot, which a contact keeps until pairs are listed anew. The
/// first slots of all items stand together, then all second ones: most items have one contact, and neighbours in memory
/// are then neighbours in space.
struct ContactSlots {
  static constexpr int kMostHistory = 16;
  /// Memory is read and written by sectors: what a slot has fills whole ones, as the slots beside it may have nothing.
  static constexpr std::uint32_t kSector = 4;  ///< numbers of 8 bytes
  double* history;       ///< of each slot `stride` numbers: those of the law, then what the detector keeps
  std::uint32_t stride;  ///< a multiple of kSector
  LiveContacts* live;    ///< at the first slot of an item

  SCREE_HD double* history_of(std::uint32_t slot) const { return history + std::size_t{slot} * stride; }
};

/// Items (pairs, or sites near an obstacle) that one detector and one law work on, in tiles of kTile. Each tile lists
/// its contacts without gaps, so that laws have few idle threads. The first kTile places of all tiles stand together,
/// then all second ones: few tiles have more contacts than items.
struct Segment {
  static constexpr std::uint32_t kTile = kWarpSize;
  std::uint32_t items, per_item;  ///< slots of an item
  std::uint32_t first_slot, first_place;
  std::uint32_t first_tile;
  std::uint32_t stride;         ///< ContactSlots::stride
  std::uint32_t* slot_at;       ///< by place
  std::uint32_t* active_count;  ///< contacts of tile t: active_count[first_tile + t]

  SCREE_HD std::uint32_t tiles() const { return (items + kTile - 1) / kTile; }
  SCREE_HD std::uint32_t slot(std::uint32_t item, std::uint32_t k = 0) const { return first_slot + k * items + item; }
  /// Of contact i of a tile.
  SCREE_HD std::uint32_t place(std::uint32_t tile, std::uint32_t i) const {
    return first_place + (i / kTile * tiles() + tile) * kTile + i % kTile;
  }
  SCREE_HD std::uint32_t places() const { return tiles() * kTile * per_item; }
};

/// Where the contact of a tile stands that follows the one at `place`. \param items  of the segment
SCREE_HD inline std::uint32_t next_place(std::uint32_t place, std::uint32_t items) {
  constexpr std::uint32_t kTile = Segment::kTile;  // first places are multiples of it
  if ((place + 1) % kTile != 0) return place + 1;
  return place + 1 + (items + kTile - 1) / kTile * kTile - kTile;
}

/// The slots of an item: first, first + stride, ...
struct ItemSlots {
  std::uint32_t first, stride;
};

/// Where the slots of pairs are: those of one channel (a detector and a law) stand together.
struct PairSlots {
  std::uint32_t channels;
  const std::uint32_t *first_pair, *first_slot;  ///< (channels + 1) and (channels), by channel
  const std::uint32_t* central;                  ///< (channels) 1 where contacts are between centres

  SCREE_HD std::uint32_t channel_of(std::uint32_t pair) const {
    std::uint32_t c = channels - 1;
    while (c > 0 && pair < first_pair[c]) --c;
    return c;
  }
  SCREE_HD ItemSlots of(std::uint32_t pair, std::uint32_t channel) const {
    const std::uint32_t first = first_pair[channel];
    return {first_slot[channel] + pair - first, first_pair[channel + 1] - first};
  }
  SCREE_HD ItemSlots of(std::uint32_t pair) const { return of(pair, channel_of(pair)); }
};

/// Sites near one obstacle.
struct WallItems {
  const std::uint32_t* item_of;  ///< by rank
  std::uint32_t body, items, first_slot;
};

/// Figures of an evaluation, and what may end a run. Written with integer atomics.
struct Control {
  unsigned long long contacts, touching, hits, deepest;  ///< deepest overlap [m], as ordered bits
  unsigned long long way;      ///< farthest way of a site since pairs were listed [m], as ordered bits
  std::uint32_t fault;         ///< lowest rank of a body that is not where it may be, or kNone
  std::uint32_t coincident;    ///< lowest rank of a body whose contact has no normal, or kNone
  unsigned long long trouble;  ///< lowest trouble_of() of a pair that a detector cannot work out, or kNoTrouble
};

inline constexpr unsigned long long kNoTrouble = ~0ull;

/// Two bodies, by rank, and a code of their detector, below 256.
SCREE_HD inline unsigned long long trouble_of(std::uint32_t a, std::uint32_t b, int code) {
  return (static_cast<unsigned long long>(a) << kSiteBits | b) << 8 | static_cast<unsigned long long>(code);
}

SCREE_HD inline Control empty_control() { return {0, 0, 0, 0, 0, kNone, kNone, kNoTrouble}; }

/// Why the steps of a batch go no further: Batch::halted.
inline constexpr std::uint32_t kGoesOn = 0, kListsAreStale = 1, kFaultFound = 2;

/// Steps that a device makes while the host does not look: how far it has come, and what each step has found.
struct Batch {
  static constexpr std::uint32_t kMostSteps = 64;
  std::uint32_t halted;  ///< kernels do nothing where this is not kGoesOn: see Execution
  std::uint32_t step;    ///< whole steps so far; one that has found a fault is whole
  Control now;           ///< of the step being made
  Control of_step[kMostSteps];
};

}  // namespace scree::device
