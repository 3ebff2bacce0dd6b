#pragma once
/// \file Whose pairs are listed.

#include <cstdint>

namespace scree {

/// The part of the curve whose pairs are listed: that of all, or of one rank.
struct ListedPart {
  std::uint32_t first, end;              ///< places
  std::uint64_t first_block, end_block;  ///< numbers
  bool whole;                            ///< that of all
  bool holds(std::uint32_t place) const { return first <= place && place < end; }
};

}  // namespace scree
