#pragma once
/// \file Transfer of contact history to the laws of another scene.

#include "scree/run/transfer_state.hpp"

namespace scree::detail {

/// Numbers the history by the current interactions. Contacts whose history has another meaning now lose it, which is
/// reported with their number.
void carry_history(Snapshot& snapshot, const Prepared& prepared, TransferredState& result);

}  // namespace scree::detail
