#include <cmath>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/guarded.hpp"

namespace scree {

namespace {

class GuardedEngine final : public Engine {
 public:
  GuardedEngine(const Method& method, std::unique_ptr<Engine> engine)
      : method_(method), engine_(detail::not_null(method, std::move(engine))) {}
  ~GuardedEngine() override { destroy(method_, engine_); }

  void advance(std::uint64_t count, const Wanted& last, const std::function<bool()>& pause) override {
    guarded(method_, "advance()", [&] { engine_->advance(count, last, pause); });
  }
  void edited(const EditLog& edits) override {
    guarded(method_, "edited()", [&] { engine_->edited(edits); });
  }
  void find_contacts(const Wanted& wanted) override {
    guarded(method_, "find_contacts()", [&] { engine_->find_contacts(wanted); });
  }
  std::unique_ptr<Observation> observe(const Wanted& wanted, bool anew) override {
    return guarded(method_, "observe()", [&] { return engine_->observe(wanted, anew); });
  }
  ContactView contacts() const override {
    return guarded(method_, "contacts()", [&] { return engine_->contacts(); });
  }
  ContactTotals totals() const override {
    return guarded(method_, "totals()", [&] { return engine_->totals(); });
  }
  double bond_energy() override {
    return guarded(method_, "bond_energy()", [&] { return engine_->bond_energy(); });
  }
  BondValues bond_values() override {
    return guarded(method_, "bond_values()", [&] { return engine_->bond_values(); });
  }
  double stable_time_step() override {
    return guarded(method_, "stable_time_step()", [&] { return engine_->stable_time_step(); });
  }
  StepCounts take_counts() override {
    return guarded(method_, "take_counts()", [&] { return engine_->take_counts(); });
  }
  std::uint64_t rebuilds() const override {
    return guarded(method_, "rebuilds()", [&] { return engine_->rebuilds(); });
  }
  void set_rebuilds(std::uint64_t rebuilds) override {
    guarded(method_, "set_rebuilds()", [&] { engine_->set_rebuilds(rebuilds); });
  }
  StageSeconds seconds() const override {
    return guarded(method_, "seconds()", [&] { return engine_->seconds(); });
  }
  HistoryTable history() const override {
    return guarded(method_, "history()", [&] { return engine_->history(); });
  }
  void restore(const HistoryTable& history) override {
    guarded(method_, "restore()", [&] { engine_->restore(history); });
  }
  std::vector<HistoryRecord> extract() const override {
    return guarded(method_, "extract()", [&] { return engine_->extract(); });
  }
  std::vector<HistoryRecord> extract(std::span<const Id> ids) const override {
    return guarded(method_, "extract()", [&] { return engine_->extract(ids); });
  }
  void insert(std::span<const HistoryRecord> records) override {
    guarded(method_, "insert()", [&] { engine_->insert(records); });
  }

 private:
  Method method_;
  std::unique_ptr<Engine> engine_;
};

}  // namespace

std::unique_ptr<Engine> guarded(const Method& method, std::unique_ptr<Engine> engine) {
  return std::make_unique<GuardedEngine>(method, std::move(engine));
}

}  // namespace scree
