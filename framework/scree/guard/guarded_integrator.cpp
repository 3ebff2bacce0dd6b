#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <exception>

#include "scree/guard/detail/checks.hpp"
#include "scree/guard/detail/class_of.hpp"
#include "scree/guard/detail/references.hpp"
#include "scree/guard/guarded.hpp"

namespace scree {

namespace {

/// Mechanics of one step: counts commits, and keeps errors that the core itself threw. Passing them through is no fault
/// of the integrator.
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
  std::span<const RowRange> owned_rows() override { return mechanics_.owned_rows(); }
  void* ability(std::string_view name) noexcept override { return mechanics_.ability(name); }

  /// Checks the references of bodies.
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

class GuardedIntegrator final : public Integrator {
 public:
  GuardedIntegrator(const Method& method, std::unique_ptr<Integrator> integrator)
      : method_(method), integrator_(detail::not_null(method, std::move(integrator))) {
    const IntegratorTraits t = traits();
    for (const double margin : {t.margin, t.margin_ratio})
      if (!(margin >= 0) || !std::isfinite(margin))
        fail_contract(method_, "traits()", fmt::format("a margin is {}; it must be finite and at least 0.", margin));
    if (!(t.fracture_dt >= 0))
      fail_contract(method_, "traits()", fmt::format("fracture_dt is {} s; it must be at least 0.", t.fracture_dt));
  }
  ~GuardedIntegrator() override { destroy(method_, integrator_); }

  IntegratorTraits traits() const override {
    return guarded(method_, "traits()", [&] { return integrator_->traits(); });
  }
  const void* face(std::string_view name) const noexcept override { return integrator_->face(name); }
  std::vector<SceneWarning> warnings(const World& world, const Vec3& gravity, double dt) const override {
    return guarded_set_up(method_, "warnings()", [&] { return integrator_->warnings(world, gravity, dt); });
  }
  std::vector<GridImage> grid_images() const override {
    std::vector<GridImage> images = guarded(method_, "grid_images()", [&] { return integrator_->grid_images(); });
    for (const GridImage& image : images) check(image);
    return images;
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
  void check(const GridImage& image) const {
    check_name(image.name);
    if (*std::ranges::min_element(image.counts) < 1 || !(image.spacing.minCoeff() > 0) || !image.origin.allFinite())
      fail_contract(method_, "grid_images()",
                    fmt::format("grid \"{}\" has {} x {} x {} points at distances of {:.6g}, {:.6g}, {:.6g} m; all of "
                                "them must be above 0.",
                                image.name, image.counts[0], image.counts[1], image.counts[2], image.spacing[0],
                                image.spacing[1], image.spacing[2]));
    for (const GridImage::Field& field : image.fields) {
      check_name(field.name);
      if ((field.components != 1 && field.components != 3) ||
          field.value.size() != image.points() * static_cast<std::size_t>(field.components))
        fail_contract(method_, "grid_images()",
                      fmt::format("\"{}\" has {} numbers, {} to each of {} points; one or three for each are needed.",
                                  field.name, field.value.size(), field.components, image.points()));
      if (!detail::all_finite(field.value.data(), field.value.size()))
        fail_numbers(method_, "grid_images()", fmt::format("\"{}\" has a value that is not finite.", field.name));
    }
  }
  void check_name(const std::string& name) const {
    const auto fits = [](unsigned char c) { return std::isalnum(c) || c == '_'; };
    if (name.empty() || !std::ranges::all_of(name, fits))
      fail_contract(method_, "grid_images()",
                    fmt::format("named something \"{}\"; names are letters, digits and underscores.", name));
  }

  Method method_;
  std::unique_ptr<Integrator> integrator_;
  detail::References references_;
};

}  // namespace

std::unique_ptr<Integrator> guarded(const Method& method, std::unique_ptr<Integrator> integrator) {
  return std::make_unique<GuardedIntegrator>(method, std::move(integrator));
}

}  // namespace scree
