#pragma once
/// \file Contact history that goes on under the laws of another scene.

#include "scree/run/carry_over.hpp"

namespace scree::detail {

/// Numbers the history by the current interactions. Contacts whose law means something else by it lose theirs,
/// which is reported with their number.
void carry_history(Snapshot& snapshot, const Prepared& prepared, CarriedOver& result);

}  // namespace scree::detail
