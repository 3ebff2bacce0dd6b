#pragma once
/// \file A prepared scene in time: what a step is, and what is counted. Simulation and Run drive it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scree/engine/engine.hpp"
#include "scree/run/carry_over.hpp"
#include "scree/run/checkpoint.hpp"
#include "scree/setup/fast_bodies.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// OpenMP's number of threads for the calling thread, while it lives.
class ThreadCount {
 public:
  /// \param threads  0: as it is
  explicit ThreadCount(int threads);
  ~ThreadCount();
  ThreadCount(const ThreadCount&) = delete;
  ThreadCount& operator=(const ThreadCount&) = delete;

 private:
  int before_;
};

class Stepper {
 public:
  /// \param scene, registry  live longer; the scene has no stages
  /// \param device           name of the engine
  Stepper(const Scene& scene, const Registry& registry, const std::string& device);

  const Scene& scene() const { return *scene_; }
  World& world() { return *prepared_->world; }
  const World& world() const { return *prepared_->world; }
  Prepared& prepared() { return *prepared_; }
  const Prepared& prepared() const { return *prepared_; }
  Engine& engine() { return *prepared_->engine; }
  Vec3 gravity() const { return gravity_at(prepared_->methods.environment, world().time); }

  /// From the scene's own initial state. \throws InputError for bodies that overlap too much
  void begin(Wanted wanted);
  /// From the snapshot of a checkpoint, of this scene or of another one that it may go on with. Nothing is changed
  /// before all of it was judged. \param file  for messages
  /// \return how the scenes differ  \throws InputError, IoError
  std::vector<std::string> resume(Snapshot saved, const std::string& file);
  /// From a snapshot of this scene, at any time.
  void go_back(const Snapshot& snapshot);
  /// From here on another scene holds, that bodies may go on with. \param scene  lives longer
  /// \param states  of methods, observers' included; load_observers() is to follow where these are used
  /// \return how the scenes differ  \throws InputError
  std::vector<std::string> go_on_with(const Scene& scene, MethodStates states);

  /// Makes up to `count` steps, modifiers that are due and what the caller has changed included.
  /// \param last   what is looked at after the last one
  /// \param pause  as of Engine::advance()
  void advance(std::uint64_t count, Wanted last, const std::function<bool()>& pause = {});
  /// After advance(): see Engine::observe().
  std::unique_ptr<Engine::Observation> observe(Wanted wanted, bool anew = false);

  Snapshot snapshot() const { return snapshot(states_of(*prepared_, false)); }
  /// \param states  of methods, taken before
  Snapshot snapshot(MethodStates states) const;
  /// Of all engines so far.
  StageSeconds seconds() const;
  /// After resume(): hands observers' states to others of their kind, which write elsewhere. What they refuse is heard
  /// before a file of the run is changed. \throws InputError, IoError
  void rehearse_states() const;
  /// After resume(), when observers have begun: hands each the state it had, if it was there.
  void load_observers();

  /// Where it is: "in" a step, "before" or "after" one.
  std::string_view moment = "before";
  RunTally tally;
  StageState stage;                          ///< kept in snapshots
  double body_steps = 0, divided_steps = 0;  ///< see StepCounts
  std::optional<FastBody> fast_body;         ///< the first that was seen to go farther than its diameter in a step
  double fast_body_time = 0;                 ///< when [s]

 private:
  /// With what modifiers want that are due after this many steps.
  Wanted with_modifiers(Wanted wanted, std::uint64_t step) const;
  std::uint64_t steps_to_modifier(std::uint64_t most) const;
  void modify();
  /// What changed, to engine and modifiers; and to observers too.
  void tell_methods(const EditLog& edits);
  void tell(const EditLog& edits);
  void require_closed_columns();
  void watch_fast_bodies();
  void count();
  void edit(const CarriedOver& carried);
  void forget_engine();

  const Scene* scene_;
  const Registry& registry_;
  std::string device_;
  std::unique_ptr<Prepared> prepared_;
  std::map<std::string, std::vector<std::byte>> observer_states_;  ///< of the checkpoint
  StageSeconds before_;                                            ///< of engines that are gone
};

}  // namespace scree
