#pragma once
/// \file Contacts on the host: pair lists, what laws remember, and the evaluation of both.

#include <cstdint>
#include <span>
#include <vector>

#include "scree/base/clock.hpp"
#include "scree/contacts/evaluation/contact_evaluation.hpp"
#include "scree/contacts/history/contact_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/contacts/shares/curve_shares.hpp"

namespace scree {

class SCREE_API ContactPipeline {
 public:
  /// Shares the work on contacts among the ranks of the calling thread.
  ContactPipeline(World& world, const Methods& methods);
  ~ContactPipeline();
  ContactPipeline(const ContactPipeline&) = delete;
  ContactPipeline& operator=(const ContactPipeline&) = delete;

  /// Lists the pairs for the bodies' present positions. \p reorder puts the World's rows into canonical order first:
  /// only between steps. History moves along with its pairs.
  void rebuild(bool reorder) { rebuild(reorder, methods_.skin); }
  /// The same with a skin of one's own [m]. \param dt  of steps to come, so that fast bodies may go farther; 0: unknown
  void rebuild(bool reorder, double skin, double dt = 0);
  /// The same from the reference positions stored in the World (after a resume): gives the list the saved run had.
  void rebuild_at_reference();

  /// Whether lists must be made anew before bodies have moved on for \p ahead seconds. All ranks call it together.
  bool stale(double ahead) const;
  /// The same for who knows how far all bodies have gone, ends of slender ones too.
  bool stale(double ahead, double largest_squared_way) const;
  /// See PairLists for these.
  double squared_way_of_ends(double ahead) const { return lists_.squared_way_of_ends(ahead, rows_.own()); }
  double turning_reach() const { return lists_.turning_reach(); }
  BodyWays ways(double ahead) const { return lists_.ways(ahead); }
  bool some_alone() const { return lists_.some_alone(); }
  bool looks_ahead() const { return lists_.looks_ahead(); }
  double skin_for(double dt) const { return lists_.skin_for(dt); }
  void couplings(std::vector<BodyPair>& out) const { lists_.couplings(out); }

  /// Who works on what. No result depends on it.
  CurveShares& shares() { return shares_; }
  /// From here on, wherever that is possible, each rank advances and looks at bodies of its own alone. Others have the
  /// state of some time before. \pre all ranks hold the state of all bodies
  void divide_rows();
  /// All ranks have the state of all bodies again. All call it together.
  void join_rows();
  /// The same, but only until lists are made again.
  void come_together();
  bool rows_are_divided() const { return rows_.divided(); }
  /// See RowShares.
  std::span<const RowRange> own_rows() const { return rows_.own(); }
  std::uint64_t rows_version() const { return rows_.version(); }
  /// Of bodies of other ranks that contacts or bonds of this one see. All ranks call it together, where rows are
  /// divided.
  void fetch_states() { rows_.border().exchange_states(world_); }
  /// The largest of a number that was found from own rows.
  double largest_of_all(double of_own_rows) const;
  /// Deals the curve again, and makes the same lists again. All ranks call it together, before an evaluation.
  void deal_anew();

  /// What evaluations are to keep beyond forces.
  void keep_records(bool keep) { evaluation_.keep_records = keep; }
  void compute_energy(bool compute) { evaluation_.compute_energy = compute; }
  void keep_parts(bool keep) { evaluation_.keep_parts = keep; }
  /// The last one.
  const ContactEvaluation& evaluation() const { return evaluation_; }

  /// Before evaluate(), where rows may be divided: ranks share work anew where that pays, and hear of bodies that they
  /// see. All call it together.
  void prepare_evaluation();
  /// Other work that ranks share, as bonds, counts too where they compare their times. \param time  [s]
  void note_work(double time) { other_work_ += time; }
  /// Forces and torques on all bodies at the World's state, from committed history.
  /// \param dt, lag  see Mechanics::forces()
  /// \param others   what else acts on bodies (bonds), by row; or empty
  /// \param update   what becomes of the history of this evaluation
  void evaluate(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque,
                HistoryUpdate update);
  /// Contacts at the World's state with their cones, instead of forces; writes the external wrenches alone.
  /// \param others  as in evaluate()  \return see Cones::contacts()
  std::span<const ConeContact> cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                     std::span<Vec3> torque) {
    return evaluation_.cones(dt, others, force, torque);
  }
  /// See Cones::accept() and Potential::accept_forces(); adds the impulses' forces to the external wrenches. Contacts
  /// that do not push count no longer, and have no records. \param dt  [s] what forces are impulses over; 1 for forces
  /// \param history  impulses are kept as such
  void accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force, std::span<Vec3> torque) {
    evaluation_.accept(impulses, dt, history, force, torque);
  }
  /// Contacts at the World's state with their energies. \return see Potential::potentials()
  std::span<const PotentialContact> potentials() { return evaluation_.potentials(); }
  /// Gravity, damping and what else acts on bodies, at the World's state.
  void external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const {
    evaluation_.external(others, force, torque);
  }
  /// Which contacts there are at the World's state, and how deep: counts, and records without forces.
  void detect() { evaluation_.detect(); }
  /// The history of the last evaluation that kept a trial becomes what is committed.
  void commit_trial() { history_.commit_trial(); }

  const ContactTotals& counts() const { return evaluation_.totals(); }
  /// Records of the last evaluation that kept them, by current images; also when lists were renewed since.
  ContactView contact_view() const { return evaluation_.records(); }
  /// All committed history.
  HistoryTable history() const { return history_.table(); }
  /// See ContactHistory for these.
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
  std::uint64_t evaluations_ = 0;    ///< since lists were renewed
  double seconds_of_lists_ = 0;      ///< to make them, the last time [s]
  double seconds_of_new_lists_ = 0;  ///< the same, 0 once ranks have noted it [s]
  double other_work_ = 0;            ///< see note_work() [s]
  PairLists lists_;
  CurveShares shares_;
  RowShares rows_;
  bool divide_ = false;  ///< rows, wherever that is possible
  ContactHistory history_;
  ContactEvaluation evaluation_;
};

}  // namespace scree
