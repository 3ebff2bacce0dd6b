#pragma once
/// \file Links that hold stored granules together.

#include "ledger/ledger.hpp"

namespace scree::culling {

/// Pairs of granules of an aggregate, one of them stored at least, whose surfaces are nearer than `gap` [m], or whose
/// contact remembers something. Nothing moves within an aggregate, so that these are the pairs of when granules went
/// in. \return ascending
std::vector<Link> links_of(const World& world, const Aggregate& aggregate, double gap);

}  // namespace scree::culling
