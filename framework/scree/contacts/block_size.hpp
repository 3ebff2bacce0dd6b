#pragma once
/// \file How many contacts go through a law at once.

#include <cstddef>

namespace scree {

/// So few that all their columns stay in the first-level cache.
inline constexpr std::size_t kBlockContacts = 128;
/// From column to column: not a power of two, else equal rows of all columns share one cache set.
inline constexpr std::size_t kColumnStride = kBlockContacts + 8;

}  // namespace scree
