#pragma once
/// \file What advances a run: the host, or a device. Chosen by --device; a plugin may register further ones.

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
#include "scree/world/world.hpp"

namespace scree {

struct Methods;

/// What an engine is to run. All of it lives longer than the engine.
struct EnginePlan {
  World& world;
  const Methods& methods;  ///< scree/contacts/methods.hpp
  double dt;               ///< [s]
  TimeOrigin origin = {};  ///< World::time follows from it: TimeOrigin::time_at()
};

/// Counts of contacts in some steps.
struct StepCounts {
  double candidate_pairs = 0, touching_pairs = 0, contacts = 0, history_hits = 0;  ///< sums over the steps
  double max_overlap = 0;                                                          ///< the largest [m]
  double max_overlap_time = 0;                                                     ///< when that was [s]
  HastyContact hasty;                                                              ///< the shortest
  double bodies = 0;                                                               ///< sum over the steps
  double divided = 0;  ///< steps in which each rank advanced bodies of its own alone
};

/// Advances the World by whole steps with the methods of a plan, and reports the results. Bodies are in the World's
/// columns between calls, contacts and their history with the engine.
///
/// An engine is made for one plan. Its factory throws InputError for a plan that it cannot serve: which method or shape
/// it lacks, and what would help. Calls come from one thread.
class SCREE_API Engine : public HistoryStore {
 public:
  ~Engine() override;

  /// Makes up to `count` steps; World::step and World::time count along. Everything that acts between steps lies
  /// before the first or after the last of them, so an engine need not come back in between.
  /// \param last   what is looked at after the last one
  /// \param pause  asked after each step, or as often as suits the engine: true ends the call early
  /// \throws NumericalError, InternalError; World::step is the last whole step then
  virtual void advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) = 0;

  /// What was changed between steps by others: bodies that came, went or were moved. Called before the next advance().
  virtual void edited(const EditLog& edits) = 0;

  /// Finds the contacts of the initial state, and leaves no trace in it or in history.
  virtual void find_contacts(const Wanted& wanted) = 0;

  /// While it lives, contacts(), totals(), energies and the columns "force" and "torque" are of the state after the
  /// last step. Null where there is nothing to hold.
  class SCREE_API Observation {
   public:
    virtual ~Observation();
  };
  /// \param anew  after restore(): the step itself has left nothing to look at. Methods that solve for impulses have
  ///              contacts without forces then
  virtual std::unique_ptr<Observation> observe(const Wanted& wanted, bool anew = false) = 0;

  /// Those of the last evaluation that was to record them, ordered by (a, b, image, feature).
  virtual ContactView contacts() const = 0;
  /// Of the last evaluation.
  virtual ContactTotals totals() const = 0;
  /// Energy in bonds [J].
  virtual double bond_energy() = 0;
  /// What laws tell of bonds at the World's state.
  virtual BondValues bond_values() = 0;
  /// The largest step at which bonds are stable, where that is known before the run [s].
  virtual double stable_time_step() = 0;

  /// Counts of all steps since they were taken last.
  virtual StepCounts take_counts() = 0;
  /// How often lists of pairs were renewed; a resumed run continues the count.
  virtual std::uint64_t rebuilds() const = 0;
  virtual void set_rebuilds(std::uint64_t rebuilds) = 0;
  virtual StageSeconds seconds() const = 0;

  /// All committed history.
  virtual HistoryTable history() const = 0;
  /// After the World was filled from a snapshot: continues like the engine that had this history.
  virtual void restore(const HistoryTable& history) = 0;
};

/// The engine of this machine's processors.
SCREE_API std::unique_ptr<Engine> make_host_engine(const EnginePlan& plan);

}  // namespace scree
