#pragma once
/// \file Transfer of bodies to another scene: free, held, driven or removed from now on.

#include "scree/run/transfer_state.hpp"
#include "scree/scene/detail/scene_changes.hpp"

namespace scree::detail {

std::vector<Id> ids_of(const Snapshot& snapshot);

/// Gives bodies of changed entries the kind and motion of the new scene, in place; a motion begins with the current
/// pose. \param changes  changes of the scene
void carry_bodies(Snapshot& snapshot, const Scene& scene, const Prepared& prepared,
                  const std::vector<SceneChange>& changes, TransferredState& result);

}  // namespace scree::detail
