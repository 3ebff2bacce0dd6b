#pragma once
/// \file Bodies that go on under another scene: who is free, held, driven, or gone from now on.

#include "scree/run/carry_over.hpp"
#include "scree/scene/detail/scene_changes.hpp"

namespace scree::detail {

std::vector<Id> ids_of(const Snapshot& snapshot);

/// Bodies of entries that changed get the kind and motion of the new scene where they are; a motion begins with the
/// current pose. \param changes  of the scene
void carry_bodies(Snapshot& snapshot, const Scene& scene, const Prepared& prepared,
                  const std::vector<SceneChange>& changes, CarriedOver& result);

}  // namespace scree::detail
