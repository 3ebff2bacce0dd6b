// Methods that run well and are wrong: `scree test-plugin` is to find each by what it should be.

#include <scree/integrate/kick_and_drift.hpp>
#include <scree/plugin/plugin.hpp>
#include <scree/shape/facets.hpp>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <csignal>
#include <limits>
#include <numbers>

namespace {

using namespace scree;

constexpr double kStiffness = 1000, kDashpot = 0.2, kFriction = 0.5;  // [N/m], [N s/m], [-]
constexpr double kRadius = 0.005, kNaN = std::numeric_limits<double>::quiet_NaN();

/// Spheres by their bounding radii: no gaps, whatever the margin.
class Marginless final : public ContactDetector {
 public:
  DetectorTraits traits() const override {
    DetectorTraits traits;
    traits.facets_a = traits.facets_b = {SphereSet::kName};
    traits.specificity = -1;
    return traits;
  }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double,
              ContactBuffer& out) const override {
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
      const BodyRow &a = bodies.row[pairs[p].a], &b = bodies.row[pairs[p].b];
      const Vec3 way = b.position - a.position;
      const double overlap = a.radius + b.radius - way.norm();
      if (overlap > 0) out.push(p, overlap, way.normalized(), a.position + 0.5 * way, 0);
    }
  }
};

/// A spring with a dashpot and sliding friction, but for one thing.
class Law final : public ContactLaw, public ForceFace {
 public:
  enum class Wrong { nothing, dashpot, friction, history, range, duration };
  explicit Law(Wrong wrong) : wrong_(wrong) {}
  double range() const noexcept override { return wrong_ == Wrong::range ? 1e-5 : 0; }
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  std::span<const std::string_view> body_inputs() const noexcept override {
    static constexpr std::string_view names[] = {"charge"};
    return wrong_ == Wrong::nothing ? std::span<const std::string_view>(names) : std::span<const std::string_view>();
  }
  int history_size() const noexcept override { return wrong_ == Wrong::history ? 2 : 0; }
  void force(const ContactColumns& c, const double* const*, double* const* now, ForceColumns out) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      const Vec3 n(c.normal[0][i], c.normal[1][i], c.normal[2][i]);
      const Vec3 v(c.velocity[0][i], c.velocity[1][i], c.velocity[2][i]);
      const Vec3 slide = v - v.dot(n) * n;
      const double push = kStiffness * std::max(0.0, c.overlap[i]) * charge(c, i);
      const double brake = c.overlap[i] > 0 ? (wrong_ == Wrong::dashpot ? 1 : -1) * kDashpot * v.dot(n) : 0;
      const double rub = (wrong_ == Wrong::friction ? 1 : -1) * kFriction * push / std::max(slide.norm(), 1e-9);
      Vec3 f = (push + brake) * n + rub * slide;
      if (wrong_ == Wrong::range && c.overlap[i] <= 0) f = -1e-3 * n;
      for (int k = 0; k < 3; ++k) out.force[k][i] = f[k];
      if (wrong_ == Wrong::history) now[0][i] = 1;  // and not now[1]
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* energy) const override {
    for (std::size_t i = 0; i < c.size; ++i)
      energy[i] = 0.5 * kStiffness * charge(c, i) * std::pow(std::max(0.0, c.overlap[i]), 2);
  }
  double contact_duration(double mass, double) const noexcept override {
    return (wrong_ == Wrong::duration ? 100 : 1) * std::numbers::pi * std::sqrt(mass / kStiffness);
  }

 private:
  double charge(const ContactColumns& c, std::size_t i) const {
    return wrong_ == Wrong::nothing ? 1 + c.of_a[0][i] * c.of_b[0][i] : 1;
  }
  Wrong wrong_;
};

/// Kicks and drifts, but for one thing.
class Euler final : public Integrator {
 public:
  enum class Wrong { half_drift, no_rotation, twice, lag, stands, last_forces };
  explicit Euler(Wrong wrong) : wrong_(wrong) {}
  IntegratorTraits traits() const override {
    return {.evaluates_once = true, .last_forces = wrong_ == Wrong::last_forces ? LastForces::end : LastForces::start};
  }
  void step(Mechanics& mechanics, double dt) override {
    World& world = mechanics.world();
    if (wrong_ != Wrong::stands) world.move_prescribed(world.time);
    const Wrenches wrenches = mechanics.forces(dt, wrong_ == Wrong::lag ? 0 : dt / 2);
    if (wrong_ == Wrong::no_rotation) std::ranges::fill(world.angular_velocity.write(), Vec3::Zero());
    kick_and_drift(world, wrenches, (wrong_ == Wrong::twice ? 2 : 1) * dt,
                   (wrong_ == Wrong::half_drift ? 0.5 : 1) * dt);
    if (wrong_ != Wrong::stands) world.move_prescribed(world.time + dt);
    mechanics.commit();
  }

 private:
  Wrong wrong_;
};

/// A ball, but for one thing.
class Ball final : public Shape, public SphereSet, public SignedDistance {
 public:
  enum class Wrong { inside_out, beside, reach, reference };
  explicit Ball(Wrong wrong) : wrong_(wrong), centre_{Vec3(beside(), 0, 0)}, radius_{kRadius} {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override {
    const double m = density * 4 / 3 * std::numbers::pi * std::pow(kRadius, 3);
    return {m, Vec3::Constant(0.4 * m * kRadius * kRadius)};
  }
  double bounding_radius() const noexcept override { return kRadius + beside(); }
  double rotation_reach() const noexcept override { return 0; }
  Vec3 reference_point() const noexcept override { return Vec3(wrong_ == Wrong::reference ? 1 : 0, 0, 0); }
  Surface surface() const override {
    constexpr int kRings = 24, kSides = 48;
    Surface s;
    for (int i = 0; i <= kRings; ++i)
      for (int k = 0; k < kSides; ++k) {
        const double a = std::numbers::pi * i / kRings, b = 2 * std::numbers::pi * k / kSides;
        s.points.push_back(kRadius * Vec3(std::sin(a) * std::cos(b), std::sin(a) * std::sin(b), std::cos(a)));
      }
    for (std::uint32_t i = 0; i < kRings; ++i)
      for (std::uint32_t k = 0; k < kSides; ++k) {
        const std::uint32_t l = (k + 1) % kSides;
        s.cells.push_back({i * kSides + k, (i + 1) * kSides + k, (i + 1) * kSides + l, i * kSides + l});
      }
    return s;
  }
  const void* facet(std::string_view name) const noexcept override {
    if (name == SphereSet::kName && wrong_ != Wrong::inside_out) return static_cast<const SphereSet*>(this);
    if (name == SignedDistance::kName && wrong_ != Wrong::beside) return static_cast<const SignedDistance*>(this);
    return nullptr;
  }
  std::span<const Vec3> centres() const override { return centre_; }
  std::span<const double> radii() const override { return radius_; }
  void distance(std::span<const Vec3> p, std::span<double> distance, std::span<Vec3> gradient) const override {
    const double sign = wrong_ == Wrong::inside_out ? -1 : 1;
    for (std::size_t i = 0; i < p.size(); ++i) {
      distance[i] = sign * (p[i].norm() - kRadius);
      gradient[i] = sign * p[i].normalized();
    }
  }

 private:
  double beside() const { return wrong_ == Wrong::beside ? kRadius : 0; }
  Wrong wrong_;
  std::vector<Vec3> centre_;
  std::vector<double> radius_;
};

/// A square of 2 cm that says that its boundary does not move when it turns.
class Square final : public Shape, public SignedDistance {
 public:
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override { return {4e-4 * density, Vec3(0, 0, 4e-4 * density * 4e-4 / 6)}; }
  double bounding_radius() const noexcept override { return 0.01 * std::numbers::sqrt2; }
  double rotation_reach() const noexcept override { return 0; }
  Surface surface() const override {
    return {{{0.01, 0.01, 0}, {-0.01, 0.01, 0}, {-0.01, -0.01, 0}, {0.01, -0.01, 0}}, {{0, 1, 2, 3}}, true};
  }
  const void* facet(std::string_view name) const noexcept override {
    return name == SignedDistance::kName ? static_cast<const SignedDistance*>(this) : nullptr;
  }
  void distance(std::span<const Vec3> p, std::span<double> distance, std::span<Vec3> gradient) const override {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const bool flat = std::abs(p[i].x()) > std::abs(p[i].y());
      distance[i] = std::max(std::abs(p[i].x()), std::abs(p[i].y())) - 0.01;
      gradient[i] = flat ? Vec3(p[i].x() > 0 ? 1 : -1, 0, 0) : Vec3(0, p[i].y() > 0 ? 1 : -1, 0);
    }
  }
};

/// Writes what a clock says, or a body that is nowhere.
class Hook final : public Modifier {
 public:
  enum class Wrong { column, figure, body };
  explicit Hook(Wrong wrong) : wrong_(wrong) {}
  void begin(World& world) override {
    if (wrong_ == Wrong::column) world.column<double>("warmth");
  }
  void apply(World& world, const ContactView*, HistoryStore&) override {
    const auto now = std::chrono::steady_clock::now().time_since_epoch();
    const double time = std::chrono::duration<double>(now).count();
    if (wrong_ == Wrong::column) world.column<double>("warmth").write()[0] = time;
    if (wrong_ == Wrong::figure) world.metric("warmth") = time;
    if (wrong_ != Wrong::body) return;
    BodySpec body;
    body.position = Vec3::Constant(kNaN);
    world.add({&body, 1});
  }

 private:
  Wrong wrong_;
};

Packed pair_of_places(const PackingContext& context, bool same_id, double scale) {
  Packed packed;
  for (int k = 0; k < 2; ++k) {
    Placement place;
    place.position = 3 * context.bounding_radius * k * Vec3::UnitX();
    place.scale = scale;
    if (same_id) place.id = 7;
    packed.places.push_back(place);
  }
  return packed;
}

auto ball(Ball::Wrong wrong) {
  return [wrong](const Options&) { return std::make_shared<Ball>(wrong); };
}

}  // namespace

SCREE_PLUGIN(subtle, "1.0.0") {
  registrar.detector("marginless", [](const Options&) { return std::make_unique<Marginless>(); });
  const auto law = [&](const char* name, Law::Wrong wrong) {
    registrar.law(name, [wrong](const Options&, const LawContext&) { return std::make_unique<Law>(wrong); });
  };
  law("charged", Law::Wrong::nothing);
  law("drives", Law::Wrong::dashpot);
  law("pushes-along", Law::Wrong::friction);
  law("forgets", Law::Wrong::history);
  law("reaches-out", Law::Wrong::range);
  law("long", Law::Wrong::duration);
  const auto integrator = [&](const char* name, Euler::Wrong wrong) {
    registrar.integrator(name, [wrong](const Options&) { return std::make_unique<Euler>(wrong); });
  };
  integrator("half-drift", Euler::Wrong::half_drift);
  integrator("stiff-neck", Euler::Wrong::no_rotation);
  integrator("heavy", Euler::Wrong::twice);
  integrator("lagless", Euler::Wrong::lag);
  integrator("standing-walls", Euler::Wrong::stands);
  integrator("lies-about-forces", Euler::Wrong::last_forces);
  registrar.shape("inside-out", ball(Ball::Wrong::inside_out));
  registrar.shape("beside", ball(Ball::Wrong::beside));
  registrar.shape("far-reference", ball(Ball::Wrong::reference));
  registrar.shape("reachless", [](const Options&) { return std::make_shared<Square>(); });
  registrar.shape("crashes-when-made", [](const Options&) -> std::shared_ptr<const Shape> {
    std::raise(SIGSEGV);
    return nullptr;
  });
  registrar.modifier("clock-column", [](const Options&) { return std::make_unique<Hook>(Hook::Wrong::column); });
  registrar.modifier("clock-figure", [](const Options&) { return std::make_unique<Hook>(Hook::Wrong::figure); });
  registrar.modifier("nowhere", [](const Options&) { return std::make_unique<Hook>(Hook::Wrong::body); });
  registrar.packing("same-id", [](const Options&, const PackingContext& c) { return pair_of_places(c, true, 1); });
  registrar.packing("no-size", [](const Options&, const PackingContext& c) { return pair_of_places(c, false, 0); });
}
