#pragma once
/// \file How well the ranks of a run have shared it.

#include <string>

#include "scree/base/ranks.hpp"
#include "scree/output/summary.hpp"

namespace scree {

/// The waiting of all. They call it together. \param own  of this one [s]
Summary::Sharing compare_waiting(Ranks& ranks, double own);

/// A line for the user. \param seconds, steps  of the run, without those before a resume
SCREE_API std::string told(const Summary::Sharing& sharing, int ranks, double seconds, std::uint64_t steps);

}  // namespace scree
