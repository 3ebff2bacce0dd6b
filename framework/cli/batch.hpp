#pragma once
/// \file Batch of runs of one scene in one folder, as processes of their own: common part of `scree sweep` and `scree
/// compare`.
///
///   FOLDER/NAME/          results of a run, as `scree run` leaves them
///   FOLDER/logs/NAME.log  its output
///   FOLDER/runs.json      how each was started and ended, so that the batch resumes where it stopped

#include <filesystem>
#include <string>
#include <vector>

#include "cli/command_line.hpp"
#include "scree/scene/scene.hpp"

namespace scree::cli {

/// One run of the batch.
struct BatchRun {
  std::string name;               ///< name of its folder
  std::vector<std::string> sets;  ///< arguments of --set
  std::string refusal;            ///< reason why it cannot be started; empty: it can
};

/// End of a run.
struct BatchOutcome {
  int exit_code = -1;   ///< exit code of `scree run`; -1: it was not started
  std::string message;  ///< reason of failure
  bool completed() const { return exit_code == 0; }
};

struct BatchOptions {
  std::filesystem::path out;
  int jobs = 0;     ///< number of runs at once; 0: as many as the machine has cores
  int threads = 0;  ///< number of threads of each run; 0: all cores, divided among the runs
  bool quiet = false;
  std::string result;               ///< name of the table in the folder, "sweep.csv"
  std::vector<std::string> passed;  ///< further options of each run
};

class Batch {
 public:
  /// Reads the notes of an earlier batch in the folder; writes nothing.
  /// \param scene  scene without the changes of the runs
  /// \throws InputError if the folder has runs of another scene, or of these names with other options
  Batch(const Scene& scene, std::vector<BatchRun> runs, BatchOptions options);

  /// Makes the runs that are not done. \return false if interrupted  \throws IoError
  bool run();

  const std::vector<BatchRun>& runs() const { return runs_; }
  const std::vector<BatchOutcome>& outcomes() const { return outcomes_; }
  std::filesystem::path folder_of(std::size_t run) const { return options_.out / runs_[run].name; }
  std::filesystem::path log_of(std::size_t run) const { return options_.out / "logs" / (runs_[run].name + ".log"); }
  /// Returns 130 if interrupted, else the exit code of the first run that failed, else 0.
  int exit_code() const;
  /// Returns a line for each run that failed.
  std::string failures() const;

 private:
  std::vector<std::string> arguments_of(std::size_t run) const;
  void look_back();
  void write_notes() const;
  void note_end(std::size_t run, int exit_code);
  void tell_end(std::size_t run) const;

  const Scene& scene_;
  std::vector<BatchRun> runs_;
  BatchOptions options_;
  std::vector<BatchOutcome> outcomes_;
  std::string earlier_;  ///< text of runs.json of an earlier batch
  std::string scene_hash_;
  int threads_ = 1;
  std::size_t ended_ = 0;
  bool interrupted_ = false;
};

/// Adds --out, --figures, --from, --jobs, --threads, --device, --quiet, --set, --allow-path and the options of plugins.
/// \param kind     "sweep" or "compare"
/// \param figures  default metrics, for the help
void add_batch_options(CommandLine& line, const std::string& kind, const std::string& figures);
/// Reads the options.
/// \param kind  "sweep" or "compare"; results go to out/<scene name>_<kind> by default
/// \throws InputError
BatchOptions batch_options(const CommandLine& line, const Scene& scene, const std::string& kind);

}  // namespace scree::cli
