#pragma once
/// \file A prepared scene in time: what a step is, and what is counted. Simulation and Run drive it.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

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

/// What somebody looks at after a step.
struct Wanted {
  bool contacts = false;  ///< records of them
  bool energies = false;  ///< of contacts
  bool forces = false;    ///< columns "force" and "torque"
};

class Stepper {
 public:
  /// \param scene, registry  live longer
  Stepper(const Scene& scene, const Registry& registry);

  const Scene& scene() const { return scene_; }
  World& world() { return *prepared_->world; }
  const World& world() const { return *prepared_->world; }
  Prepared& prepared() { return *prepared_; }
  const Prepared& prepared() const { return *prepared_; }
  HostMechanics& mechanics() { return *prepared_->mechanics; }
  const RunIdentity& identity() const { return identity_; }
  Vec3 gravity() const { return gravity_at(prepared_->methods.environment, world().time); }

  /// From the scene's own initial state. \throws InputError for bodies that overlap too much
  void begin(Wanted wanted);
  /// From a checkpoint. Nothing is changed before all of it was judged. \throws InputError, IoError
  void resume(const std::string& checkpoint);
  /// From a snapshot of this scene, at any time.
  void go_back(const Snapshot& snapshot);

  /// Modifiers that are due, what the caller has changed, and one step.
  void advance(Wanted wanted);
  /// After advance(), for who looks at the state while the result lives: evaluates it once more, where the step itself
  /// has not seen the state after it; else empty.
  std::optional<HostMechanics::Sight> look(Wanted wanted);
  /// The same, whatever the step has seen.
  HostMechanics::Sight look_anew(Wanted wanted);

  Snapshot snapshot() const { return take_snapshot(*prepared_, tally); }
  /// \param modifiers  their states, taken before
  Snapshot snapshot(std::vector<std::vector<std::byte>> modifiers) const {
    return take_snapshot(*prepared_, tally, std::move(modifiers));
  }

  /// Where it is: "in" a step, "before" or "after" one.
  std::string_view moment = "before";
  RunTally tally;
  double integrate_seconds = 0, body_steps = 0;

 private:
  bool modifier_wants_contacts(std::uint64_t step) const;
  void keep(Wanted wanted, std::uint64_t step);
  void modify();
  void step(Wanted wanted);
  void count();

  const Scene& scene_;
  const Registry& registry_;
  RunIdentity identity_;  ///< before anything is made: files are as they were then
  std::unique_ptr<Prepared> prepared_;
};

}  // namespace scree
