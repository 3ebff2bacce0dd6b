#pragma once
/// \file Nodes of two stars that lie in each other: data of a pair that a device keeps from step to step. Plain data.

#include <cstdint>

#include "scree/base/api.hpp"
#include "scree/detect/node_runs.hpp"

namespace scree::star {

/// Consecutive nodes of one side that touch.
struct StarRun {
  std::uint16_t first, count;
  SCREE_HD NodeRun nodes() const { return {first, count}; }
  SCREE_HD std::uint32_t node(std::uint32_t k, std::uint32_t of) const {
    const std::uint32_t n = std::uint32_t{first} + k;
    return n < of ? n : n - of;
  }
};

/// The runs of a pair, those of a's nodes first, and how far its bodies may move until they can be others. Runs with
/// equal regions bound the same overlap. All zero: nothing is known.
struct alignas(16) StarRuns {
  static constexpr std::uint32_t kMost = 8;  ///< largest number on one side
  static constexpr int kContacts = 8;
  float x, y, c, s;                 ///< pose of a's outline in the frame of b's, when these were found
  float room;                       ///< [m]; 0: they are good for that pose alone
  std::uint8_t count[2];            ///< by side
  std::uint8_t in_slot[kContacts];  ///< the region of the contact
  std::uint8_t region[2 * kMost];   ///< the number of its first run
  StarRun run[2 * kMost];

  SCREE_HD std::uint32_t all() const { return std::uint32_t{count[0]} + count[1]; }
  SCREE_HD std::uint32_t begin(int side) const { return side == 0 ? 0 : count[0]; }
  SCREE_HD std::uint32_t end(int side) const { return side == 0 ? count[0] : all(); }
  /// f(run) for the runs of a region on one side.
  template <class F>
  SCREE_HD void for_runs(int side, std::uint32_t of_region, const F& f) const {
    for (std::uint32_t r = begin(side); r < end(side); ++r)
      if (region[r] == of_region) f(run[r]);
  }
  /// f(node) for a side's nodes of a region. \param nodes  of the side's outline
  template <class F>
  SCREE_HD void for_nodes(int side, std::uint32_t of_region, std::uint32_t nodes, const F& f) const {
    for_runs(side, of_region, [&](const StarRun& r) {
      for (std::uint32_t k = 0; k < r.count; ++k) f(r.node(k, nodes));
    });
  }
  /// f(region) for all regions.
  template <class F>
  SCREE_HD void for_regions(const F& f) const {
    for (std::uint32_t r = 0; r < all(); ++r)
      if (region[r] == r) f(r);
  }
  /// Returns the region of contact i: contacts come in the order of their regions.
  SCREE_HD std::uint32_t region_of(std::uint32_t i) const {
    std::uint32_t found = 0;
    for_regions([&](std::uint32_t r) {
      if (i-- == 0) found = r;
    });
    return found;
  }
};

}  // namespace scree::star
