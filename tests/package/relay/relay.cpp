// An engine as a third party could write it: it hands everything on, and counts how often it is called.
#include <scree/contacts/methods.hpp>
#include <scree/plugin/plugin.hpp>

namespace {

class Relay final : public scree::Engine {
 public:
  explicit Relay(const scree::EnginePlan& plan)
      : host_(scree::make_host_engine(plan)), calls_(plan.world.figure("relay_calls")) {}

  void advance(std::uint64_t count, const scree::Wanted& last, const std::function<bool()>& pause) override {
    calls_ += 1;
    host_->advance(count, last, pause);
  }
  void edited(const scree::EditLog& edits) override { host_->edited(edits); }
  void look(const scree::Wanted& wanted) override { host_->look(wanted); }
  std::unique_ptr<Sight> sight(const scree::Wanted& wanted, bool anew) override { return host_->sight(wanted, anew); }
  scree::ContactView contacts() const override { return host_->contacts(); }
  scree::ContactTotals totals() const override { return host_->totals(); }
  double bond_energy() override { return host_->bond_energy(); }
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
  double& calls_;
};

}  // namespace

SCREE_PLUGIN(relay, "1.0.0") {
  registrar.engine("relay", [](const scree::EnginePlan& plan) -> std::unique_ptr<scree::Engine> {
    if (!plan.methods.bonds.empty())
      throw scree::InputError("engine \"relay\" serves no bonds. Use --device cpu, or remove /bonds.");
    return std::make_unique<Relay>(plan);
  });
}
