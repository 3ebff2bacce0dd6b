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
  const std::uint32_t* first_site;  ///< (count + 1) the sites of body i are first_site[i] .. by rank
  Vector3d *force, *torque;         ///< of the last evaluation
};

/// What pairs are listed of: a sphere of a body, or a body as a whole. Sites lie in memory by slot, along a curve
/// through space; their rank is that of body and sphere.
struct Sites {
  std::uint32_t count;
  std::uint32_t *rank, *body, *species;
  std::uint32_t* slot_of_rank;
  double *radius, *scale;    ///< size of the body relative to its shape [-]
  Vector3d *local, *x, *x0;  ///< centre in the body's frame; now; when pairs were listed
};

/// Entries of lists and pairs name a site and one of the 27 images of the cell; image 13 is the site itself.
inline constexpr std::uint32_t kSiteBits = 27, kSiteMask = (1u << kSiteBits) - 1, kOwnImage = 13;
inline constexpr std::uint32_t kMostSites = kSiteMask;
inline constexpr std::uint32_t kNone = ~0u;

/// The columns that laws read and write, and what contacts remember. A contact is a place in these columns, its slot,
/// which its pair keeps until pairs are listed anew. The first slots of all items stand together, then all second ones:
/// most items have one contact, and neighbours in memory are then neighbours in space.
struct ContactSlots {
  static constexpr int kMostHistory = 16;
  double *overlap, *mass, *radius, *arm_a, *arm_b;  ///< arms of contacts between centres; else < 0
  double *normal[3], *point[3], *velocity[3], *turn[3], *spin[3], *force[3], *moment[3];
  double *force_weight, *energy_weight;  ///< how much of what the law answers counts; null: all of it
  double* history[kMostHistory];
  std::uint32_t* live;  ///< at the first slot of an item: bit k is set where its slot k has a contact
};

/// Items (pairs, or sites near an obstacle) that one detector and one law work on, in tiles of kTile. The slots of
/// their contacts are listed tile by tile, so that laws have few idle threads.
struct Segment {
  static constexpr std::uint32_t kTile = kWarpSize;
  std::uint32_t items, per_item;  ///< slots of an item
  std::uint32_t first_slot;
  std::uint32_t first_tile;
  std::uint32_t* active;        ///< see active_of()
  std::uint32_t* active_count;  ///< of tile t: active_count[first_tile + t]

  /// The slots of a tile's contacts.
  SCREE_HD std::uint32_t* active_of(std::uint32_t tile) const { return active + first_slot + tile * kTile * per_item; }
  SCREE_HD std::uint32_t tiles() const { return (items + kTile - 1) / kTile; }
  SCREE_HD std::uint32_t slot(std::uint32_t item, std::uint32_t k = 0) const { return first_slot + k * items + item; }
};

/// The slots of an item: first, first + stride, ...
struct ItemSlots {
  std::uint32_t first, stride;
};

/// Where the slots of pairs are: those of one channel (a detector and a law) stand together.
struct PairSlots {
  std::uint32_t channels;
  const std::uint32_t *first_pair, *first_slot;  ///< (channels + 1) and (channels), by channel

  SCREE_HD ItemSlots of(std::uint32_t pair) const {
    std::uint32_t c = channels - 1;
    while (c > 0 && pair < first_pair[c]) --c;
    return {first_slot[c] + pair - first_pair[c], first_pair[c + 1] - first_pair[c]};
  }
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
