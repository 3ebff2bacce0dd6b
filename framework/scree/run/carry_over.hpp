#pragma once
/// \file The state of a run of one scene made into that of a run of another: stages, and --resume with a changed scene.

#include <filesystem>
#include <string>
#include <vector>

#include "scree/run/checkpoint.hpp"

namespace scree {

/// What is left to do when the snapshot is restored, and what to tell.
struct CarriedOver {
  std::vector<std::string> changes;   ///< of the scene: "/gravity/1: -9.81 -> -3.7"
  std::vector<std::string> warnings;  ///< what could not be kept
  std::vector<Id> removed, moved;     ///< bodies to be taken out, and to be reported to all as moved
};

/// Bodies, contact history, ids, time and what methods keep go on. History of a contact stays where its law and
/// detector are the same but for numbers. What the new scene brings (a motion, a hook) begins now at the earliest. Does
/// nothing where the two scenes say the same.
/// \param snapshot  of a run of another scene; becomes one of this scene's. check_snapshot() is to follow for that of a
///                  file
/// \param source    where it is from, for messages
/// \param prepared  freshly, for `scene`; gets the schedules of hooks that begin
/// \throws InputError naming what cannot be continued
SCREE_API CarriedOver carry_over(Snapshot& snapshot, const std::string& source, const Scene& scene, Prepared& prepared);

}  // namespace scree
