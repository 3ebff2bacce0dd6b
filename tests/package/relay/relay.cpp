// An engine as a third party could write it. It hands everything on and counts how often it is called. Between calls
// the bodies are in memory of its own, as they would be on a device: the host's columns hold nothing but ones.
#include <cstring>
#include <map>

#include <scree/model/methods.hpp>
#include <scree/plugin/plugin.hpp>

namespace {

/// What a column holds, away from the host.
class Away final : public scree::DeviceRows {
 public:
  void fetch(std::span<std::byte> host) override { std::memcpy(host.data(), rows_.data(), host.size()); }
  void take(scree::ColumnStorage& column) {
    const std::byte* const rows = column.read();
    rows_.assign(rows, rows + column.rows() * column.row_bytes());
    column.mark_taken();
    const scree::ColumnWriter<std::byte> host(column, column.open_overwrite());
    if (!rows_.empty()) std::memset(host.data(), 0xff, rows_.size());
    column.lend(this);
    column.mark_device_newer();
  }

 private:
  std::vector<std::byte> rows_;
};

class Relay final : public scree::Engine {
 public:
  explicit Relay(const scree::EnginePlan& plan)
      : host_(scree::make_host_engine(plan)), world_(plan.world), calls_(plan.world.metric("relay_calls")) {}
  ~Relay() override {
    for (auto& [column, away] : away_) column->read(), column->lend(nullptr);
  }

  void advance(std::uint64_t count, const scree::Wanted& last, const std::function<bool()>& pause) override {
    calls_ += 1;
    host_->advance(count, last, pause);
    for (scree::Table* table : world_.tables())
      for (const auto& column : table->columns()) away_[column.get()].take(*column);
  }
  void edited(const scree::EditLog& edits) override { host_->edited(edits); }
  void find_contacts(const scree::Wanted& wanted) override { host_->find_contacts(wanted); }
  std::unique_ptr<Observation> observe(const scree::Wanted& wanted, bool anew) override {
    return host_->observe(wanted, anew);
  }
  scree::ContactView contacts() const override { return host_->contacts(); }
  scree::ContactTotals totals() const override { return host_->totals(); }
  double bond_energy() override { return host_->bond_energy(); }
  scree::BondValues bond_values() override { return host_->bond_values(); }
  double stable_time_step() override { return host_->stable_time_step(); }
  scree::StepCounts take_counts() override { return host_->take_counts(); }
  std::uint64_t rebuilds() const override { return host_->rebuilds(); }
  void set_rebuilds(std::uint64_t rebuilds) override { host_->set_rebuilds(rebuilds); }
  scree::StageSeconds seconds() const override { return host_->seconds(); }
  scree::HistoryTable history() const override { return host_->history(); }
  void restore(const scree::HistoryTable& history) override { host_->restore(history); }
  std::vector<scree::HistoryRecord> extract() const override { return host_->extract(); }
  void insert(std::span<const scree::HistoryRecord> records) override { host_->insert(records); }

 private:
  std::unique_ptr<scree::Engine> host_;
  scree::World& world_;
  double& calls_;
  std::map<scree::ColumnStorage*, Away> away_;
};

}  // namespace

SCREE_PLUGIN(relay, "1.1.0") {
  registrar.engine("relay", [](const scree::EnginePlan& plan) -> std::unique_ptr<scree::Engine> {
    if (!plan.methods.bonds.empty())
      throw scree::InputError("engine \"relay\" serves no bonds. Use --device cpu, or remove /bonds.");
    return std::make_unique<Relay>(plan);
  });
}
