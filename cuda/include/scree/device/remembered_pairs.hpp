#pragma once
/// \file The narrow phase of pairs of bodies whose detector remembers which contacts a pair has, and where each of them
/// may be. Most pairs are then not worked out anew, and those that are have no idle threads beside them. Contacts are
/// shared out among lanes, and likewise the nodes that each may be made of.

#include <cstdint>

#include "scree/device/shape_pairs.hpp"

namespace scree::device {

/// Geometry has
///
///   kContacts, match()                as for ShapePairs
///   Space                             InSpace, or InPlane where all its bodies are
///   Memory                            plain data, zero at first; `in_slot`: keys, by slot of the pair
///   Meeting(a, b, margin, tables)     a pair as it stands: plain data
///     holds(memory)                   whether what was found is what there is
///     begin(memory, trouble)          where to look -> Search: plain data for all lanes
///     finish(memory, found)           fills FoundPayloads<kContacts>; the memory is complete but for `in_slot`
///   search(warp, search, margin, tables, memory)   by all lanes, between the two -> whether there is room
///   key(memory, i)                    what it calls contact i of those found: below 256
///   forget(memory)                    holds() no more
///
/// and to tell which of its nodes a contact is made of, where nodes are compared in single precision by any lane:
///
///   Meeting::sight()                  how the nodes of a pair see the other body -> Sight, plain data
///   nodes(margin, memory, key)        how many are to be compared
///   Meeting::for_nodes(memory, key, f) f(node) for each: numbers below 2^27
///   depth(sight, tables, node)        -> float
///   Choice                            what is known so far: plain data
///   add(sight, node, depth, choice)   in the order of for_nodes()
///   Meeting::contact(memory, key, choice, trouble) -> Contact
template <class Geometry>
struct RememberedPairs {
  static constexpr int kContacts = Geometry::kContacts;
  static_assert(kContacts <= 32);
  PlacedPairs pairs;
  Geometry geometry;
  typename Geometry::Memory* memory;

  using Meeting = typename Geometry::Meeting;
  SCREE_HD Meeting meeting(const NarrowArguments& n, std::uint32_t item) const {
    return Meeting(pairs.shape_a(n, item), pairs.shape_b(n, item), n.margin, pairs.tables);
  }
  /// Whether the pair must be worked out anew.
  SCREE_HD bool forgotten(const NarrowArguments& n, std::uint32_t item) const {
    const PlacedShape at_a = pairs.shape_a(n, item), at_b = pairs.shape_b(n, item);
    if (!pairs.apart(n, item, at_a, at_b)) return !Meeting(at_a, at_b, n.margin, pairs.tables).holds(memory[item]);
    std::uint32_t& live = n.slots.live[n.segment.slot(item)].bits;
    if (live != 0) {
      geometry.forget(memory[item]);
      live = 0;
    }
    return false;
  }
  /// \param trouble  so far
  SCREE_HD void finish(const NarrowArguments& n, std::uint32_t item, int trouble) const {
    FoundPayloads<kContacts> found;
    if (!trouble) meeting(n, item).finish(memory[item], found);
    if (trouble) found.trouble = trouble;
    if (found.trouble) geometry.forget(memory[item]);
    std::uint32_t& live = n.slots.live[n.segment.slot(item)].bits;
    ItemContacts contacts;
    if (!found.trouble && found.count > 0) {
      std::uint32_t feature[kContacts];
      contacts = keep(n, item, live, found, geometry, feature);
      for (int i = 0; i < found.count && contacts.bits != 0; ++i)
        memory[item].in_slot[feature[i]] = static_cast<std::uint8_t>(geometry.key(memory[item], i));
    }
    if (found.trouble) pairs.report(n, item, found.trouble);
    live = contacts.bits;
    std::uint32_t begun = 0;
    for (std::uint32_t k = 0, rest = contacts.bits & ~contacts.known; rest != 0; ++k, rest >>= 1) {
      if (!(rest & 1)) continue;
      device::forget(n, n.segment.slot(item, k));
      ++begun;
    }
    // The narrow phase takes all for known.
    if (begun > 0) atomic_add(&n.control->hits, 0ull - begun);
  }
};

/// Pairs that are to be worked out anew, and groups of tiles with such pairs, in any order.
struct Forgotten {
  std::uint32_t *pairs, *groups;  ///< how many
  std::uint32_t *pair, *group;
};

struct NoneForgotten {
  Forgotten list;
  SCREE_HD void operator()(std::uint32_t) const { *list.pairs = *list.groups = 0; }
};

/// A warp takes some pairs, up to as many as it has lanes: what is done once for each, lanes do for one pair each, and
/// what is done for each node, all lanes do for one pair after the other. Few pairs are shared out among all warps.
template <class Geometry>
struct WorkOutForgotten {
  struct Shared {
    typename Geometry::Search search[kWarpSize];
  };
  using Tally = NoTally;
  NarrowArguments n;
  RememberedPairs<Geometry> pairs;
  Forgotten list;
  std::uint32_t least;  ///< pairs of a warp, if there are so many

  SCREE_HD std::uint32_t tiles() const { return (n.segment.items + least - 1) / least; }
  SCREE_HD std::uint32_t tiles_now() const { return (*list.pairs + at_once() - 1) / at_once(); }

  SCREE_HD void operator()(const Warp& warp, std::uint32_t tile, Shared& shared, Lane<Tally>&) const {
    const std::uint32_t first = tile * at_once(), rest = *list.pairs - first,
                        count = rest < at_once() ? rest : at_once();
    const auto has = [&](int lane) { return static_cast<std::uint32_t>(lane) < count; };
    const std::uint32_t* const item = list.pair + first;
    Lane<int> trouble;
    warp.each([&](int lane) {
      trouble[lane] = 0;
      if (has(lane)) shared.search[lane] = pairs.meeting(n, item[lane]).begin(pairs.memory[item[lane]], trouble[lane]);
    });
    warp.meet();
    for (std::uint32_t k = 0; k < count; ++k) {
      if (pairs.geometry.search(warp, shared.search[k], n.margin, pairs.pairs.tables, pairs.memory[item[k]])) continue;
      warp.each([&](int lane) {
        if (static_cast<std::uint32_t>(lane) == k) trouble[lane] = kTooManyContacts;
      });
    }
    warp.meet();
    warp.each([&](int lane) {
      if (has(lane)) pairs.finish(n, item[lane], trouble[lane]);
    });
    warp.meet();
  }

 private:
  SCREE_HD std::uint32_t at_once() const {
    const std::uint32_t each = (*list.pairs + kMostBlocks - 1) / kMostBlocks;
    if (each < least) return least;
    return each < kWarpSize ? each : std::uint32_t{kWarpSize};
  }
};

/// The contacts of all pairs, as remembered. A warp takes a group of one tile or two at once: a tile has 32 pairs and,
/// in a dense pile, about as many contacts, so that one tile alone often leaves a few for a second round of the lanes.
/// A group with pairs that are to be worked out anew is put off, and done when they are.
template <class Geometry>
struct RememberedContacts {
  static constexpr std::uint32_t kMostTiles = 2;
  static constexpr std::uint32_t kTile = Segment::kTile, kContacts = Geometry::kContacts;
  static constexpr std::uint32_t kNodes = 256;  ///< compared at once
  struct Shared {
    std::uint32_t touched[kMostTiles];                 ///< bit i: item i of the tile
    std::uint32_t begin[kMostTiles];                   ///< of the tile's contacts in `of`
    std::uint16_t of[kMostTiles * kTile * kContacts];  ///< (tile kTile + item) kContacts + slot
    typename Geometry::Sight sight[kWarpSize];         ///< of a lane's contact
    std::uint32_t node[kNodes];                        ///< behind the contact's lane
    float depth[kNodes];
  };
  using Tally = device::Tally;
  TileRecords records;
  RememberedPairs<Geometry> pairs;
  std::uint32_t at_once;  ///< tiles of a group, up to kMostTiles
  Forgotten forgotten;
  bool put_off;  ///< the groups that were; or all that need not be

  /// Groups.
  SCREE_HD std::uint32_t tiles() const { return (records.a.segment.tiles() + at_once - 1) / at_once; }
  SCREE_HD std::uint32_t tiles_now() const { return put_off ? *forgotten.groups : tiles(); }
  SCREE_HD void report(const Tally& found) const { records.report(found); }

  SCREE_HD void operator()(const Warp& warp, std::uint32_t i, Shared& shared, Lane<Tally>& tally) const {
    const std::uint32_t group = put_off ? forgotten.group[i] : i, first_tile = group * at_once;
    if (!put_off && puts_off(warp, group)) return;
    const std::uint32_t count = list(warp, first_tile, shared);
    for (std::uint32_t begin = 0; begin < count; begin += kWarpSize) {
      Lane<OfContact> contact;
      Lane<Choice> choice;
      warp.each([&](int lane) {
        contact[lane] = contact_of(first_tile, begin + static_cast<std::uint32_t>(lane), count, shared);
        choice[lane] = {};
      });
      compare(warp, contact, choice, shared);
      warp.each([&](int lane) { store(contact[lane], choice[lane], shared, tally[lane]); });
    }
    warp.meet();
  }

 private:
  using Choice = typename Geometry::Choice;
  static constexpr std::uint32_t kNodeBits = 27;

  /// Whether pairs of a group are to be worked out anew; lists them, and the group.
  SCREE_HD bool puts_off(const Warp& warp, std::uint32_t group) const {
    bool any = false;
    for (std::uint32_t t = group * at_once; t < (group + 1) * at_once && t < records.a.segment.tiles(); ++t) {
      Lane<std::uint32_t> item;
      Lane<bool> is;
      warp.each([&](int lane) {
        item[lane] = records.item_of(t, lane);
        is[lane] = item[lane] < records.a.segment.items && pairs.forgotten(records.a, item[lane]);
      });
      any = append(warp, is, item, forgotten.pairs, forgotten.pair) || any;
    }
    if (any)
      warp.each([&](int lane) {
        if (lane == 0) forgotten.group[atomic_add(forgotten.groups, 1u)] = group;
      });
    return any;
  }
  /// \return whether there are any
  static SCREE_HD bool append(const Warp& warp, const Lane<bool>& is, const Lane<std::uint32_t>& value,
                              std::uint32_t* count, std::uint32_t* to) {
    const std::uint32_t bits = warp.ballot(is);
    if (bits == 0) return false;
    Lane<std::uint32_t> first;
    Lane<int> leader;
    warp.each([&](int lane) {
      leader[lane] = 0;
      first[lane] = lane == 0 ? atomic_add(count, bits_set(bits)) : 0;
    });
    first = warp.shuffle(first, leader);
    warp.each([&](int lane) {
      if (is[lane]) to[first[lane] + bits_set(bits & low_bits(static_cast<std::uint32_t>(lane)))] = value[lane];
    });
    return true;
  }

  /// The contacts of the tiles without gaps. \return how many
  SCREE_HD std::uint32_t list(const Warp& warp, std::uint32_t first_tile, Shared& shared) const {
    const Segment& segment = records.a.segment;
    std::uint32_t count = 0;
    for (std::uint32_t t = 0; t < at_once && first_tile + t < segment.tiles(); ++t) {
      const std::uint32_t tile = first_tile + t;
      Lane<LiveContacts> live;
      Lane<std::uint32_t> bits, first;
      warp.each([&](int lane) {
        const std::uint32_t item = records.item_of(tile, lane);
        live[lane] = item < segment.items ? records.live(item) : LiveContacts{0, kNone};
        bits[lane] = live[lane].bits;
      });
      const std::uint32_t of_tile = records.number(warp, tile, bits, first);
      warp.each([&](int lane) {
        const std::uint32_t item = records.item_of(tile, lane);
        if (item < segment.items) records.record_item(tile, item, bits[lane], first[lane], live[lane]);
        std::uint32_t to = count + first[lane], slot = (t * kTile + static_cast<std::uint32_t>(lane)) * kContacts;
        for (std::uint32_t rest = bits[lane]; rest != 0; rest >>= 1, ++slot)
          if (rest & 1) shared.of[to++] = static_cast<std::uint16_t>(slot);
        if (lane == 0) shared.touched[t] = 0, shared.begin[t] = count;
      });
      count += of_tile;
    }
    warp.meet();
    return count;
  }

  /// The contact of a lane.
  struct OfContact {
    bool is;  ///< or the lane has none
    std::uint32_t tile, local, item, slot, place, key;
    typename Geometry::Meeting meeting;
  };
  SCREE_HD OfContact contact_of(std::uint32_t first_tile, std::uint32_t i, std::uint32_t count,
                                const Shared& shared) const {
    if (i >= count) return {};
    const std::uint32_t at = shared.of[i], tile = at / (kTile * kContacts), local = at / kContacts % kTile;
    const std::uint32_t item = (first_tile + tile) * kTile + local, slot = at % kContacts;
    const std::uint32_t place = records.a.segment.place(first_tile + tile, i - shared.begin[tile]);
    return {true, tile, local, item, slot, place, pairs.memory[item].in_slot[slot], pairs.meeting(records.a, item)};
  }

  /// All nodes of all lanes' contacts, each by any lane.
  SCREE_HD void compare(const Warp& warp, const Lane<OfContact>& contact, Lane<Choice>& choice, Shared& shared) const {
    const Geometry& geometry = pairs.geometry;
    Lane<std::uint32_t> first, end;  // the nodes of a lane's contact among all
    warp.each([&](int lane) {
      const OfContact& c = contact[lane];
      first[lane] = end[lane] = c.is ? geometry.nodes(records.a.margin, pairs.memory[c.item], c.key) : 0;
      if (end[lane] > 0) shared.sight[lane] = c.meeting.sight();
    });
    const std::uint32_t all = warp.scan(first);
    warp.each([&](int lane) { end[lane] += first[lane]; });
    for (std::uint32_t begin = 0; begin < all; begin += kNodes) {
      warp.each([&](int lane) {
        const OfContact& c = contact[lane];
        std::uint32_t to = first[lane] - begin;  // wraps around where it has been before
        if (first[lane] < end[lane])
          c.meeting.for_nodes(pairs.memory[c.item], c.key, [&](std::uint32_t node) {
            if (to < kNodes) shared.node[to] = static_cast<std::uint32_t>(lane) << kNodeBits | node;
            ++to;
          });
      });
      warp.meet();
      warp.each([&](int lane) {
        for (std::uint32_t i = lane; i < kNodes && begin + i < all; i += kWarpSize) {
          const std::uint32_t node = shared.node[i];
          shared.depth[i] =
              geometry.depth(shared.sight[node >> kNodeBits], pairs.pairs.tables, node & ((1u << kNodeBits) - 1));
        }
      });
      warp.meet();
      warp.each([&](int lane) {
        const std::uint32_t from = first[lane] > begin ? first[lane] - begin : 0;
        const std::uint32_t to = end[lane] - begin < kNodes ? end[lane] - begin : kNodes;
        for (std::uint32_t i = from; i < to && end[lane] > begin; ++i)
          geometry.add(shared.sight[lane], shared.node[i] & ((1u << kNodeBits) - 1), shared.depth[i], choice[lane]);
      });
      warp.meet();
    }
  }

  SCREE_HD void store(const OfContact& c, const Choice& choice, Shared& shared, Tally& tally) const {
    if (!c.is) return;
    const NarrowArguments& a = records.a;
    const PlacedPairs& placed = pairs.pairs;
    int trouble = 0;
    const Contact contact = c.meeting.contact(pairs.memory[c.item], c.key, choice, trouble);
    if (trouble) placed.report(a, c.item, trouble);
    placed.template find_motion<typename Geometry::Space>(a, c.item, c.place, contact, true);
    records.record_contact(c.place, a.segment.slot(c.item, c.slot), true);
    tally_contact(tally, contact.overlap, true, shared.touched[c.tile], c.local);
  }
};

/// What warps take at once: 1 tile or 2, and this many forgotten pairs at least. More than one where all warps of a
/// large device have work nevertheless; and on a host that works in another order, as results must not depend on that
/// either.
struct WorkOfWarps {
  std::uint32_t tiles, pairs;
};
inline WorkOfWarps work_of_warps(const Execution& e, std::uint32_t tiles) {
  const bool in_order = e.order == Order::forward;
  return {tiles >= 4 * kMostBlocks || !in_order ? 2u : 1u, in_order ? 1u : static_cast<std::uint32_t>(kWarpSize)};
}

/// A stage for the table of a plugin.
template <class Geometry>
int narrow_remembered(const Execution& e, const void* parameters, const void* arguments) {
  const auto& a = *static_cast<const ShapePairArguments*>(arguments);
  const NarrowArguments& n = a.pairs.narrow;
  const RememberedPairs<Geometry> pairs{placed_pairs(a), *static_cast<const Geometry*>(parameters),
                                        reinterpret_cast<typename Geometry::Memory*>(a.memory)};
  const WorkOfWarps at_once = work_of_warps(e, n.segment.tiles());
  std::uint32_t* const counts = a.forgotten;
  const Forgotten list{counts, counts + 1, counts + 2, counts + 2 + n.segment.items};
  RememberedContacts<Geometry> contacts{{n}, pairs, at_once.tiles, list, false};
  int error = for_each(e, 1, NoneForgotten{list});
  if (error == 0) error = for_tiles(e, contacts);
  if (error == 0) error = for_tiles(e, WorkOutForgotten<Geometry>{n, pairs, list, at_once.pairs});
  contacts.put_off = true;
  return error != 0 ? error : for_tiles(e, contacts);
}

}  // namespace scree::device
