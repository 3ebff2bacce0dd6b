#pragma once
/// \file The engine of devices: whole steps of kicks and drifts there, bodies in its memory between calls.

#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/batch_inputs.hpp"
#include "engine/body_state.hpp"
#include "engine/contact_forces.hpp"
#include "engine/contact_records.hpp"

namespace scree::device {

class DeviceEngine final : public Engine {
 public:
  DeviceEngine(const EnginePlan& plan, std::unique_ptr<Device> device);
  ~DeviceEngine() override;

  void advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) override;
  void edited(const EditLog& edits) override;
  void find_contacts(const Wanted& wanted) override;
  std::unique_ptr<Observation> observe(const Wanted& wanted, bool anew) override;

  ContactView contacts() const override;
  ContactTotals totals() const override;
  double bond_energy() override { return 0; }
  BondValues bond_values() override { return {}; }
  double stable_time_step() override;

  StepCounts take_counts() override;
  std::uint64_t rebuilds() const override { return rebuilds_; }
  void set_rebuilds(std::uint64_t rebuilds) override { rebuilds_ = rebuilds; }
  StageSeconds seconds() const override { return seconds_; }

  using HistoryStore::extract;
  std::vector<HistoryRecord> extract() const override { return history().records(); }
  void insert(std::span<const HistoryRecord> records) override;
  HistoryTable history() const override;
  void restore(const HistoryTable& history) override;

 private:
  class Look;
  /// What is made anew when bodies come or go.
  struct Run;

  void make_run();
  void renew_run();
  void tell_errors();
  void take_changes();
  void refuse_new_deformation() const;
  std::uint64_t advance_batch(std::uint64_t most);
  std::uint64_t batch_size(std::uint64_t most) const;
  StepTimes times_of(std::uint64_t i) const;
  void upload_poses();
  void upload_walls();
  void record_step();
  void enqueue_step(std::size_t i);
  void begin_step(std::size_t i);
  void end_step(std::size_t i);
  void prescribe(std::size_t k, bool place);
  Motion motion(double kick, double drift, bool check) const;
  void check_lists();
  void launch_step();
  Batch wait();
  std::uint64_t account(const Batch& batch);
  void finish_step(const Control& control);
  void look_for_faults(const Control& control) const;
  std::string trouble_text(unsigned long long trouble) const;
  void count(const Control& control);
  void renew_forces();
  void forces_without_trace(double time, double dt, double lag);
  bool lists_are_stale();
  void renew_lists();
  void rebuild(const std::uint8_t* wrapped);
  void find_farthest_site();
  void set_wall_time(double time);

  World& world_;
  const Methods& methods_;
  double dt_;  ///< [s]
  TimeOrigin origin_;
  std::unique_ptr<Device> device_;
  std::uint64_t most_steps_;  ///< of a batch
  std::unique_ptr<Run> run_;
  std::vector<HistoryRecord> pending_;  ///< wait until lists are made next
  bool forces_are_stale_ = true;        ///< the last forces do not belong to the state
  double wall_time_ = 0;                ///< the time of the state on the device [s]
  ContactTotals totals_;
  bool energy_wanted_ = false;
  mutable std::optional<double> energy_;
  StepCounts counts_;
  std::uint64_t rebuilds_ = 0;
  StageSeconds seconds_;
};

}  // namespace scree::device
