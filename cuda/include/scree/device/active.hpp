#pragma once
/// \file The loop over the contacts of a segment.

#include "scree/device/execution.hpp"
#include "scree/device/step_data.hpp"

namespace scree::device {

/// Calls body(slot) for the contacts of one tile per block.
template <class Body>
struct OverActive {
  static constexpr int kThreads = Segment::kTile;
  struct Shared {};
  Segment segment;
  Body body;

  SCREE_HD std::uint32_t blocks(std::uint32_t) const { return segment.tiles(); }
  SCREE_HD void operator()(const Block& block, Shared&) const {
    const std::uint32_t count = segment.active_count[segment.first_tile + block.index];
    const std::uint32_t* const slot = segment.active + segment.first_slot + block.index * kThreads * segment.per_item;
    block.warps([&](const Warp& warp) {
      warp.each([&](int lane) {
        for (std::uint32_t i = warp.index * kWarpSize + lane; i < count; i += kThreads) body(slot[i]);
      });
    });
  }
};

template <class Body>
int for_active(const Execution& e, const Segment& segment, const Body& body) {
  return for_blocks(e, segment.tiles(), OverActive<Body>{segment, body});
}

}  // namespace scree::device
