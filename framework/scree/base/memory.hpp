#pragma once
/// \file How much memory there is, asked before much of it is taken.

#include <string>

#include "scree/base/api.hpp"

namespace scree {

/// Memory that this process may use [bytes]: that of the machine, or less by `ulimit -v` or the control group.
SCREE_API double usable_memory();

/// Why this many bodies cannot be made: "1e+08 bodies take about 75 GiB, and ..."; empty when they can. A body takes
/// some 800 bytes with its neighbours, and its share of a snapshot.
SCREE_API std::string memory_fault(double bodies);

}  // namespace scree
