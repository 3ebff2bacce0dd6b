#pragma once
/// \file The loop over the contacts of a segment.

#include <type_traits>

#include "scree/device/execution.hpp"
#include "scree/device/step_data.hpp"

namespace scree::device {

/// Where a contact stands: in the columns of the step, which take the index itself, and in those of history.
/// \tparam flat  normals, velocities and forces lie in the plane, and have no column of z
template <bool flat>
struct ContactIndex {
  static constexpr bool kFlat = flat;
  std::uint32_t place;
  std::size_t history;
  SCREE_HD operator std::size_t() const { return place; }
};

/// Calls body(Index) for the contacts of a tile. A body that needs more than 64 registers in the plane, or 80 in space,
/// says so by a `kLeastBlocks` of its own.
template <class Body, class Index>
struct OverActive {
  static constexpr int kLeastBlocks = least_blocks<Body>(Index::kFlat ? 4 : 3);
  struct Shared {};
  using Tally = NoTally;
  Segment segment;
  Body body;

  SCREE_HD std::uint32_t tiles() const { return segment.tiles(); }
  SCREE_HD void operator()(const Warp& warp, std::uint32_t tile, Shared&, Lane<Tally>&) const {
    const std::uint32_t count = segment.active_count[segment.first_tile + tile];
    warp.each([&](int lane) {
      for (std::uint32_t i = lane; i < count; i += kWarpSize) {
        const std::uint32_t place = segment.place(tile, i);
        body(Index{place, std::size_t{segment.slot_at[place]} * segment.stride});
      }
    });
  }
};

/// Of by_flatness(): a body that was not made for such columns.
inline constexpr int kUnknownIndex = -1;

/// A body that is for one kind of index alone says so by `kFlat`: the other is not compiled.
template <class Body, bool flat>
constexpr bool takes() {
  if constexpr (requires { Body::kFlat; })
    return Body::kFlat == flat;
  else
    return true;
}

/// \return use(flat as a constant)
template <class Body, class Use>
int by_flatness(bool flat, const Use& use) {
  if constexpr (takes<Body, true>())
    if (flat) return use(std::true_type{});
  if constexpr (takes<Body, false>())
    if (!flat) return use(std::false_type{});
  return kUnknownIndex;
}

template <class Body>
int for_active(const Execution& e, const Segment& segment, bool flat, const Body& body) {
  return by_flatness<Body>(flat, [&](auto is_flat) {
    return for_tiles(e, OverActive<Body, ContactIndex<is_flat.value>>{segment, body});
  });
}

}  // namespace scree::device
