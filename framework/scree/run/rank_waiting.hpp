#pragma once
/// \file How long the ranks of a run have waited for each other and for messages.

#include <string>

#include "scree/base/ranks.hpp"
#include "scree/output/summary.hpp"

namespace scree {

/// All ranks call it together. \param own  of this one [s]
Summary::Waiting compare_waiting(Ranks& ranks, double own);

/// A line for the user. \param seconds  of the run [s]
std::string told(const Summary::Waiting& waiting, int ranks, double seconds);

}  // namespace scree
