// Methods that are each wrong in one way, which `scree test-plugin` is to find.

#include <scree/integrate/kick_and_drift.hpp>
#include <scree/plugin/plugin.hpp>
#include <scree/shape/facets.hpp>

#include <algorithm>
#include <cmath>
#include <csignal>
#include <limits>
#include <stdexcept>

namespace {

using namespace scree;

constexpr double kStiffness = 1000;  // [N/m]

enum class Wrong { overlap, normal, pair, throws, swapped, crash };

/// Spheres by their bounding radii, but for one thing.
class Detector final : public ContactDetector {
 public:
  explicit Detector(Wrong wrong) : wrong_(wrong) {}
  DetectorTraits traits() const override {
    DetectorTraits traits;
    traits.facets_a = traits.facets_b = {SphereSet::kName};
    traits.specificity = -1;
    return traits;
  }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
              ContactBuffer& out) const override {
    if (wrong_ == Wrong::throws) throw std::runtime_error("no idea");
    if (wrong_ == Wrong::crash) std::raise(SIGSEGV);
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
      const BodyRow &a = bodies.row[pairs[p].a], &b = bodies.row[pairs[p].b];
      const Vec3 way = b.position - a.position;
      double overlap = a.radius + b.radius - way.norm();
      if (!(overlap > -margin)) continue;
      Vec3 normal = way.normalized();
      if (wrong_ == Wrong::overlap) overlap = std::numeric_limits<double>::quiet_NaN();
      if (wrong_ == Wrong::normal) normal = Vec3::Zero();
      const Vec3 point = a.position + (wrong_ == Wrong::swapped ? 0.9 : 0.5) * way;
      out.push(wrong_ == Wrong::pair ? p + 1000000 : p, overlap, normal, point, 0);
    }
  }

 private:
  Wrong wrong_;
};

/// A spring, but for one thing.
class Law final : public ContactLaw, public ForceFace {
 public:
  enum class Wrong { energy, direction, batch };
  explicit Law(Wrong wrong) : wrong_(wrong) {}
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  int history_size() const noexcept override { return 0; }
  void force(const ContactColumns& c, const double* const*, double* const*, ForceColumns out) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      const double push = kStiffness * std::max(0.0, c.overlap[i]) * (wrong_ == Wrong::batch && c.size > 1 ? 1.1 : 1);
      for (int k = 0; k < 3; ++k) out.force[k][i] = push * c.normal[k][i];
      if (wrong_ == Wrong::direction) out.force[0][i] += push;  // east, whatever the contact's direction
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* energy) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      const double overlap = std::max(0.0, c.overlap[i]);
      energy[i] = (wrong_ == Wrong::energy ? 1 : 0.5) * kStiffness * overlap * overlap;
    }
  }
  double contact_duration(double mass, double) const noexcept override { return 3.14 * std::sqrt(mass / kStiffness); }

 private:
  Wrong wrong_;
};

/// A square of 2 cm, but that it says to be smaller and lighter to turn than it is, and is out and in by turns.
class Square final : public Shape, public SignedDistance {
 public:
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {4e-4 * density, Vec3(0, 0, 1e-9 * density)}; }
  double bounding_radius() const noexcept override { return 0.01; }
  Surface surface() const override {
    return {{{0.01, 0.01, 0}, {-0.01, 0.01, 0}, {-0.01, -0.01, 0}, {0.01, -0.01, 0}}, {{0, 1, 2, 3}}, true};
  }
  const void* facet(std::string_view name) const noexcept override {
    return name == SignedDistance::kName ? static_cast<const SignedDistance*>(this) : nullptr;
  }
  void distance(std::span<const Vec3> p, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool flat = std::abs(p[i].x()) > std::abs(p[i].y());
      distance[i] = 0.01 - std::max(std::abs(p[i].x()), std::abs(p[i].y()));  // above 0 inside
      gradient[i] = flat ? Vec3(p[i].x() > 0 ? 1 : -1, 0, 0) : Vec3(0, p[i].y() > 0 ? 1 : -1, 0);
    }
  }
};

/// Keeps something that it does not save.
class Forgetful final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.evaluates_once = true, .last_forces = LastForces::start}; }
  void step(Mechanics& mechanics, double dt) override {
    const double gain = ++steps_ > 20 ? 1.001 : 1;
    kick_and_drift(mechanics.world(), mechanics.forces(dt), gain * dt, dt);
    mechanics.commit();
  }

 private:
  int steps_ = 0;
};

DetectorFactory detector(Wrong wrong) {
  return [wrong](const Options&) { return std::make_unique<Detector>(wrong); };
}
LawFactory law(Law::Wrong wrong) {
  return [wrong](const Options&, const LawContext&) { return std::make_unique<Law>(wrong); };
}

}  // namespace

SCREE_PLUGIN(broken, "1.0.0") {
  registrar.detector("nan-overlap", detector(Wrong::overlap));
  registrar.detector("zero-normal", detector(Wrong::normal));
  registrar.detector("pair-out-of-range", detector(Wrong::pair));
  registrar.detector("throws", detector(Wrong::throws));
  registrar.detector("sees-a-first", detector(Wrong::swapped));
  registrar.detector("crashes", detector(Wrong::crash));
  registrar.law("double-energy", law(Law::Wrong::energy));
  registrar.law("pushes-east", law(Law::Wrong::direction));
  registrar.law("stronger-in-company", law(Law::Wrong::batch));
  registrar.shape("small-square", [](const Options&) { return std::make_shared<Square>(); });
  registrar.integrator("forgetful", [](const Options&) { return std::make_unique<Forgetful>(); });
  // Its schema lacks the bound that its code wants.
  registrar.law("loose-options", [](const Options& o, const LawContext&) {
    if (o.number("stiffness") < 0) throw std::runtime_error("negative");
    return std::make_unique<Law>(Law::Wrong::energy);
  });
}
