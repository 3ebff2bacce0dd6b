#pragma once
/// \file Messages from all ranks to all, of sizes that only the sender knows.

#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/packed_bytes.hpp"
#include "scree/base/ranks.hpp"

namespace scree {

/// Sends bytes from each rank to each. All ranks call it together.
/// \param to  bytes for each rank, by rank; may be empty
/// \return bytes that each rank has sent, by rank
/// \throws errors of Ranks::gather()
SCREE_API std::vector<std::vector<std::byte>> all_to_all_v(Ranks& ranks, CollectiveTag tag,
                                                           std::span<const ByteWriter> to);

}  // namespace scree
