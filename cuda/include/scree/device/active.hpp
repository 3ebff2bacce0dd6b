#pragma once
/// \file The loop over the contacts of a segment.

#include "scree/device/execution.hpp"
#include "scree/device/step_data.hpp"

namespace scree::device {

/// Where a contact stands: in the columns of the step, which take the index itself, and in those of history.
struct ContactIndex {
  std::uint32_t place;
  std::size_t history;
  SCREE_HD operator std::size_t() const { return place; }
};

/// Calls body(ContactIndex) for the contacts of a tile.
template <class Body>
struct OverActive {
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
        body(ContactIndex{place, std::size_t{segment.slot_at[place]} * segment.stride});
      }
    });
  }
};

template <class Body>
int for_active(const Execution& e, const Segment& segment, const Body& body) {
  return for_tiles(e, OverActive<Body>{segment, body});
}

}  // namespace scree::device
