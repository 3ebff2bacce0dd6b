#pragma once
/// \file Balance of the load between the ranks of a run.

#include <string>

#include "scree/base/ranks.hpp"
#include "scree/output/summary.hpp"

namespace scree {

/// Compares the waiting times of all ranks. Collective over ranks. \param own  waiting time of this rank [s]
Summary::Sharing compare_waiting(Ranks& ranks, double own);

/// Returns a line for the user. \param seconds, steps  of the run, without those before a resume
SCREE_API std::string told(const Summary::Sharing& sharing, int ranks, double seconds, std::uint64_t steps);

}  // namespace scree
