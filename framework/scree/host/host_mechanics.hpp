#pragma once
/// \file Mechanics on the host: the contact pipeline, checks of the state, and rebuilds of the lists.

#include <memory>
#include <utility>
#include <vector>

#include "scree/bonds/bond_mechanics.hpp"
#include "scree/contacts/contact_pipeline.hpp"
#include "scree/host/energy_ledger.hpp"
#include "scree/integrate/energy_problem.hpp"
#include "scree/integrate/impulse_problem.hpp"

namespace scree {

/// Mechanics on the host.
class SCREE_API HostMechanics final : public Mechanics,
                                      public ImpulseProblem,
                                      public EnergyProblem,
                                      public HistoryStore {
 public:
  HostMechanics(World& world, const Methods& methods);
  ~HostMechanics() override;

  World& world() override { return world_; }
  Wrenches forces(double dt, double lag = 0) override;
  Wrenches last_forces() const override { return {force_.read(), torque_.read()}; }
  void commit() override;
  void* ability(std::string_view name) noexcept override;

  std::span<const ConeContact> contacts(double dt) override;
  std::span<const ConeContact> contacts(double dt, const ExpectedMotion& expected) override;
  Wrenches external() const override { return last_forces(); }
  void accept(std::span<const Vec3> impulses, double dt) override;

  std::span<const Joint> joints() override { return bonds_.joints(); }
  void accept_joints(std::span<const Vec3> impulses, double dt) override;

  std::span<const EnergyTerm* const> bond_terms() override;
  std::span<const ChainLink> bond_links() override;
  std::uint64_t bonds_version() override;
  void accept_bonds(std::span<const Wrench> wrenches) override;
  void begin_bonds(double time) override { bonds_.begin_step(time); }

  void cover(double way, double turn) override;
  bool covered() const override;
  void list_pairs(std::vector<BodyPair>& out) const override;
  std::uint64_t version() const override { return potential_version_; }
  std::span<const EnergyTerm* const> bonds() override;
  std::span<const PotentialContact> potentials(const Configuration& x) override;
  Wrenches loads() override;
  void accept_forces(std::span<const Vec3> forces) override;
  double largest_utilisation() override { return bonds_.largest_utilisation(); }
  std::size_t break_overloaded(double time, double worst_part, const Configuration& loaded) override;

  std::span<const RowRange> owned_rows() override { return pipeline_.own_rows(); }
  /// Functions of ContactPipeline. Rows are not divided if the integrator, the memory of bonds, or an energy ledger
  /// need all bodies.
  void divide_rows();
  void join_rows() { pipeline_.join_rows(); }

  /// Begins a step, before the integrator. \param dt  [s]
  void begin_step(double dt);
  /// Reports bodies that were added between steps.
  void inserted(std::span<const Id> ids);
  /// Updates everything after hooks or programs have edited the World between steps.
  void edited(const EditLog& edits);

  /// Finds the contacts at the World's state: by forces() if laws give forces, else only counts and records.
  void find_contacts(double dt);
  /// Results of the state after a step: counts, energies and records of contacts, and the columns "force" and "torque",
  /// during its lifetime. History, lists and the input of the next step stay as they are.
  class Observation {
   public:
    /// Computes the results. \param dt  length of the step [s]
    Observation(HostMechanics& mechanics, double dt);
    ~Observation();
    Observation(const Observation&) = delete;
    Observation& operator=(const Observation&) = delete;

   private:
    void put_back();
    HostMechanics& mechanics_;
    std::vector<std::pair<Column<Vec3>, std::vector<Vec3>>> kept_;  ///< wrenches of the step
  };
  /// Checks whether a step leaves contacts, forces or energies of another state than the one after it.
  bool needs_observation() const;
  /// Puts rows into canonical order and rebuilds the lists, if bodies were added, removed or moved; called between
  /// steps.
  void refresh();
  /// Restores the lists of the saved run, after the World was filled from a checkpoint.
  void restore(std::span<const HistoryRecord> history);

  std::vector<HistoryRecord> extract() const override { return pipeline_.history().records(); }
  std::vector<HistoryRecord> extract(std::span<const Id> ids) const override { return pipeline_.history_of(ids); }
  void insert(std::span<const HistoryRecord> records) override { pipeline_.insert(records); }

  BondMechanics& bond_mechanics() { return bonds_; }
  ContactPipeline& pipeline() { return pipeline_; }
  const ContactPipeline& pipeline() const { return pipeline_; }

 private:
  struct State;
  Wrenches forces(double dt, double lag, HistoryUpdate update);
  void note_applied(double dt);
  BondPart bonds_of_this_rank() const;
  void break_bonds(double time);
  [[noreturn]] void report_fault() const;

  World& world_;
  const Methods& methods_;
  ContactPipeline pipeline_;
  BondMechanics bonds_;
  Column<Vec3> force_, torque_;      ///< wrenches of the last evaluation
  std::vector<ConeContact> cones_;   ///< result of contacts() with expected motion
  std::vector<BodyPair> couplings_;  ///< couplings of the lists, for integrators that minimise energy
  std::uint64_t potential_version_ = 0, bonds_seen_ = 0, layout_seen_ = 0;
  bool evaluates_once_;                   ///< see IntegratorTraits
  bool minimises_;                        ///< true if the integrator works with EnergyProblem
  double dt_ = 0;                         ///< length of the step in progress [s]
  std::unique_ptr<EnergyLedger> ledger_;  ///< set if the scene requests one
};

}  // namespace scree
