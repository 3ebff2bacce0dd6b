#pragma once
/// \file A prepared scene in time: what a step is, and what is counted. Simulation and Run drive it.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "scree/engine/engine.hpp"
#include "scree/run/checkpoint.hpp"
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
  /// \param scene, registry  live longer
  /// \param device           name of the engine
  Stepper(const Scene& scene, const Registry& registry, const std::string& device);

  const Scene& scene() const { return scene_; }
  World& world() { return *prepared_->world; }
  const World& world() const { return *prepared_->world; }
  Prepared& prepared() { return *prepared_; }
  const Prepared& prepared() const { return *prepared_; }
  Engine& engine() { return *prepared_->engine; }
  const RunIdentity& identity() const { return identity_; }
  Vec3 gravity() const { return gravity_at(prepared_->methods.environment, world().time); }

  /// From the scene's own initial state. \throws InputError for bodies that overlap too much
  void begin(Wanted wanted);
  /// From a checkpoint. Nothing is changed before all of it was judged. \throws InputError, IoError
  void resume(const std::string& checkpoint);
  /// From a snapshot of this scene, at any time.
  void go_back(const Snapshot& snapshot);

  /// Makes up to `count` steps, modifiers that are due and what the caller has changed included.
  /// \param last   what is looked at after the last one
  /// \param pause  as of Engine::advance()
  void advance(std::uint64_t count, Wanted last, const std::function<bool()>& pause = {});
  /// After advance(): see Engine::observe().
  std::unique_ptr<Engine::Observation> observe(Wanted wanted, bool anew = false);

  Snapshot snapshot() const { return take_snapshot(*prepared_, tally); }
  /// \param states  of methods, taken before
  Snapshot snapshot(MethodStates states) const { return take_snapshot(*prepared_, tally, std::move(states)); }
  /// After resume(), when observers have begun: hands each the state it had, if it was there.
  void load_observers();

  /// Where it is: "in" a step, "before" or "after" one.
  std::string_view moment = "before";
  RunTally tally;
  double body_steps = 0;

 private:
  /// With what modifiers want that are due after so many steps.
  Wanted with_modifiers(Wanted wanted, std::uint64_t step) const;
  std::uint64_t steps_to_modifier(std::uint64_t most) const;
  void modify();
  void tell(const EditLog& edits);
  void require_closed_columns();
  void count();

  const Scene& scene_;
  const Registry& registry_;
  std::string device_;
  RunIdentity identity_;  ///< before anything is made: files are as they were then
  std::unique_ptr<Prepared> prepared_;
  std::map<std::string, std::vector<std::byte>> observer_states_;  ///< of the checkpoint
};

}  // namespace scree
