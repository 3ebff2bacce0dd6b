#pragma once
/// \file Steps of a prepared scene, and their counts. Simulation and Run drive it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scree/engine/engine.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/run/transfer_state.hpp"
#include "scree/setup/fast_bodies.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// Sets OpenMP's number of threads for the calling thread, during its lifetime.
class ThreadCount {
 public:
  /// \param threads  0: no change
  explicit ThreadCount(int threads);
  ~ThreadCount();
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

class Stepper {
 public:
  /// \param scene, registry  outlive the stepper; the scene has no stages
  /// \param device           name of the engine
  Stepper(const Scene& scene, const Registry& registry, const std::string& device);

  const Scene& scene() const { return *scene_; }
  World& world() { return *prepared_->world; }
  const World& world() const { return *prepared_->world; }
  Prepared& prepared() { return *prepared_; }
  const Prepared& prepared() const { return *prepared_; }
  Engine& engine() { return *prepared_->engine; }
  Vec3 gravity() const { return gravity_at(prepared_->methods.environment, world().time); }

  /// Begins at the scene's own initial state. \throws InputError for bodies that overlap too much
  void begin(Wanted wanted);
  /// Resumes from the snapshot of a checkpoint, of this scene or of another one that may be continued. Nothing is
  /// changed before all of it was checked. \param file  for messages
  /// \return differences of the scenes
  /// \throws InputError, IoError
  std::vector<std::string> resume(Snapshot saved, const std::string& file);
  /// Goes back to a snapshot of this scene, at any time.
  void go_back(const Snapshot& snapshot);
  /// Continues with another scene that the bodies may go on with. \param scene  outlives the stepper
  /// \param states  states of methods, including observers; ready_observers() must follow if these are used
  /// \return differences of the scenes
  /// \throws InputError
  std::vector<std::string> continue_with(const Scene& scene, MethodStates states);

  /// Makes up to `count` steps, including due modifiers and changes by the caller.
  /// \param last   results wanted after the last step
  /// \param pause  see Engine::advance()
  void advance(std::uint64_t count, Wanted last, const std::function<bool()>& pause = {});
  /// Provides results after advance(): see Engine::observe().
  std::unique_ptr<Engine::Observation> observe(Wanted wanted, bool anew = false);

  Snapshot snapshot() const { return snapshot(states_of(*prepared_, false)); }
  /// Takes a snapshot. \param states  states of methods, taken before
  Snapshot snapshot(MethodStates states) const;
  /// Returns the times of all engines so far.
  StageSeconds seconds() const;
  /// Prepares observers for a run of this duration [s], and restores the states that a checkpoint or the last stage has
  /// of them. No file is touched. \throws InputError
  void ready_observers(double duration);

  /// Moment relative to a step: "in" it, "before" or "after" it.
  std::string_view moment = "before";
  RunTally tally;
  StageState stage;                          ///< kept in snapshots
  double body_steps = 0, divided_steps = 0;  ///< see StepCounts
  std::optional<FastBody> fast_body;         ///< first body that was seen to move farther than its diameter in a step
  double fast_body_time = 0;                 ///< time of that [s]

 private:
  /// Returns `wanted` with the results that modifiers due after this many steps need.
  Wanted with_modifiers(Wanted wanted, std::uint64_t step) const;
  std::uint64_t steps_to_modifier(std::uint64_t most) const;
  void modify();
  /// Returns the contacts of the last step, as modifiers see them.
  ContactView contacts() const { return contacts_ ? *contacts_ : prepared_->engine->contacts(); }
  void check_step_of_bonds();
  /// Reports changes to engine and modifiers.
  void tell_methods(const EditLog& edits);
  /// Reports changes to engine, modifiers and observers.
  void tell(const EditLog& edits);
  void require_closed_columns();
  void watch_fast_bodies();
  void count();
  void edit(const TransferredState& carried);
  void forget_engine();

  const Scene* scene_;
  const Registry& registry_;
  std::string device_;
  std::unique_ptr<Prepared> prepared_;
  std::map<std::string, std::vector<std::byte>> observer_states_;  ///< states in the checkpoint
  std::optional<ContactView> contacts_;                            ///< contacts of the snapshot it went back to
  StageSeconds before_;                                            ///< times of earlier engines
};

}  // namespace scree
