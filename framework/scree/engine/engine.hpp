#pragma once
/// \file Engine that advances a run: the host, or a device. Chosen by --device; a plugin may register further ones.

#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/clock.hpp"
#include "scree/engine/step_clock.hpp"
#include "scree/engine/wanted.hpp"
#include "scree/hooks/bond_values.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/hooks/history_store.hpp"
#include "scree/hooks/history_table.hpp"
#include "scree/model/methods.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Input of an engine. All of it outlives the engine.
struct EnginePlan {
  World& world;
  const Methods& methods;
  double dt;               ///< [s]
  TimeOrigin origin = {};  ///< World::time follows from it: TimeOrigin::time_at()
};

/// Counts of contacts over some steps.
struct StepCounts {
  double candidate_pairs = 0, touching_pairs = 0, contacts = 0, history_hits = 0;  ///< sums over the steps
  double max_overlap = 0;                                                          ///< largest overlap [m]
  double max_overlap_time = 0;                                                     ///< time of the largest overlap [s]
  HastyContact hasty;                                                              ///< shortest contact
  double bodies = 0;                                                               ///< sum of bodies over the steps
  double divided = 0;  ///< number of steps in which each rank advanced its own bodies only
};

/// Advances the World by whole steps with the methods of a plan, and reports the results. Between calls, bodies are in
/// the World's columns; the engine keeps contacts and their history.
///
/// An engine is made for one plan. Its factory throws InputError for a plan that it cannot serve. The error names the
/// method or shape that is not supported, and a remedy. Calls come from one thread.
class SCREE_API Engine : public HistoryStore {
 public:
  ~Engine() override;

  /// Makes up to `count` steps; World::step and World::time count along. Everything that acts between steps comes
  /// before the first or after the last of them, so an engine need not return in between.
  /// \param last   results wanted after the last step
  /// \param pause  called after each step, or as often as suits the engine: true ends the call early
  /// \throws NumericalError, InternalError; World::step is then the last whole step
  virtual void advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) = 0;

  /// Reports bodies that were added, removed or moved between steps by others. Called before the next advance().
  virtual void edited(const EditLog& edits) = 0;

  /// Finds the contacts of the initial state, without changing it or the history.
  virtual void find_contacts(const Wanted& wanted) = 0;

  /// Keeps results in place during its lifetime: contacts(), totals(), energies and the columns "force" and "torque"
  /// are those of the state after the last step. Null if there is nothing to keep.
  class SCREE_API Observation {
   public:
    virtual ~Observation();
  };
  /// Provides the wanted results of the state after the last step.
  /// \param anew  true after restore(): no step has left results. Methods that solve for impulses then have contacts
  ///              without forces
  virtual std::unique_ptr<Observation> observe(const Wanted& wanted, bool anew = false) = 0;

  /// Returns the contacts of the last evaluation that recorded them, ordered by (a, b, image, feature).
  virtual ContactView contacts() const = 0;
  /// Returns the totals of the last evaluation.
  virtual ContactTotals totals() const = 0;
  /// Returns the energy in bonds [J].
  virtual double bond_energy() = 0;
  /// Returns the values of bonds that laws report at the World's state.
  virtual BondValues bond_values() = 0;
  /// Returns the largest time step at which bonds are stable, if it is known before the run [s].
  virtual double stable_time_step() = 0;

  /// Returns the counts of all steps since the last call.
  virtual StepCounts take_counts() = 0;
  /// Number of rebuilds of the pair lists; a resumed run continues the count.
  virtual std::uint64_t rebuilds() const = 0;
  virtual void set_rebuilds(std::uint64_t rebuilds) = 0;
  virtual StageSeconds seconds() const = 0;

  /// Returns all committed history.
  virtual HistoryTable history() const = 0;
  /// Continues from history after the World was filled from a snapshot, like the engine that had this history.
  virtual void restore(const HistoryTable& history) = 0;
};

/// Makes the engine for this machine's processors.
SCREE_API std::unique_ptr<Engine> make_host_engine(const EnginePlan& plan);

}  // namespace scree
