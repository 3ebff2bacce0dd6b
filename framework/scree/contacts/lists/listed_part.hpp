#pragma once
/// \file Part of the curve whose pairs are listed.

#include <cstdint>

namespace scree {

/// Part of the curve whose pairs are listed: the whole curve, or the part of one rank.
struct ListedPart {
  std::uint32_t first, end;              ///< places along the curve
  std::uint64_t first_block, end_block;  ///< numbers of blocks
  bool whole;                            ///< true for the whole curve
  bool holds(std::uint32_t place) const { return first <= place && place < end; }
};

}  // namespace scree
