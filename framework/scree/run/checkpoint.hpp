#pragma once
/// \file State of a run: everything that decides its future, taken, written, read and restored. A resumed run has the
/// same bits.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_table.hpp"
#include "scree/run/table_copy.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// Running sums of per-step counts, for the summary; they belong to the run, so they go into checkpoints.
struct RunTally {
  double candidate_pairs = 0, touching_pairs = 0, contacts = 0;  ///< summed over steps
  double history_hits = 0;                                       ///< summed over steps
  double max_overlap = 0;                                        ///< largest so far [m]
  double last_overlap = 0;                                       ///< largest in the last step observed [m]
  double max_overlap_time = 0;                                   ///< time of the largest overlap [s]
  HastyContact hasty;                                            ///< shortest contact so far
  double kinetic_initial = 0;                                    ///< [J]
  double energy_initial = 0;                                     ///< kinetic and potential at the start [J]
  std::uint64_t rebuilds = 0;
  std::optional<std::uint64_t> shown_end;  ///< step with which the run ended: frames of the end are written
  std::map<std::string, std::uint64_t>
      frames;  ///< number of frames due by schedule so far, by observer; also the number of the next one
};

/// State of methods beyond columns and history: the results of their save().
struct MethodStates {
  std::vector<std::vector<std::byte>> modifiers;  ///< in the order of the scene
  std::vector<std::byte> integrator;
  std::map<std::string, std::vector<std::byte>> observers;  ///< by frames_key(); those of the run that wrote
  std::vector<std::string> modifier_names;                  ///< names of modifiers, like observers' by frames_key()
  std::set<std::size_t>
      new_modifiers;  ///< modifiers without state: they belong to a scene that the snapshot was transferred to
  bool new_integrator = false;  ///< true if the integrator is new in this way
};

/// Position in a run of several stages.
struct StageState {
  std::uint64_t number = 0;                 ///< number of the stage, from 0
  std::string name;                         ///< name of the stage; empty: the scene has none
  std::uint64_t first_step = 0;             ///< number of steps before it
  double first_time = 0;                    ///< time when it began [s]
  std::optional<std::uint64_t> held_since;  ///< step since which its metric has been where it must be
  std::string ended;                        ///< reason for its end; empty: it is not over
  std::vector<StageRecord> before;          ///< stages that are over
};

/// Copy of the state between two steps.
struct Snapshot {
  std::uint64_t step = 0;
  double time = 0;
  std::vector<TableCopy> tables;       ///< bodies, bonds, further ones
  std::vector<Id> attached, released;  ///< parts of the log of bodies, like TableCopy::edits
  HistoryTable history;
  std::optional<ContactView> contacts;  ///< contacts of the last step, if a modifier is about to see them
  std::map<Id, World::Prescribed> prescribed;
  std::map<Id, Vec3> surface_velocities;
  PeriodicCell cell, reference_cell;
  std::vector<Bonds::Tolerated> tolerated;
  std::map<std::string, double> figures;
  MethodStates methods;
  RunTally tally;
  std::string plugins;  ///< plugins that decided the state: plugins_to_text()
  StepClock clock;
  std::string scene;                      ///< Scene::decisive of the current scene; empty: unknown
  std::vector<std::string> interactions;  ///< by number, meaning_of_history()
  StageState stage;
};

/// Returns an observer's name in RunTally::frames: the name of its type, with a number from the second one of the type
/// on.
SCREE_API std::string frames_key(const Prepared& prepared, std::size_t observer);

/// Returns a modifier's name, made like frames_key().
SCREE_API std::string modifier_key(const Prepared& prepared, std::size_t modifier);

/// Returns the results of save() of all methods. Separate from take_snapshot(), since a plugin's code may throw.
/// \param with_observers  true if observers have begun
SCREE_API MethodStates states_of(const Prepared& prepared, bool with_observers);

/// Takes a snapshot.
SCREE_API Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally, MethodStates states);
inline Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally) {
  return take_snapshot(prepared, tally, states_of(prepared, false));
}

/// Identity that a run must share with a checkpoint to resume from it.
struct RunIdentity {
  struct File {
    std::string pointer;  ///< pointer to the scene's value that names it, e.g. "/shapes/cow/file"
    std::filesystem::path path;
    std::uint64_t checksum = 0;
  };
  std::uint64_t fingerprint = 0;  ///< fingerprint of the scene
  std::vector<File> files;        ///< files that the scene names; their paths may differ
};

/// Reads the files that the scene names, and returns their checksums and the scene's fingerprint.
/// \throws IoError
SCREE_API RunIdentity identity_of(const Scene& scene);

/// Compares the plugins that decided a snapshot with those of the prepared run.
/// \param file        for messages
/// \param same_scene  true if every plugin of the snapshot must be used now
/// \return warnings: plugins of the same version from other files
/// \throws InputError if a plugin has another version now, or is missing
SCREE_API std::vector<std::string> compare_plugins(const std::filesystem::path& file, const Snapshot& snapshot,
                                                   const Prepared& prepared, bool same_scene = true);

/// Checks that a snapshot fits the freshly prepared run of its scene: every index, id and number is one that a run can
/// have. Nothing is changed.
/// \param file  for messages
/// \throws IoError naming the array
SCREE_API void check_snapshot(const std::filesystem::path& file, const Snapshot& snapshot, const Prepared& prepared);

/// Restores a snapshot in a freshly prepared run of the same scene. Observers get their state when they have begun.
/// \pre check_snapshot() found nothing
/// \throws IoError if a modifier refuses its state
SCREE_API void restore(const Snapshot& snapshot, Prepared& prepared);

/// Writes a checkpoint.
/// \throws IoError
SCREE_API void write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot,
                                const RunIdentity& identity);

/// Checkpoint as it was written, of any scene.
struct Checkpoint {
  Snapshot snapshot;
  std::string fingerprint;               ///< fingerprint of the scene, hexadecimal
  std::vector<std::string> pointers;     ///< pointers to the files that it named
  std::vector<std::uint64_t> checksums;  ///< checksums of these files
  bool of_scene(const RunIdentity& identity) const;
};

/// Opens a checkpoint. Takes at most a few times the memory of the file's size.
/// \throws InputError for a checkpoint of another version; IoError if the file cannot be read or is damaged
SCREE_API Checkpoint open_checkpoint(const std::filesystem::path& file);

/// Checks the files that both scenes name at the same place. \throws InputError if one has changed since
SCREE_API void check_files(const std::filesystem::path& file, const Checkpoint& checkpoint,
                           const RunIdentity& identity);

/// Reads a checkpoint to go on with the same scene.
/// \throws InputError for a checkpoint of another scene or version, or if the files of its scene had other contents;
/// IoError if the file cannot be read or is damaged
SCREE_API Snapshot read_checkpoint(const std::filesystem::path& file, const RunIdentity& identity);

}  // namespace scree
