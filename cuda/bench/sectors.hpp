#pragma once
/// \file What gaps between contacts cost in memory.

#include "engine/pair_lists.hpp"

namespace scree::device {

/// Bytes of the sectors, of 32 bytes each, that hold one number of each contact, over the number of contacts: 8 where
/// there are no gaps.
struct BytesPerNumber {
  double by_place;  ///< as the columns of a step are
  double by_slot;   ///< were they by slot
};

/// Of the last evaluation.
BytesPerNumber bytes_per_number(const PairLists& lists);

}  // namespace scree::device
