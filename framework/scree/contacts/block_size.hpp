#pragma once
/// \file Number of contacts that go through a law at once.

#include <cstddef>

namespace scree {

/// Number of contacts in a block: small enough that all their columns stay in the first-level cache.
inline constexpr std::size_t kBlockContacts = 128;
/// Distance from column to column: not a power of two, otherwise equal rows of all columns would share one cache set.
inline constexpr std::size_t kColumnStride = kBlockContacts + 8;

}  // namespace scree
