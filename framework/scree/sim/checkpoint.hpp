#pragma once
/// \file Everything that decides the future of a run: taken, written, read, put back. A resumed run has the same bits.

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "scree/sim/history_table.hpp"
#include "scree/sim/row_copies.hpp"
#include "scree/sim/setup.hpp"

namespace scree {

/// Running sums of per-step counts, for the summary; they belong to the run, so they go into checkpoints.
struct RunTally {
  double candidate_pairs = 0, touching_pairs = 0, contacts = 0;  ///< summed over steps
  double history_hits = 0;                                       ///< summed over steps
  double max_overlap = 0;                                        ///< largest so far [m]
  double max_overlap_time = 0;                                   ///< when that was [s]
  double kinetic_initial = 0;                                    ///< [J]
  double energy_initial = 0;                                     ///< kinetic and potential at the start [J]
  std::uint64_t rebuilds = 0;
};

/// A copy of the state between two steps.
struct Snapshot {
  struct ColumnCopy {
    std::string name;
    ColumnType type;
    int components;
    RowCopies rows;
  };
  std::uint64_t step = 0;
  double time = 0;
  Id next_id = 0;
  std::size_t bodies = 0;
  std::vector<ColumnCopy> columns;
  HistoryTable history;
  std::map<Id, World::Member> members;
  Bonds bonds;
  std::map<std::string, double> figures;
  std::vector<std::vector<std::byte>> modifiers;
  RunTally tally;
};

SCREE_API Snapshot take_snapshot(const Prepared& prepared, const RunTally& tally);

/// Puts a snapshot back into a freshly prepared run of the same scene.
/// \throws IoError when columns or modifiers are not those of the scene
SCREE_API void restore(const Snapshot& snapshot, Prepared& prepared);

/// \param fingerprint  of the scene; a checkpoint of another one is refused
/// \throws IoError
SCREE_API void write_checkpoint(const std::filesystem::path& file, const Snapshot& snapshot, std::uint64_t fingerprint);

/// \throws InputError for a checkpoint of another scene or version; IoError when the file cannot be read
SCREE_API Snapshot read_checkpoint(const std::filesystem::path& file, std::uint64_t fingerprint);

}  // namespace scree
