#pragma once
/// \file A run from its first stage to its last: which scene holds, and what ends it. A scene without stages is one.

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "scree/run/figures.hpp"
#include "scree/run/stepper.hpp"

namespace scree {

/// "until kinetic_energy_J is below 1e-06 for 0.01 s, 2 s at most"
std::string end_text(const StageEndDef& until);

/// How long a run takes at most, with all stages [s]. \param dt  counts for stages that end after a number of steps [s]
double longest_duration(const Scene& scene, double dt);

class Course {
 public:
  /// \param scene, registry  live longer
  /// \throws InputError for whatever is wrong with any stage
  Course(const Scene& scene, const Registry& registry, const std::string& device);

  Stepper& stepper() { return *stepper_; }
  const Stepper& stepper() const { return *stepper_; }
  const RunIdentity& identity() const { return identity_; }
  bool staged() const { return !scene_.stages.empty(); }
  std::size_t count() const { return stages_.size(); }
  std::size_t number() const { return static_cast<std::size_t>(stepper_->stage.number); }
  /// "" for a scene without stages.
  const std::string& name() const { return stages_[number()].name; }
  /// What the figures of all stages are to have.
  Figures::Choice figures() const;

  /// From a checkpoint, of this scene or of another one that it may go on with: then in the stage of the same number.
  /// \param same_scene  refuse any other
  /// \return how the scenes differ  \throws InputError, IoError
  std::vector<std::string> resume(const std::string& file, bool same_scene = false);
  /// From a snapshot of this run, at any time.
  void go_back(const Snapshot& snapshot);

  /// The step with which the stage ends, at the latest.
  std::uint64_t end() const;
  /// The next step after which the stage may end, or its figure is looked at.
  std::uint64_t next_look(std::uint64_t step) const;
  bool look_due(std::uint64_t step) const;
  /// After each of these steps: whether the stage is over.
  /// \param figures  of the current state, with all that Figures::Choice asks for
  /// \throws NumericalError at a limit that ends the run
  void look(Figures& figures);
  bool ended() const { return !stepper_->stage.ended.empty(); }
  bool last() const { return number() + 1 == stages_.size(); }
  bool over() const { return ended() && last(); }
  /// The next stage begins. \param states  as of Stepper::go_on_with()
  /// \return how its scene differs from that of the previous stage
  /// \pre ended(), not last()
  std::vector<std::string> next(MethodStates states);
  /// Of all stages up to the current one; none where the scene has none.
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
  RunIdentity identity_;  ///< before anything is made: files are as they were then
  std::vector<StageDef> stages_;
  std::unique_ptr<Stepper> stepper_;
};

}  // namespace scree
