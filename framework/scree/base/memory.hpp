#pragma once
/// \file Amount of memory, checked before much of it is allocated.

#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Returns the memory that this process may use [bytes]: that of the machine, or less by `ulimit -v` or the control
/// group.
SCREE_API double usable_memory();

/// Returns the reason why this many bodies cannot be made: "1e+08 bodies take about 75 GiB, and ..."; empty if they
/// can. A body takes some 800 bytes with its neighbours, and its share of a snapshot.
SCREE_API std::string memory_fault(double bodies);

}  // namespace scree
