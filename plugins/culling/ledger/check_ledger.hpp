#pragma once
/// \file A ledger from a checkpoint, before anything is made from it.

#include "ledger/ledger.hpp"

namespace scree::culling {

/// Checks the invariants of a ledger: numbers are finite, ids ascend, indices are of things that the World has. Members
/// and links are granules of the aggregate, masses add up to that of the owner.
/// \throws InputError for one that no run of this scene wrote
void check_ledger(const Ledger& ledger, const World& world);

}  // namespace scree::culling
