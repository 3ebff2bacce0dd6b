#pragma once
/// \file Messages between ranks of which only who writes them knows the size.

#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/packed_bytes.hpp"
#include "scree/base/ranks.hpp"

namespace scree {

/// All ranks call it together. \param to  what each rank gets, by rank; may be empty \return what each has sent
/// \throws as Ranks::gather()
SCREE_API std::vector<std::vector<std::byte>> exchange_letters(Ranks& ranks, Rendezvous meeting,
                                                               std::span<const ByteWriter> to);

}  // namespace scree
