#pragma once
/// \file Everything that decides the future of a run: taken, written, read, put back. A resumed run has the same bits.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scree/hooks/history_table.hpp"
#include "scree/run/table_copy.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// Running sums of per-step counts, for the summary; they belong to the run, so they go into checkpoints.
struct RunTally {
  double candidate_pairs = 0, touching_pairs = 0, contacts = 0;  ///< summed over steps
  double history_hits = 0;                                       ///< summed over steps
  double max_overlap = 0;                                        ///< largest so far [m]
  double last_overlap = 0;                                       ///< largest in the last step looked at [m]
  double max_overlap_time = 0;                                   ///< when that was [s]
  HastyContact hasty;                                            ///< the shortest so far
  double kinetic_initial = 0;                                    ///< [J]
  double energy_initial = 0;                                     ///< kinetic and potential at the start [J]
  std::uint64_t rebuilds = 0;
  std::optional<std::uint64_t> shown_end;       ///< step with which the run ended: frames of the end are written
  std::map<std::string, std::uint64_t> frames;  ///< due by schedule so far, by observer; the next one's number
};

/// What methods keep beyond columns and history, as they give it out in save().
struct MethodStates {
  std::vector<std::vector<std::byte>> modifiers;  ///< as in the scene
  std::vector<std::byte> integrator;
  std::map<std::string, std::vector<std::byte>> observers;  ///< by frames_key(); those of the run that wrote
  std::vector<std::string> modifier_names;                  ///< of modifiers, as observers' by frames_key()
  std::set<std::size_t> new_modifiers;  ///< of a scene that the snapshot was carried over to: they have no state yet
  bool new_integrator = false;          ///< the same of the integrator
};

/// Where a run of several stages is.
struct StageState {
  std::uint64_t number = 0;                 ///< of the stage, from 0
  std::string name;                         ///< of the stage; empty: the scene has none
  std::uint64_t first_step = 0;             ///< steps before it
  double first_time = 0;                    ///< when it began [s]
  std::optional<std::uint64_t> held_since;  ///< step since which its figure has been where it is to be
  std::string ended;                        ///< why it is over; empty: it is not
  std::vector<StageRecord> before;          ///< stages that are over
};

/// A copy of the state between two steps.
struct Snapshot {
  std::uint64_t step = 0;
  double time = 0;
  std::vector<TableCopy> tables;       ///< bodies, bonds, further ones
  std::vector<Id> attached, released;  ///< of the log of bodies, as TableCopy::edits
  HistoryTable history;
  std::map<Id, World::Prescribed> prescribed;
  std::map<Id, Vec3> surface_velocities;
  PeriodicCell cell, reference_cell;
  std::vector<Bonds::Tolerated> tolerated;
  std::map<std::string, double> figures;
  MethodStates methods;
  RunTally tally;
  std::string plugins;  ///< that decided the state: plugins_to_text()
  StepClock clock;
  std::string scene;                      ///< Scene::decisive of the scene that held; empty: not known
  std::vector<std::string> interactions;  ///< by number, meaning_of_history()
  StageState stage;
};

/// An observer's name in RunTally::frames: that of its type, with a number from the second one of the type on.
SCREE_API std::string frames_key(const Prepared& prepared, std::size_t observer);

/// The same for a modifier's name.
SCREE_API std::string modifier_key(const Prepared& prepared, std::size_t modifier);

/// save() of all. Apart from take_snapshot(), as a plugin's code may throw.
/// \param with_observers  whether they have begun
SCREE_API MethodStates states_of(const Prepared& prepared, bool with_observers);

SCREE_API Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally, MethodStates states);
inline Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally) {
  return take_snapshot(prepared, tally, states_of(prepared, false));
}

/// What a run must have in common with a checkpoint to go on from it.
struct RunIdentity {
  struct File {
    std::string pointer;  ///< of the scene's value that names it, e.g. "/shapes/cow/file"
    std::filesystem::path path;
    std::uint64_t checksum = 0;
  };
  std::uint64_t fingerprint = 0;  ///< of the scene
  std::vector<File> files;        ///< that the scene names; their paths may differ
};

/// Reads the files that the scene names.
/// \throws IoError
SCREE_API RunIdentity identity_of(const Scene& scene);

/// Compares the plugins that decided a snapshot with those of the prepared run.
/// \param file        for messages
/// \param same_scene  whether every plugin of then is to be used now
/// \return warnings: plugins of the same version from other files
/// \throws InputError when one has another version now, or is gone
SCREE_API std::vector<std::string> compare_plugins(const std::filesystem::path& file, const Snapshot& snapshot,
                                                   const Prepared& prepared, bool same_scene = true);

/// Whether a snapshot fits to the freshly prepared run of its scene: every index, id and number is one that a run can
/// have. Nothing is changed.
/// \param file  for messages
/// \throws IoError naming the array
SCREE_API void check_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const Prepared& prepared);

/// Puts a snapshot back into a freshly prepared run of the same scene. Observers get their state when they have begun.
/// \pre check_snapshot() found nothing
/// \throws IoError when a modifier refuses its state
SCREE_API void restore(const Snapshot& snapshot, Prepared& prepared);

/// \throws IoError
SCREE_API void write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot,
                                const RunIdentity& identity);

/// A checkpoint as it was written, of whatever scene.
struct Checkpoint {
  Snapshot snapshot;
  std::string fingerprint;               ///< of the scene, hexadecimal
  std::vector<std::string> pointers;     ///< of the files that it named
  std::vector<std::uint64_t> checksums;  ///< of these
  bool of_scene(const RunIdentity& identity) const;
};

/// Takes no more than a few times the memory that the file has bytes.
/// \throws InputError for a checkpoint of another version; IoError when the file cannot be read or is damaged
SCREE_API Checkpoint open_checkpoint(const std::filesystem::path& file);

/// \throws InputError for a file that both scenes name at the same place and that has changed since
SCREE_API void check_files(const std::filesystem::path& file, const Checkpoint& checkpoint,
                           const RunIdentity& identity);

/// open_checkpoint() for who wants to go on with the same scene.
/// \throws InputError for a checkpoint of another scene or version, or of one whose files had other contents; IoError
/// when the file cannot be read or is damaged
SCREE_API Snapshot read_checkpoint(const std::filesystem::path& file, const RunIdentity& identity);

}  // namespace scree
