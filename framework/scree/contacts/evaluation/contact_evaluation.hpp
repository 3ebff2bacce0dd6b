#pragma once
/// \file Evaluation of contacts: detect -> match -> law -> accumulate over the chunks of the pair lists, in parallel, with
/// sums in a fixed order.
///
/// Determinism: each pair belongs to a block of space (SpaceBlocks). The contacts of a block are summed serially, in
/// the order of their pairs along the curve, into one slot per block and body. Each body then sums its slots block by
/// block. No sum depends on the number of threads, or on bodies elsewhere. A chunk is a block, or several small ones,
/// that one thread works on at once.

#include <cstdint>
#include <functional>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "scree/base/api.hpp"
#include "scree/base/clock.hpp"
#include "scree/base/first_failure.hpp"
#include "scree/base/raw_array.hpp"
#include "scree/contacts/decomposition/curve_partition.hpp"
#include "scree/contacts/decomposition/decomposition.hpp"
#include "scree/contacts/evaluation/chunk_result.hpp"
#include "scree/contacts/evaluation/work_sharing.hpp"
#include "scree/contacts/history/contact_history.hpp"
#include "scree/contacts/lists/pair_lists.hpp"
#include "scree/hooks/contact_view.hpp"
#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace detail {
struct ContactBlock;
}

class SCREE_API ContactEvaluation {
 public:
  /// \param shares   partition of the curve among ranks, each of which has chunks of its own
  /// \param rows     decomposition: while rows are divided, evaluations cover only this rank's rows and chunks
  /// \param seconds  destination of times spent
  ContactEvaluation(World& world, const Methods& methods, PairLists& lists, const CurvePartition& shares,
                    Decomposition& rows, ContactHistory& history, StageSeconds& seconds);
  ~ContactEvaluation();

  // Results that each evaluation keeps beyond forces.
  bool keep_records = false, compute_energy = false;
  bool keep_parts = false;  ///< keeps parts of forces: see part_wrenches(); laws' forces need compute_energy too

  // Evaluations; see ContactPipeline for these.
  void forces(double dt, double lag, std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque,
              HistoryUpdate update);
  std::span<const ConeContact> cones(double dt, std::span<const Wrench> others, std::span<Vec3> force,
                                     std::span<Vec3> torque);
  void accept(std::span<const Vec3> impulses, double dt, bool history, std::span<Vec3> force, std::span<Vec3> torque);
  std::span<const PotentialContact> potentials();
  void external(std::span<const Wrench> others, std::span<Vec3> force, std::span<Vec3> torque) const;
  void detect();

  /// Returns the wrenches on each body from contacts of one entry of Methods::entries, for one part of their forces, by
  /// row. Taken from the last evaluation that kept parts. Collective over ranks.
  void part_wrenches(std::size_t entry, ForcePart part, std::span<Wrench> out) const;
  /// Returns the elastic energy of the contacts of each entry of Methods::entries [J].
  std::vector<double> elastic_energies() const;

  const ContactTotals& totals() const { return totals_; }
  /// Checks whether totals, energies and records of the last evaluation cover only this rank's chunks.
  bool partial() const { return partial_; }
  /// Completes totals, energies and records with those of the other ranks. Collective over ranks. \pre partial()
  void complete();
  ContactView records() const;

  // Calls around a rebuild of the lists.

  /// Returns the time that this rank spent on its chunks and sums since the last call, without waiting for others [s].
  double take_seconds_of_work() { return std::exchange(seconds_of_work_, 0); }
  /// Keeps the records of the last evaluation beyond its lists.
  void keep_last_records();
  void rename_images(const std::function<std::int32_t(std::int32_t, Id, Id)>& renamed,
                     const std::function<Vec3(Id)>& moved);
  /// Frees memory that can be allocated again.
  void release_memory();
  /// Adapts to the current chunks of the lists.
  void reset();

 private:
  struct Scratch;
  struct Work;  ///< work on one chunk by one thread
  struct LawColumns;
  struct External;  ///< forces on bodies besides contacts
  class OwnForces;  ///< wrenches of a body's own contacts, on request

  OwnForces ask_for_own_forces();
  template <class Each, class EachBody>
  void over_chunks(const Each& each, const EachBody& each_body);
  template <class Each>
  void over_blocks(Work& work, const Each& each);
  void detect(Work& work, HistoryUpdate update, double ahead = 0);
  double margin_for(const Work& work, double ahead) const;
  void share_wrenches(const FirstFailure& failure);
  void gather_forces(std::span<Vec3> force, std::span<Vec3> torque);
  void gather_results();
  std::uint32_t asked_for() const;
  void finish();
  void sum_counts();
  void sum_slots(std::span<const WrenchSlot> slots, std::size_t body, Vec3& force, Vec3& torque) const;
  void sum(std::span<const WrenchSlot> slots, std::size_t body, Vec3& force, Vec3& torque) const;
  std::size_t part_number(std::size_t entry, ForcePart part) const;
  void clear_parts(Work& work);
  WrenchSlot* part_slots(const Work& work, std::size_t entry, ForcePart part);
  void add_parts(Work& work, const detail::ContactBlock& block, const LawColumns& columns);
  void add_parts(Work& work, std::size_t solved, const Vec3& force);
  LawColumns law_columns(Work& work, const detail::ContactBlock& block, double dt, double lag) const;
  void add_inputs(Work& work, const detail::ContactBlock& block, LawColumns& columns) const;
  void find_masses(Work& work);
  void apply_law(Work& work, const detail::ContactBlock& block, double dt, double lag);
  static void record(Work& work, const detail::ContactBlock& block, const double* const (&force)[3]);
  static void record_without_forces(Work& work, const detail::ContactBlock& block);
  const SolverContact& add_solver_contact(Work& work, const detail::ContactBlock& block, std::size_t i) const;
  void add_cones(Work& work, const detail::ContactBlock& block, double dt) const;
  void add_potentials(Work& work, const detail::ContactBlock& block) const;
  template <class Contact>
  void join(std::vector<Contact> ChunkResult::*of_chunk, std::vector<Contact>& all);
  static void keep_impulses(Work& work, std::span<const Vec3> impulses);
  void accept(Work& work, std::span<const Vec3> impulses, double dt);

  World& world_;
  const Methods& methods_;
  PairLists& lists_;
  const CurvePartition& shares_;
  Decomposition& rows_;
  ContactHistory& history_;
  StageSeconds& seconds_;
  std::vector<ChunkResult> results_;  ///< one for each chunk
  RawArray<WrenchSlot> slot_wrench_;
  ChunkResult others_;  ///< sum of the other ranks' results, once gathered
  bool partial_ = false;
  std::vector<WrenchSlot> part_wrench_;       ///< one array of slots for each part of forces, if parts are kept
  double seconds_of_work_ = 0;                ///< see take_seconds_of_work()
  bool own_forces_ = false;                   ///< members get the wrench of their own contacts too
  std::vector<ConeContact> cones_;            ///< result of the last cones()
  std::vector<PotentialContact> potentials_;  ///< result of the last potentials()
  std::optional<ContactView> last_records_;   ///< records of the last evaluation, if lists were rebuilt since
  std::vector<Scratch> scratch_;
  detail::WorkSharing sharing_;
  ContactTotals totals_;
};

}  // namespace scree
