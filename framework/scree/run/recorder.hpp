#pragma once
/// \file Results of a run, as files: frames of observers, metrics.csv, checkpoints, summary.json, scene.json. Run and
/// Simulation drive it.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scree/base/ranks.hpp"
#include "scree/output/metrics.hpp"
#include "scree/output/output_folder.hpp"
#include "scree/output/summary.hpp"
#include "scree/run/dry_run.hpp"
#include "scree/run/stage_sequence.hpp"

namespace scree {

/// Steps of a sequence of stages with all that is due between them. Every rank has all bodies and makes all steps; only
/// the first writes files.
class Recorder {
 public:
  /// Receives notes for the user. Default: nobody.
  struct Notes {
    std::function<void(const std::string&)> warn = [](const std::string&) {}, note = warn;
    std::function<void()> stage_begins = [] {};
    std::function<void(const std::filesystem::path&)> saved = [](const std::filesystem::path&) {
    };  ///< a last checkpoint
  };

  /// \param sequence  outlives the recorder, as does the scene; nothing has begun
  /// \param stages    from dry_run_stages()
  /// \param out       output folder
  Recorder(const Scene& scene, StageSequence& sequence, std::vector<DryRunStage> stages, std::filesystem::path out,
           std::string device)
      : scene_(scene),
        sequence_(sequence),
        stages_(std::move(stages)),
        out_(std::move(out)),
        device_(std::move(device)) {}

  void tell(Notes notes) { notes_ = std::move(notes); }
  /// Tells a warning, and keeps it for the summary.
  void warn(const std::string& text);

  /// Begins, or resumes from a checkpoint file, and claims the folder. \throws InputError, IoError
  void start(const std::string& resume);
  /// Does what is due at the first moment. \param changed  true if bodies may have changed since start()
  void go_on(bool changed = false);
  /// Advances to this step at most: to the next one after which something is due, which is done then.
  /// \param also   results wanted there besides those that are needed
  /// \param pause  see Engine::advance()
  void advance(std::uint64_t most, Wanted also = {}, const std::function<bool()>& pause = {});
  bool finished() const;
  /// Takes the last good state. It counts the frames so far: if one of them were lost, a resumed run would not write it
  /// again.
  void renew_last_good();
  /// Writes the last good state, on the first rank.
  std::filesystem::path write_last_good(bool keep = false);
  /// Writes all frames to disk, at the end of a run.
  void flush();
  /// Tells how the present stage ended.
  void tell_stage_end();
  void summarise(const std::string& status, const std::string& reason = "", const Summary::Sharing& sharing = {});
  /// Returns the size of all results of this run and its observers in the folder, as text: "43.1 MB".
  std::string size_of_results();
  /// Ends a run that failed: saves what can be saved. \return the reason, with what was saved
  std::string fail(const std::string& what);
  double seconds() const;  ///< wall time since start()

  const std::filesystem::path& out() const { return out_; }
  /// Checks whether an earlier run has written into the folder.
  bool replaces() const { return folder_ && folder_->used(); }
  /// Returns the name of the resolved scene if it is not scene.json.
  const std::string& scene_file() const { return scene_file_; }
  /// Returns the changes of the scene since the checkpoint.
  const std::vector<std::string>& changes() const { return changes_; }
  std::uint64_t first_step() const { return first_step_; }

 private:
  Stepper& stepper() { return sequence_.stepper(); }
  Prepared& prepared() { return sequence_.stepper().prepared(); }
  const Prepared& prepared() const { return sequence_.stepper().prepared(); }
  World& world() { return sequence_.stepper().world(); }
  const World& world() const { return sequence_.stepper().world(); }
  const RunTally& tally() const { return sequence_.stepper().tally; }
  const Scene& scene() const { return sequence_.stepper().scene(); }
  const StepClock& clock() const { return prepared().clock; }
  /// Refuses to resume past the end: frames after the checkpoint would be deleted, and none written in their place.
  void refuse_past_the_end() const;
  /// Claims the output folder. Everything that may still refuse the run comes before the first file that is changed.
  void claim_folder(std::optional<double> resumed_at);
  void ready_observers();
  void open_observers();
  /// Writes frames up to now to disk before anything else refers to them.
  void flush_observers();
  void resume_observers();
  /// Checks whether a frame of the end, which is in no schedule, was written before the checkpoint, and the run ends
  /// there.
  bool has_end_frame(std::size_t observer) const;
  bool due(double interval, std::uint64_t step) const;
  /// Checks whether a row of metrics is due; also whenever the stage may end.
  bool metrics_due(std::uint64_t step) const;
  bool ends_at(std::uint64_t step) const;
  bool frame_due(const ScheduledObserver& o, std::uint64_t step) const;
  /// Checks whether a frame is possible: if a metric may end the last stage, writers may have their last frame.
  bool frame_possible(const ScheduledObserver& o, std::uint64_t step) const;
  Wanted wanted(std::uint64_t step) const;
  bool snapshot_due(std::uint64_t step) const;
  bool checkpoint_due(std::uint64_t step) const;
  /// Returns the next step after which there is something to do besides steps.
  std::uint64_t next_look(std::uint64_t step) const;
  /// Number of times that an observer was called by its schedule, which is the number of its next frame. It goes into
  /// checkpoints: a resumed run continues with the same numbers, also with another schedule.
  std::uint64_t& frames_of(std::size_t observer);
  /// Begins the next stage where this one ended, in the same files.
  void enter_next_stage();
  std::set<std::string> observer_names() const;
  /// Shows observers that came with the stage its first moment, if it is theirs. Those that are called once have no
  /// other, unless their time is still to come.
  void show_first_frames(const std::set<std::string>& known);
  /// Checks the end of a stage. If it ends the run, that is in the last row and in a checkpoint: the run can resume
  /// from there with another limit.
  void look_at_stage();
  /// Calls everything that needs the state after a step. The row of metrics comes before the checkpoint of the same
  /// moment.
  void observe(bool anew = false);
  /// Writes the last frame and row of this moment, after a resume at the end of a run that went on from there.
  void show_end();
  /// Checks again after a resume from the end of a stage that missed its limit.
  void look_again();
  void show_frames(std::uint64_t step);
  void show_frame(std::size_t observer);
  std::vector<GridImage> grid_images();
  /// Appends a row of metrics. \throws NumericalError for an energy that is no number: bodies may still be inside the
  /// domain
  void append_metrics();
  /// Checks metrics: no checkpoint would be taken with NaN. \throws NumericalError for a metric that is no number
  void require_numbers() const;
  /// Writes a checkpoint. \param keep  true to keep it permanently, beside the last few
  std::filesystem::path write_checkpoint(const Snapshot& snapshot, bool keep = false);
  std::string save_last_good();

  const Scene& scene_;
  StageSequence& sequence_;
  std::vector<DryRunStage> stages_;
  std::filesystem::path out_;
  std::string device_, resume_;
  Notes notes_;
  Ranks& ranks_ = current_ranks();
  std::vector<std::string> changes_, warnings_;
  std::uint64_t first_step_ = 0;
  std::optional<OutputFolder> folder_;
  std::vector<std::string> names_;  ///< names of the run's and its observers' results in the folder
  std::string scene_file_;
  std::optional<Metrics> metrics_;
  std::optional<MetricsWriter> metrics_file_;
  std::optional<Snapshot> last_good_;
  std::vector<std::filesystem::path> checkpoints_;
  double begin_ = 0, output_seconds_ = 0;  ///< [s]
};

}  // namespace scree
