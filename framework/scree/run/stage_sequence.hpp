#pragma once
/// \file Sequence of stages: a run from its first stage to its last. A scene without stages is one stage.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/run/metrics.hpp"
#include "scree/run/stepper.hpp"

namespace scree {

/// Returns the end of a stage as text: "until kinetic_energy_J is below 1e-06 for 0.01 s, 2 s at most".
std::string end_text(const StageEndDef& until);

/// Returns the longest duration of a run with all its stages [s]. \param dt  time step, for stages that end after a
/// number of steps [s]
double longest_duration(const Scene& scene, double dt);

/// Sequence of stages: holds the current stage, decides when it ends, and moves the state to the next one.
///
/// In a scene file a stage is a difference: the changes to the previous stage, and the end of the stage. When the scene
/// is read, each difference is applied, and every stage becomes a complete scene:
///
///   file                              in memory
///   scene                             Scene 1  = scene + change of stage 1
///   "stages": [ change 1, until 1     Scene 2  = Scene 1 + change 2
///               change 2, until 2 ]   Scene 3  = ...
///
/// A Stepper runs the scene of a stage, and knows nothing of stages. The next stage begins with a snapshot of the
/// finished one: it is transferred to the next scene (transfer_state()), then restored in a freshly prepared run of it.
/// A resume with a changed scene does the same, so both have the same rules and the same tests.
///
/// So a checkpoint needs only the number of its stage, and how far that is (StageState). Bodies, ids, time and history
/// carry over; history stays if law and detector are the same except for numbers.
///
/// Alternatives:
/// - A complete scene for each stage in the file: long, and what differs between stages is hard to see.
/// - A list of commands at given times ("set friction at 2 s"): each method would need code to change while it runs.
///   Here methods are made once for a scene and never change.
/// - Separate runs, each resumed from the last: possible with --resume, but ends by a metric, and one set of results
///   for all stages, would be left to scripts.
class StageSequence {
 public:
  /// \param scene, registry  outlive the sequence
  /// \throws InputError for any fault of any stage
  StageSequence(const Scene& scene, const Registry& registry, const std::string& device);

  Stepper& stepper() { return *stepper_; }
  const Stepper& stepper() const { return *stepper_; }
  const RunIdentity& identity() const { return identity_; }
  bool staged() const { return !scene_.stages.empty(); }
  std::size_t count() const { return stages_.size(); }
  std::size_t number() const { return static_cast<std::size_t>(stepper_->stage.number); }
  /// Name of the current stage; "" for a scene without stages.
  const std::string& name() const { return stages_[number()].name; }
  /// Returns the metrics that all stages need.
  Metrics::Choice metrics() const;

  /// Resumes from a checkpoint of this scene, or of another one that may be continued: then in the stage of the same
  /// number.
  /// \param same_scene  true to refuse any other
  /// \return differences of the scenes
  /// \throws InputError, IoError
  std::vector<std::string> resume(const std::string& file, bool same_scene = false);
  /// Goes back to a snapshot of this run, at any time.
  void go_back(const Snapshot& snapshot);

  /// Returns the last step of the stage.
  std::uint64_t end() const;
  /// Returns the next step after which the stage may end, or its metric is checked.
  std::uint64_t next_look(std::uint64_t step) const;
  /// Checks whether look() is due after this step.
  bool look_due(std::uint64_t step) const;
  /// Checks whether the stage is over; called after each step for which look_due().
  /// \param metrics  with all that StageSequence::metrics() selects
  /// \throws NumericalError at a limit that ends the run
  void look(Metrics& metrics);
  bool ended() const { return !stepper_->stage.ended.empty(); }
  bool last() const { return number() + 1 == stages_.size(); }
  bool over() const { return ended() && last(); }
  /// Begins the next stage. \param states  see Stepper::continue_with()
  /// \return differences of its scene from that of the previous stage
  /// \pre ended(), not last()
  std::vector<std::string> next(MethodStates states);
  /// Returns records of all stages up to the current one; none if the scene has no stages.
  std::vector<StageRecord> records() const;

 private:
  std::vector<std::string> resume_unguarded(const std::string& file, bool same_scene);
  const StageEndDef& until() const { return stages_[number()].until; }
  const StepClock& clock() const { return stepper_->prepared().clock; }
  StageRecord record() const;
  std::uint64_t look_steps() const;
  void judge(double value);
  void look_at_end();
  static void begin_stage(const std::string& name, Snapshot& snapshot);
  void make_stepper(std::uint64_t number);

  const Scene& scene_;
  const Registry& registry_;
  std::string device_;
  RunIdentity identity_;  ///< identity before anything is made: of the files as they were then
  std::vector<StageDef> stages_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace scree
