#pragma once
/// \file Contacts on the host: pair lists, contact history, and the evaluation of both.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/contacts/decomposition/curve_partition.hpp"
#include "scree/contacts/evaluation/contact_evaluation.hpp"
#include "scree/contacts/history/contact_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"

namespace scree {

/// Contacts on the host.
class SCREE_API ContactPipeline {
 public:
  /// Divides the work on contacts among the ranks of the calling thread.
  ContactPipeline(World& world, const Methods& methods);
  ~ContactPipeline();
  ContactPipeline(const ContactPipeline&) = delete;
  ContactPipeline& operator=(const ContactPipeline&) = delete;

  /// Rebuilds the pair lists for the bodies' present positions. \p reorder puts the World's rows into canonical order
  /// first: only between steps. History moves along with its pairs.
  void rebuild(bool reorder) { rebuild(reorder, methods_.skin); }
  /// Rebuilds the pair lists with another skin [m]. \param dt  size of the next steps, so that fast bodies may move
  /// farther; 0: unknown
  void rebuild(bool reorder, double skin, double dt = 0);
  /// Rebuilds the pair lists at the reference positions stored in the World (after a resume): gives the saved run's
  /// lists.
  void rebuild_at_reference();

  /// Checks whether lists must be rebuilt before bodies have moved on for \p ahead seconds. Collective over ranks.
  bool stale(double ahead) const;
  /// Checks the same when displacements of all bodies are known, including ends of slender ones.
  bool stale(double ahead, double largest_squared_way) const;
  /// Functions of PairLists.
  double squared_way_of_ends(double ahead) const { return lists_.squared_way_of_ends(ahead, rows_.own()); }
  double turning_reach() const { return lists_.turning_reach(); }
  BodyWays ways(double ahead) const { return lists_.ways(ahead); }
  bool some_alone() const { return lists_.some_alone(); }
  bool looks_ahead() const { return lists_.looks_ahead(); }
  double skin_for(double dt) const { return lists_.skin_for(dt); }
  void couplings(std::vector<BodyPair>& out) const { lists_.couplings(out); }

  /// Partition of the curve among ranks. No result depends on it.
  CurvePartition& shares() { return shares_; }
  /// Divides rows wherever possible: from here on, each rank advances and reads only its own bodies. Rows of other
  /// ranks are stale. \pre all ranks hold the state of all bodies
  void divide_rows();
  /// Gives all ranks the state of all bodies again. Collective over ranks.
  void join_rows();
  /// Gives all ranks the state of all bodies, but only until the next rebuild.
  void come_together();
  bool rows_are_divided() const { return rows_.divided(); }
  /// Functions of Decomposition.
  std::span<const RowRange> own_rows() const { return rows_.own(); }
  std::uint64_t rows_version() const { return rows_.version(); }
  /// Fetches the states of ghosts: other ranks' bodies that contacts or bonds of this rank need. Collective over ranks,
  /// while rows are divided.
  void fetch_states() { rows_.halo().exchange_states(world_); }
  /// Returns the largest value over all ranks of a number found from own rows.
  double largest_of_all(double of_own_rows) const;
  /// Partitions the curve again, and makes the same lists again. Collective over ranks, before an evaluation.
  void deal_anew();

  /// Results that evaluations keep beyond forces.
  void keep_records(bool keep) { evaluation_.keep_records = keep; }
  void compute_energy(bool compute) { evaluation_.compute_energy = compute; }
  void keep_parts(bool keep) { evaluation_.keep_parts = keep; }
  /// Last evaluation.
  const ContactEvaluation& evaluation() const { return evaluation_; }

  /// Prepares evaluate() where rows may be divided: balances the load again if it pays, and fetches the states of
  /// ghosts. Collective over ranks.
  void prepare_evaluation();
  /// Adds time of other work that ranks share, such as bonds, to the comparison of their times. \param time  [s]
  void note_work(double time) { other_work_ += time; }
  /// Computes forces and torques on all bodies at the World's state, from committed history.
  /// \param dt, lag  see Mechanics::forces()
  /// \param others   further wrenches on bodies (bonds), by row; or empty
  /// \param update   treatment of this evaluation's history
  void evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque,
                HistoryUpdate update);
  /// Finds contacts at the World's state with their cones, instead of forces; writes external wrenches only.
  /// \param others  further wrenches on bodies, see evaluate()
  /// \return see ImpulseProblem::contacts()
  std::span<const ConeContact> cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                     std::span<Vec3> torque) {
    return evaluation_.cones(dt, others, force, torque);
  }
  /// Accepts the answers of a solver: see ImpulseProblem::accept() and EnergyProblem::accept_forces(). It adds the
  /// impulses' forces to the external wrenches. Contacts that do not push no longer count, and have no records.
  /// \param dt [s] duration of the impulses; 1 for forces
  /// \param history  true to keep impulses as history
  void accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force, std::span<Vec3> torque) {
    evaluation_.accept(impulses, dt, history, force, torque);
  }
  /// Finds contacts at the World's state with their energies. \return see EnergyProblem::potentials()
  std::span<const PotentialContact> potentials() { return evaluation_.potentials(); }
  /// Computes gravity, damping and other wrenches on bodies, at the World's state.
  void external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const {
    evaluation_.external(others, force, torque);
  }
  /// Finds contacts at the World's state with their overlaps: counts, and records without forces.
  void detect() { evaluation_.detect(); }
  /// Commits the history of the last evaluation that kept a trial.
  void commit_trial() { history_.commit_trial(); }

  const ContactTotals& counts() const { return evaluation_.totals(); }
  /// Returns the records of the last evaluation that kept them, by current images; also after a rebuild.
  ContactView contact_view() const { return evaluation_.records(); }
  /// Returns all committed history.
  HistoryTable history() const { return history_.table(); }
  /// Functions of ContactHistory.
  std::vector<HistoryRecord> history_of(std::span<const Id> bodies) const { return history_.of_bodies(bodies); }
  void insert(std::span<const HistoryRecord> records) { history_.insert(records); }

  std::uint64_t rebuilds = 0;
  StageSeconds seconds;

 private:
  void wrap();
  void note_effort();
  void prepare_for_lists();
  void complete_evaluation();
  void divide_if_possible();
  void renew(const PairLists::Settled& settled);
  void list_pairs(const PairLists::Settled& settled);
  void meet_neighbours(const PairLists::Settled& settled);
  ListedPart own_part() const;

  World& world_;
  const Methods& methods_;
  std::uint64_t evaluations_ = 0;    ///< number of evaluations since the last rebuild
  double seconds_of_lists_ = 0;      ///< duration of the last rebuild [s]
  double seconds_of_new_lists_ = 0;  ///< duration of the last rebuild [s]; 0 once ranks have compared it
  double other_work_ = 0;            ///< see note_work() [s]
  PairLists lists_;
  CurvePartition shares_;
  Decomposition rows_;
  bool divide_ = false;  ///< divides rows wherever possible
  ContactHistory history_;
  ContactEvaluation evaluation_;
};

}  // namespace scree
