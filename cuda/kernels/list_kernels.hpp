#pragma once
/// \file The bodies of kernels that list pairs. Nothing here depends on the order of sites in memory, or of threads:
/// rows are sorted by the rank of the partner, and pairs are numbered row by row.

#include "kernels/cells.hpp"
#include "scree/device/execution.hpp"
#include "scree/device/step_data.hpp"

namespace scree::device {

/// A site as its body defines it, by rank.
struct SiteDefinition {
  std::uint32_t body, species;
  double radius;     ///< [m]
  Vector3d local;    ///< in the body's frame [m]
  double scale = 1;  ///< size of the body relative to its shape [-]
  double share = 1;  ///< weight of its contacts with walls: corner_shares()
};

SCREE_HD inline Vector3d site_place(const SiteDefinition& site, const Vector3d* x, const Quaterniond* q) {
  const Vector3d& l = site.local;
  if (l.x == 0 && l.y == 0 && l.z == 0) return x[site.body];
  return x[site.body] + turned(q[site.body], l);
}

/// Keys of all sites, by rank.
struct FindKeys {
  static constexpr const char* kName = "find-keys";
  const SiteDefinition* site;
  const Vector3d* x;
  const Quaterniond* q;
  double per_edge;  ///< of a cell [1/m]
  std::uint64_t* key;
  std::uint32_t* rank;
  SCREE_HD void operator()(std::uint32_t i) const {
    key[i] = key_of(cell_of(site_place(site[i], x, q), per_edge));
    rank[i] = i;
  }
};

/// Sites into the order of their keys.
struct ArrangeSites {
  static constexpr const char* kName = "arrange-sites";
  const SiteDefinition* site;
  const std::uint32_t* rank;  ///< by slot
  const Vector3d* x;
  const Quaterniond* q;
  Sites to;
  SCREE_HD void operator()(std::uint32_t slot) const {
    const SiteDefinition& s = site[rank[slot]];
    to.rank[slot] = rank[slot];
    to.slot_of_rank[rank[slot]] = slot;
    to.body[slot] = s.body;
    to.species[slot] = s.species;
    to.radius[slot] = s.radius;
    to.scale[slot] = s.scale;
    if (to.local) to.local[slot] = s.local;
    if (to.share) to.share[slot] = s.share;
    to.x[slot] = to.x0[slot] = site_place(s, x, q);
  }
};

/// What pairs are listed from.
struct Listing {
  Sites sites;
  const std::uint64_t* key;  ///< by slot
  const double* inverse_mass;
  const std::int32_t* channel;  ///< by species, of two: number, or < 0
  std::uint32_t species;
  double beyond;    ///< sites lie at most so far outside of the cell, a cell's edge included [m]
  double per_edge;  ///< [1/m]
  double reach;     ///< two sites are listed up to this gap [m]
  std::uint32_t image_count;
  const std::uint32_t* image;  ///< those that there are, kOwnImage first
  const Vector3d* shift;       ///< (27) [m]
  Vector3d low, high;          ///< of the cell; infinite where it does not repeat [m]

  SCREE_HD std::int32_t channel_of(std::uint32_t a, std::uint32_t b) const {
    return channel[sites.species[a] * species + sites.species[b]];
  }
};

SCREE_HD inline bool within(double x, double low, double high, double beyond) {
  return x >= low - beyond && x <= high + beyond;
}

/// Calls f(partner, image) for all that are listed with a site.
template <class F>
SCREE_HD inline void for_partners(const Listing& l, std::uint32_t slot, const F& f) {
  const Vector3d x = l.sites.x0[slot];
  const double radius = l.sites.radius[slot];
  const std::uint32_t body = l.sites.body[slot];
  const bool moves = l.inverse_mass[body] > 0;
  for (std::uint32_t m = 0; m < l.image_count; ++m) {
    const std::uint32_t image = l.image[m];
    const Vector3d from = x - l.shift[image];
    if (image != kOwnImage &&
        !(within(from.x, l.low.x, l.high.x, l.beyond) && within(from.y, l.low.y, l.high.y, l.beyond) &&
          within(from.z, l.low.z, l.high.z, l.beyond)))
      continue;
    const Cell home = cell_of(from, l.per_edge);
    for (std::int32_t z = home.z - 1; z <= home.z + 1; ++z)
      for (std::int32_t y = home.y - 1; y <= home.y + 1; ++y)
        for (std::int32_t cx = home.x - 1; cx <= home.x + 1; ++cx) {
          if (cx < 0 || y < 0 || z < 0 || cx >= kMostCells || y >= kMostCells || z >= kMostCells) continue;
          const std::uint64_t key = key_of({cx, y, z});
          for (std::uint32_t t = lower_bound(l.key, 0, l.sites.count, key); t < l.sites.count && l.key[t] == key; ++t) {
            const std::uint32_t other = l.sites.body[t];
            if (other == body || !(moves || l.inverse_mass[other] > 0) || l.channel_of(slot, t) < 0) continue;
            const Vector3d d = l.sites.x0[t] - from;
            const double reach = radius + l.sites.radius[t] + l.reach;
            if (dot(d, d) <= reach * reach) f(t, image);
          }
        }
  }
}

struct CountEntries {
  static constexpr const char* kName = "count-entries";
  Listing l;
  std::uint32_t* count;
  SCREE_HD void operator()(std::uint32_t slot) const {
    std::uint32_t n = 0;
    for_partners(l, slot, [&](std::uint32_t, std::uint32_t) { ++n; });
    count[slot] = n;
  }
};

/// Rows of all sites: an entry is a partner with its image, by the partner's rank, then the image.
struct Rows {
  std::uint32_t* first;  ///< (sites + 1) by slot
  std::uint32_t* entry;  ///< partner's slot | image << kSiteBits
  std::uint32_t* rank;   ///< of the partner
  std::uint32_t* ref;    ///< pair << 1 | (1 where this site is b)
};

SCREE_HD inline bool before(std::uint32_t rank, std::uint32_t entry, std::uint32_t other_rank, std::uint32_t other) {
  return rank != other_rank ? rank < other_rank : entry >> kSiteBits < other >> kSiteBits;
}

struct FillEntries {
  static constexpr const char* kName = "fill-entries";
  Listing l;
  Rows rows;
  SCREE_HD void operator()(std::uint32_t slot) const {
    const std::uint32_t first = rows.first[slot];
    std::uint32_t end = first;
    for_partners(l, slot, [&](std::uint32_t partner, std::uint32_t image) {
      const std::uint32_t rank = l.sites.rank[partner], entry = partner | image << kSiteBits;
      std::uint32_t place = end++;
      for (; place > first && before(rank, entry, rows.rank[place - 1], rows.entry[place - 1]); --place) {
        rows.rank[place] = rows.rank[place - 1];
        rows.entry[place] = rows.entry[place - 1];
      }
      rows.rank[place] = rank;
      rows.entry[place] = entry;
    });
  }
};

/// The place of a partner in a row, or kNone.
SCREE_HD inline std::uint32_t find_entry(const Rows& rows, std::uint32_t slot, std::uint32_t rank,
                                         std::uint32_t image) {
  const std::uint32_t end = rows.first[slot + 1];
  for (std::uint32_t e = lower_bound(rows.rank, rows.first[slot], end, rank); e < end && rows.rank[e] == rank; ++e)
    if (rows.entry[e] >> kSiteBits == image) return e;
  return kNone;
}

/// A pair belongs to the row of the lower rank.
struct CountPairs {
  static constexpr const char* kName = "count-pairs";
  Listing l;
  Rows rows;
  std::uint32_t channels;
  std::uint32_t* count;  ///< of channel c and slot s: count[c sites + s]
  SCREE_HD void operator()(std::uint32_t slot) const {
    for (std::uint32_t c = 0; c < channels; ++c) {
      std::uint32_t n = 0;
      for (std::uint32_t e = rows.first[slot]; e < rows.first[slot + 1]; ++e)
        if (rows.rank[e] > l.sites.rank[slot] &&
            l.channel_of(slot, rows.entry[e] & kSiteMask) == static_cast<std::int32_t>(c))
          ++n;
      count[c * l.sites.count + slot] = n;
    }
  }
};

struct NumberPairs {
  static constexpr const char* kName = "number-pairs";
  Listing l;
  Rows rows;
  std::uint32_t channels;
  const std::uint32_t* first_pair;  ///< of channel c and slot s
  std::uint32_t *a, *b;             ///< of each pair: slot of a; of b, with its image
  SCREE_HD void operator()(std::uint32_t slot) const {
    for (std::uint32_t c = 0; c < channels; ++c) {
      std::uint32_t p = first_pair[c * l.sites.count + slot];
      for (std::uint32_t e = rows.first[slot]; e < rows.first[slot + 1]; ++e) {
        if (!(rows.rank[e] > l.sites.rank[slot]) ||
            l.channel_of(slot, rows.entry[e] & kSiteMask) != static_cast<std::int32_t>(c))
          continue;
        a[p] = slot;
        b[p] = rows.entry[e];
        rows.ref[e] = p++ << 1;
      }
    }
  }
};

/// The other row of each pair.
struct NumberPartners {
  static constexpr const char* kName = "number-partners";
  Sites sites;
  Rows rows;
  SCREE_HD void operator()(std::uint32_t slot) const {
    const std::uint32_t rank = sites.rank[slot];
    for (std::uint32_t e = rows.first[slot]; e < rows.first[slot + 1]; ++e) {
      if (rows.rank[e] > rank) continue;
      const std::uint32_t partner = rows.entry[e] & kSiteMask, image = rows.entry[e] >> kSiteBits;
      const std::uint32_t of_owner = find_entry(rows, partner, rank, 26 - image);
      rows.ref[e] = of_owner == kNone ? kNone : rows.ref[of_owner] | 1;
    }
  }
};

/// Puts free bodies that have left the periodic cell back into it.
struct WrapBodies {
  static constexpr const char* kName = "wrap-bodies";
  Bodies bodies;
  Vector3d low, length;   ///< of the cell; length 0 where it does not repeat [m]
  Vector3d* crossings;    ///< cells that each body has gone up, so far
  std::uint8_t* wrapped;  ///< by how many cells it was moved, -1, 0 or 1, plus 1, in two bits for each axis

  SCREE_HD static int wrap(double& x, double from, double size, double& crossed) {
    if (!(size > 0)) return 0;
    const int image = static_cast<int>(std::floor((x - from) / size));
    x -= size * image;
    crossed += image;
    return -image;
  }
  SCREE_HD void operator()(std::uint32_t i) const {
    wrapped[i] = 1 | 1 << 2 | 1 << 4;
    if (!(bodies.inverse_mass[i] > 0)) return;
    Vector3d &x = bodies.x[i], &n = crossings[i];
    const int moved[3] = {wrap(x.x, low.x, length.x, n.x), wrap(x.y, low.y, length.y, n.y),
                          wrap(x.z, low.z, length.z, n.z)};
    for (int k = 0; k < 3; ++k) wrapped[i] = static_cast<std::uint8_t>(wrapped[i] + moved[k] * (1 << 2 * k));
  }
};

/// What contacts remember goes from old lists to new ones. \param old  slots of the item before, or null
SCREE_HD inline void inherit(const ContactSlots& from, const ItemSlots* old, const ContactSlots& to,
                             const ItemSlots& now, int history) {
  const std::uint32_t live = old ? from.live[old->first].bits : 0;
  to.live[now.first] = {live, kNone};
  for (std::uint32_t rest = live, k = 0; rest != 0; rest >>= 1, ++k)
    for (int h = 0; h < history && (rest & 1); ++h)
      to.history_of(now.first + k * now.stride)[h] = from.history_of(old->first + k * old->stride)[h];
}

/// Of pairs: found by the ranks of both sites and the image.
struct InheritPairs {
  static constexpr const char* kName = "inherit-pairs";
  Sites sites;
  const std::uint32_t *a, *b;
  ContactSlots to;
  PairSlots slots;
  Rows old_rows;
  PairSlots old_slots;
  const std::uint32_t* old_slot_of_rank;
  ContactSlots from;
  int history;
  /// (bodies) or null: see WrapBodies
  const std::uint8_t* wrapped;

  SCREE_HD std::uint32_t old_image(std::uint32_t image, std::uint32_t body_a, std::uint32_t body_b) const {
    if (!wrapped) return image;
    std::uint32_t old = 0, place = 1;
    for (int k = 0; k < 3; ++k, place *= 3) {
      const int now = static_cast<int>(image / place % 3) - 1;
      const int of_a = (wrapped[body_a] >> 2 * k & 3) - 1, of_b = (wrapped[body_b] >> 2 * k & 3) - 1;
      const int then = now - of_a + of_b;
      if (then < -1 || then > 1) return kNone;
      old += static_cast<std::uint32_t>(then + 1) * place;
    }
    return old;
  }
  SCREE_HD void operator()(std::uint32_t p) const {
    const std::uint32_t site_a = a[p], site_b = b[p] & kSiteMask;
    const std::uint32_t image = old_image(b[p] >> kSiteBits, sites.body[site_a], sites.body[site_b]);
    std::uint32_t e = kNone;
    if (image != kNone) e = find_entry(old_rows, old_slot_of_rank[sites.rank[site_a]], sites.rank[site_b], image);
    const ItemSlots old = e != kNone ? old_slots.of(old_rows.ref[e] >> 1) : ItemSlots{};
    inherit(from, e != kNone ? &old : nullptr, to, slots.of(p), history);
  }
};

/// Sites near an obstacle, as items in the order of slots.
struct FillItems {
  static constexpr const char* kName = "fill-items";
  Sites sites;
  const std::uint32_t *near, *place;  ///< by slot
  std::uint32_t* site;                ///< of each item
  std::uint32_t* item_of;             ///< by rank: item, or kNone
  SCREE_HD void operator()(std::uint32_t slot) const {
    item_of[sites.rank[slot]] = near[slot] ? place[slot] : kNone;
    if (near[slot]) site[place[slot]] = slot;
  }
};

struct InheritItems {
  static constexpr const char* kName = "inherit-items";
  Sites sites;
  const std::uint32_t* site;
  const std::uint32_t* old_item_of;  ///< by rank
  ItemSlots slots, old_slots;        ///< of item 0
  ContactSlots from, to;
  int history;
  SCREE_HD void operator()(std::uint32_t item) const {
    const std::uint32_t old = old_item_of[sites.rank[site[item]]];
    const ItemSlots before{old_slots.first + old, old_slots.stride};
    inherit(from, old == kNone ? nullptr : &before, to, {slots.first + item, slots.stride}, history);
  }
};

}  // namespace scree::device
