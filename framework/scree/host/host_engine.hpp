#pragma once
/// \file Engine for this machine's processors: HostMechanics, driven by the integrator of the plan.

#include <functional>
#include <memory>
#include <vector>

#include "scree/engine/engine.hpp"
#include "scree/host/host_mechanics.hpp"

namespace scree {

class SCREE_API HostEngine final : public Engine {
 public:
  explicit HostEngine(const EnginePlan& plan);
  ~HostEngine() override;

  void advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) override;
  void edited(const EditLog& edits) override;
  void find_contacts(const Wanted& wanted) override;
  std::unique_ptr<Observation> observe(const Wanted& wanted, bool anew) override;

  ContactView contacts() const override { return mechanics_.pipeline().contact_view(); }
  ContactTotals totals() const override { return mechanics_.pipeline().counts(); }
  double bond_energy() override { return mechanics_.bond_mechanics().energy(); }
  BondValues bond_values() override { return mechanics_.bond_mechanics().values(); }
  double stable_time_step() override { return mechanics_.bond_mechanics().stable_time_step(); }

  StepCounts take_counts() override;
  std::uint64_t rebuilds() const override { return mechanics_.pipeline().rebuilds; }
  void set_rebuilds(std::uint64_t rebuilds) override { mechanics_.pipeline().rebuilds = rebuilds; }
  StageSeconds seconds() const override;

  std::vector<HistoryRecord> extract() const override { return mechanics_.extract(); }
  std::vector<HistoryRecord> extract(std::span<const Id> ids) const override { return mechanics_.extract(ids); }
  void insert(std::span<const HistoryRecord> records) override { mechanics_.insert(records); }
  HistoryTable history() const override { return mechanics_.pipeline().history(); }
  void restore(const HistoryTable& history) override { mechanics_.restore(history.records()); }

  HostMechanics& mechanics() { return mechanics_; }

 private:
  void keep(const Wanted& wanted);
  void step(const Wanted& wanted);
  void count();
  void add_counts_of_others();

  World& world_;
  Integrator* integrator_;
  double dt_;  ///< [s]
  TimeOrigin origin_;
  HostMechanics mechanics_;
  StepCounts counts_;
  StepCounts own_counts_;       ///< counts of steps in which this rank counted only its own contacts
  bool counted_alone_ = false;  ///< true if there were such steps since take_counts()
  double integrate_seconds_ = 0;
};

}  // namespace scree
