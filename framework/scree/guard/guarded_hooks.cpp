#include <fmt/format.h>

#include <cmath>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/references.hpp"
#include "scree/guard/guarded.hpp"

namespace scree {

namespace {

class GuardedModifier final : public Modifier {
 public:
  GuardedModifier(const Method& method, std::unique_ptr<Modifier> modifier)
      : method_(method), modifier_(detail::not_null(method, std::move(modifier))) {}
  ~GuardedModifier() override { destroy(method_, modifier_); }

  bool wants_contacts() const noexcept override { return modifier_->wants_contacts(); }
  void begin(World& world) override {
    guarded_set_up(method_, "begin()", [&] { modifier_->begin(world); });
    shapes_ = world.shapes().size(), materials_ = world.materials().size();
  }
  std::vector<MadeKind> makes() const override {
    std::vector<MadeKind> kinds = guarded_set_up(method_, "makes()", [&] { return modifier_->makes(); });
    for (const MadeKind& kind : kinds) check(kind);
    return kinds;
  }
  void apply(World& world, const ContactView* contacts, HistoryStore& history) override {
    const detail::Moment before(world);
    detail::References references;
    references.trust(world);
    guarded(method_, "apply()", [&] { modifier_->apply(world, contacts, history); });
    before.require_same(method_, "apply()", world);
    references.check(method_, "apply()", world);
  }
  std::vector<std::byte> save() const override {
    return guarded(method_, "save()", [&] { return modifier_->save(); });
  }
  void load(const std::vector<std::byte>& state) override {
    guarded(method_, "load()", [&] { modifier_->load(state); });
  }
  void edited(const World& world, const EditLog& edits) override {
    guarded(method_, "edited()", [&] { modifier_->edited(world, edits); });
  }

 private:
  void check(const MadeKind& kind) const {
    if (kind.shape >= shapes_ || kind.material >= materials_)
      fail_contract(method_, "makes()",
                    fmt::format("named shape {} and material {}; there are {} and {}.", kind.shape, kind.material,
                                shapes_, materials_));
    if (!(kind.smallest > 0 && kind.smallest <= kind.largest && std::isfinite(kind.largest)))
      fail_contract(method_, "makes()",
                    fmt::format("returned sizes from {} to {}; they must be above 0, finite and in order.",
                                kind.smallest, kind.largest));
  }

  Method method_;
  std::unique_ptr<Modifier> modifier_;
  std::size_t shapes_ = 0, materials_ = 0;  ///< numbers after begin()
};

class GuardedObserver final : public Observer {
 public:
  GuardedObserver(const Method& method, std::unique_ptr<Observer> observer)
      : method_(method), observer_(detail::not_null(method, std::move(observer))) {}
  ~GuardedObserver() override { destroy(method_, observer_); }

  bool wants_contacts() const noexcept override { return observer_->wants_contacts(); }
  std::vector<std::string> files() const override {
    return guarded(method_, "files()", [&] { return observer_->files(); });
  }
  void begin(const World& world) override {
    guarded_set_up(method_, "begin()", [&] { observer_->begin(world); });
  }
  double plan(const World& world, std::uint64_t frames) override {
    const double bytes = guarded_set_up(method_, "plan()", [&] { return observer_->plan(world, frames); });
    if (!(bytes >= 0 && std::isfinite(bytes)))
      fail_contract(method_, "plan()", fmt::format("returned {} bytes; they must be at least 0 and finite.", bytes));
    return bytes;
  }
  std::vector<std::byte> save() const override {
    return guarded(method_, "save()", [&] { return observer_->save(); });
  }
  void load(const std::vector<std::byte>& state) override {
    guarded(method_, "load()", [&] { observer_->load(state); });
  }
  void open(const std::string& directory) override {
    guarded(method_, "open()", [&] { observer_->open(directory); });
  }
  void resume(std::uint64_t first_frame) override {
    guarded(method_, "resume()", [&] { observer_->resume(first_frame); });
  }
  void observe(const World& world, const ContactView* contacts, const Frame& frame) override {
    guarded(method_, "observe()", [&] { observer_->observe(world, contacts, frame); });
  }
  void flush() override {
    guarded(method_, "flush()", [&] { observer_->flush(); });
  }
  void edited(const World& world, const EditLog& edits) override {
    guarded(method_, "edited()", [&] { observer_->edited(world, edits); });
  }

 private:
  Method method_;
  std::unique_ptr<Observer> observer_;
};

}  // namespace

std::unique_ptr<Modifier> guarded(const Method& method, std::unique_ptr<Modifier> modifier) {
  return std::make_unique<GuardedModifier>(method, std::move(modifier));
}

std::unique_ptr<Observer> guarded(const Method& method, std::unique_ptr<Observer> observer) {
  return std::make_unique<GuardedObserver>(method, std::move(observer));
}

}  // namespace scree
