#pragma once
/// \file Transfer of the state of a run to a run of another scene: stages, and --resume with a changed scene.

#include <filesystem>
#include <string>
#include <vector>

#include "scree/run/checkpoint.hpp"

namespace scree {

/// Result of a transfer: work left for after the snapshot is restored, and messages.
struct TransferredState {
  std::vector<std::string> changes;   ///< changes of the scene: "/gravity/1: -9.81 -> -3.7"
  std::vector<std::string> warnings;  ///< items that could not be kept
  std::vector<Id> removed, moved;     ///< bodies to remove, and bodies to report to all methods as moved
};

/// Transfers a snapshot to another scene. Bodies, contact history, ids, time and states of methods carry over. History
/// of a contact stays if its law and detector are the same except for numbers. New items of the scene (a motion, a
/// hook) begin now at the earliest. Does nothing if both scenes are the same.
/// \param snapshot  snapshot of a run of another scene; becomes one of this scene's. If it is from a file,
///                  check_snapshot() must follow
/// \param source    origin, for messages
/// \param prepared  fresh, for `scene`; gets the schedules of hooks that begin
/// \throws InputError naming what cannot be continued
SCREE_API TransferredState transfer_state(Snapshot& snapshot, const std::string& source, const Scene& scene,
                                          Prepared& prepared);

}  // namespace scree
