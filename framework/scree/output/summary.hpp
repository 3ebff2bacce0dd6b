#pragma once
/// \file Summary of a run: summary.json.

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// Plugin that a run uses.
struct PluginRecord {
  std::string name, version;
  std::string hash;  ///< hash of its file's content, hexadecimal
};

/// Part of a run that has ended, or in which the run ended.
struct StageRecord {
  std::string name;
  std::uint64_t first_step = 0, steps = 0;  ///< number of steps before it, and in it
  double start = 0, end = 0;                ///< [s]
  std::string ended;                        ///< reason for its end; empty: the run ended in it
};

/// Summary of a run. Fields appear in the file in this order under these names; numbers that are not finite become
/// null.
struct Summary {
  std::string scene;
  std::string status;  ///< "completed", "interrupted" or "failed"
  std::string reason;  ///< reason of failure; left out if it did not fail
  std::uint64_t steps = 0;
  double simulated_time = 0;  ///< [s]
  double dt = 0;              ///< length of the last step [s]
  double wall_seconds = 0;    ///< [s]
  StageSeconds stage_seconds;
  std::uint64_t bodies = 0;
  double particle_steps_per_second = 0;  ///< [1/s]
  double candidate_pairs_mean = 0;       ///< per step
  double touching_pairs_mean = 0;        ///< per step
  double contacts_mean = 0;              ///< per step
  double history_hits_mean = 0;          ///< per step: contacts that continue one of the previous step
  std::uint64_t rebuilds = 0;
  double max_overlap_ratio = 0;   ///< largest overlap in the last step / smallest radius [-]
  double peak_overlap_ratio = 0;  ///< largest overlap of all steps / smallest radius [-]
  double fewest_steps_of_a_contact =
      0;                              ///< number of steps of the shortest contact without dashpot; left out from 8 on
  double kinetic_energy_initial = 0;  ///< [J]
  double kinetic_energy_final = 0;    ///< [J]
  double energy_drift = 0;       ///< change of kinetic + potential energy over the run [J]; dissipation counts as well
  Vec3 momentum = Vec3::Zero();  ///< at the end [kg m/s]
  std::map<std::string, double>
      figures;      ///< metrics of the methods at the end (World::metrics()); left out if there are none
  int threads = 1;  ///< number of threads of each rank
  int ranks = 1;    ///< number of ranks; left out if there is one
  /// Balance between ranks. Left out for one rank.
  struct Sharing {
    double mean_waiting = 0, most_waiting = 0;  ///< time that ranks wait for each other and for messages [s]
    double divided_steps = 0;                   ///< number of steps in which each rank advanced only its own bodies
  } sharing;
  std::string device;      ///< "cpu" or "cuda"
  std::string state_hash;  ///< hash of the final state, hexadecimal
  std::string version;     ///< version of scree
  std::vector<PluginRecord> plugins;
  std::vector<StageRecord> stages;  ///< left out if the scene has no stages
  std::vector<std::string>
      warnings;  ///< warnings of the run, in the order given; of a resumed run since it was resumed
  std::vector<std::string>
      changes;  ///< changes of the scene since the checkpoint that the run resumed from; left out if there are none
};

/// Returns the text of summary.json.
SCREE_API std::string to_json(const Summary& summary);

/// Writes summary.json. \throws IoError
SCREE_API void write_summary(const std::filesystem::path& file, const Summary& summary);

}  // namespace scree
