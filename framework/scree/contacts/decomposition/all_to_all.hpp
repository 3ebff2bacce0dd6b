#pragma once
/// \file Messages from all ranks to all, of sizes that only the sender knows.

#include <cstddef>
#include <span>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/packed_bytes.hpp"
#include "scree/base/ranks.hpp"

namespace scree {

/// All ranks call it together. \param to  what each rank gets, by rank; may be empty \return what each has sent
/// \throws as Ranks::gather()
SCREE_API std::vector<std::vector<std::byte>> all_to_all_v(Ranks& ranks, CollectiveTag tag,
                                                           std::span<const ByteWriter> to);

}  // namespace scree
