#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>
#include <optional>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/detail/references.hpp"
#include "scree/guard/guarded.hpp"
#include "scree/integrate/grid_images.hpp"
#include "scree/integrate/scene_warnings.hpp"

namespace scree {

namespace {

/// The Mechanics of one step: counts what was committed, and keeps what the core itself threw, which is no fault of
/// the integrator that it passes through.
class WatchedMechanics final : public Mechanics {
 public:
  WatchedMechanics(const Method& method, detail::References& references, Mechanics& mechanics)
      : method_(method), references_(references), mechanics_(mechanics) {}

  World& world() override { return mechanics_.world(); }
  Wrenches forces(double dt, double lag) override {
    check();
    return watch([&] { return mechanics_.forces(dt, lag); });
  }
  Wrenches last_forces() const override { return mechanics_.last_forces(); }
  void commit() override {
    ++commits;
    check();
    watch([&] { mechanics_.commit(); });
  }
  void* ability(std::string_view name) noexcept override { return mechanics_.ability(name); }

  /// What bodies refer to.
  void check() { references_.check(method_, "step()", world()); }

  int commits = 0;
  std::exception_ptr thrown;

 private:
  template <class F>
  auto watch(const F& f) -> decltype(f()) {
    try {
      return f();
    } catch (...) {
      thrown = std::current_exception();
      throw;
    }
  }

  const Method& method_;
  detail::References& references_;
  Mechanics& mechanics_;
};

class GuardedImages final : public GridImages {
 public:
  GuardedImages(const Method& method, const GridImages& face) : method_(method), face_(face) {}

  std::vector<GridImage> images() const override {
    std::vector<GridImage> images = guarded(method_, "images()", [&] { return face_.images(); });
    for (const GridImage& image : images) check(image);
    return images;
  }

 private:
  void check(const GridImage& image) const {
    check_name(image.name);
    if (*std::ranges::min_element(image.counts) < 1 || !(image.spacing.minCoeff() > 0) || !image.origin.allFinite())
      fail_contract(method_, "images()",
                    fmt::format("grid \"{}\" has {} x {} x {} points at distances of {:.6g}, {:.6g}, {:.6g} m; all of "
                                "them must be above 0.",
                                image.name, image.counts[0], image.counts[1], image.counts[2], image.spacing[0],
                                image.spacing[1], image.spacing[2]));
    for (const GridImage::Field& field : image.fields) {
      check_name(field.name);
      if ((field.components != 1 && field.components != 3) ||
          field.value.size() != image.points() * static_cast<std::size_t>(field.components))
        fail_contract(method_, "images()",
                      fmt::format("\"{}\" has {} numbers, {} to each of {} points; one or three for each are needed.",
                                  field.name, field.value.size(), field.components, image.points()));
      if (!detail::all_finite(field.value.data(), field.value.size()))
        fail_numbers(method_, "images()", fmt::format("\"{}\" has a value that is not finite.", field.name));
    }
  }
  void check_name(const std::string& name) const {
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    if (name.empty() || !std::ranges::all_of(name, fits))
      fail_contract(method_, "images()",
                    fmt::format("named something \"{}\"; names are letters, digits and underscores.", name));
  }

  const Method& method_;
  const GridImages& face_;
};

class GuardedWarnings final : public SceneWarnings {
 public:
  GuardedWarnings(const Method& method, const SceneWarnings& face) : method_(method), face_(face) {}

  std::vector<SceneWarning> warnings(const World& world, const Vec3& gravity, double dt) const override {
    return guarded_set_up(method_, "warnings()", [&] { return face_.warnings(world, gravity, dt); });
  }

 private:
  const Method& method_;
  const SceneWarnings& face_;
};

class GuardedIntegrator final : public Integrator {
 public:
  GuardedIntegrator(const Method& method, std::unique_ptr<Integrator> integrator)
      : method_(method), integrator_(detail::not_null(method, std::move(integrator))) {
    const IntegratorTraits t = traits();
    for (const double margin : {t.margin, t.margin_ratio})
      if (!(margin >= 0) || !std::isfinite(margin))
        fail_contract(method_, "traits()", fmt::format("a margin is {}; it must be finite and at least 0.", margin));
    detail::check_class<GridImages>(method_, "face()", integrator_->face(GridImages::kName));
    if (const auto* const told = scree::face<GridImages>(*integrator_)) images_.emplace(method_, *told);
    detail::check_class<SceneWarnings>(method_, "face()", integrator_->face(SceneWarnings::kName));
    if (const auto* const told = scree::face<SceneWarnings>(*integrator_)) warnings_.emplace(method_, *told);
  }
  ~GuardedIntegrator() override { destroy(method_, integrator_); }

  IntegratorTraits traits() const override {
    return guarded(method_, "traits()", [&] { return integrator_->traits(); });
  }
  const void* face(std::string_view name) const noexcept override {
    if (name == GridImages::kName) return images_ ? static_cast<const GridImages*>(&*images_) : nullptr;
    if (name == SceneWarnings::kName) return warnings_ ? static_cast<const SceneWarnings*>(&*warnings_) : nullptr;
    return integrator_->face(name);
  }
  void columns(World& world) override {
    guarded_set_up(method_, "columns()", [&] { integrator_->columns(world); });
  }
  std::vector<std::byte> save() const override {
    return guarded(method_, "save()", [&] { return integrator_->save(); });
  }
  void load(const std::vector<std::byte>& state) override {
    guarded(method_, "load()", [&] { integrator_->load(state); });
  }
  void edited(World& world, const EditLog& edits) override {
    guarded(method_, "edited()", [&] { integrator_->edited(world, edits); });
  }

  void step(Mechanics& mechanics, double dt) override {
    const detail::Calling now(method_, "step()");
    WatchedMechanics watched(method_, references_, mechanics);
    const detail::Moment before(mechanics.world());
    try {
      integrator_->step(watched, dt);
    } catch (...) {
      if (watched.thrown) std::rethrow_exception(watched.thrown);
      detail::rethrow_named(method_, "step()");
    }
    if (watched.commits != 1)
      fail_contract(method_, "step()",
                    fmt::format("called Mechanics::commit() {} times; every step calls it once.", watched.commits));
    before.require_same(method_, "step()", mechanics.world());
    watched.check();
  }

 private:
  Method method_;
  std::unique_ptr<Integrator> integrator_;
  std::optional<GuardedImages> images_;
  std::optional<GuardedWarnings> warnings_;
  detail::References references_;
};

}  // namespace

std::unique_ptr<Integrator> guarded(const Method& method, std::unique_ptr<Integrator> integrator) {
  return std::make_unique<GuardedIntegrator>(method, std::move(integrator));
}

}  // namespace scree
