#pragma once
/// \file Discs, a floor, their detectors and a law, as a third party could write them: the pipeline knows none of them.

#include <cmath>
#include <numbers>
#include <random>

#include "scree/host/host_mechanics.hpp"
#include "scree/shape/facets.hpp"

namespace scree::test {

class Disc final : public Shape {
 public:
  explicit Disc(double r) : r_(r) {}
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override {
    const double m = density * std::numbers::pi * r_ * r_;
    return {m, {0, 0, 0.5 * m * r_ * r_}};
  }
  double bounding_radius() const noexcept override { return r_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  double r_;
};

class Floor final : public Shape, public ExactDistance {
 public:
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double) const override { return {}; }
  double bounding_radius() const noexcept override { return std::numeric_limits<double>::infinity(); }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == ExactDistance::kName ? static_cast<const ExactDistance*>(this) : nullptr;
  }
  void distance(std::span<const Vec3> x, std::span<double> d, std::span<Vec3> g) const override {
    for (std::size_t i = 0; i < x.size(); ++i) d[i] = x[i].y(), g[i] = Vec3::UnitY();
  }
};

class Discs final : public ContactDetector {
 public:
  explicit Discs(std::vector<double> radius) : radius_(std::move(radius)) {}
  DetectorTraits traits() const override { return {}; }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache&, double margin,
              ContactBuffer& out) const override {
    for (std::uint32_t p = 0; p < pairs.size(); ++p) {
      const std::uint32_t a = pairs[p].a, b = pairs[p].b;
      const double ra = radius_[bodies.shape[a]], rb = radius_[bodies.shape[b]];
      Vec3 n;
      double overlap;
      if (std::isinf(ra) || std::isinf(rb)) {
        const bool floor_first = std::isinf(ra);
        n = floor_first ? Vec3::UnitY() : Vec3(-Vec3::UnitY());
        overlap = std::min(ra, rb) - std::abs(bodies.row[a].position.y() - bodies.row[b].position.y());
      } else {
        const Vec3 branch = bodies.row[b].position - bodies.row[a].position;
        n = branch.normalized();
        overlap = ra + rb - branch.norm();
      }
      if (overlap <= -margin) continue;
      const Vec3 point = std::isinf(ra) ? Vec3(bodies.row[b].position - n * (rb - overlap / 2))
                                        : Vec3(bodies.row[a].position + n * (ra - overlap / 2));
      out.push(p, overlap, n, point, 0);
    }
  }

 private:
  std::vector<double> radius_;
};

/// The same contact three times: whole, one and a half times, and half of it taken back, with other energies.
class WeightedDiscs final : public ContactDetector {
 public:
  explicit WeightedDiscs(std::vector<double> radius) : discs_(std::move(radius)) {}
  DetectorTraits traits() const override {
    DetectorTraits traits;
    traits.weighted = true;
    return traits;
  }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override {
    ContactBuffer once;
    discs_.detect(bodies, pairs, cache, margin, once);
    constexpr double energy[3] = {1, 2, -0.25}, force[3] = {1, 1.5, -0.5};
    for (std::size_t i = 0; i < once.size(); ++i)
      for (std::uint32_t k = 0; k < 3; ++k) {
        out.push(once.pair()[i], once.overlap()[i], once.normal_at(i), once.point_at(i), k);
        out.set_weights(energy[k], force[k]);
      }
  }

 private:
  Discs discs_;
};

/// One contact, which is two of another kind from the third call of detect() on: both go on from the one.
class SplittingDiscs final : public ContactDetector {
 public:
  explicit SplittingDiscs(std::vector<double> radius) : discs_(std::move(radius)) {}
  DetectorTraits traits() const override { return {}; }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView& bodies, std::span<const Pair> pairs, PairCache& cache, double margin,
              ContactBuffer& out) const override {
    ContactBuffer once;
    discs_.detect(bodies, pairs, cache, margin, once);
    const std::uint32_t parts = ++calls_ < 3 ? 1 : 2;
    for (std::size_t i = 0; i < once.size(); ++i)
      for (std::uint32_t k = 0; k < parts; ++k)
        out.push(once.pair()[i], once.overlap()[i], once.normal_at(i), once.point_at(i), k, 10 * parts + k);
  }
  void match(const ContactMatch& m) const override {
    for (std::size_t i = 0; i < m.new_count; ++i) {
      m.source[i] = 0;
      m.new_feature[i] = unused_feature(m, i);
    }
  }

 private:
  Discs discs_;
  mutable int calls_ = 0;
};

/// Force k overlap n; history: time in contact (0) and path slid (1).
class Spring final : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  int history_size() const noexcept override { return 2; }
  void force(const ContactColumns& c, const double* const* last, double* const* now, ForceColumns out) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      now[0][i] = last[0][i] + c.dt;
      double slip = 0;
      for (int k = 0; k < 3; ++k) slip += c.velocity[k][i] * c.velocity[k][i];
      now[1][i] = last[1][i] + std::sqrt(slip) * c.dt;
      for (int k = 0; k < 3; ++k) out.force[k][i] = 1e3 * c.overlap[i] * c.normal[k][i] - 0.3 * c.velocity[k][i];
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* e) const override {
    for (std::size_t i = 0; i < c.size; ++i) e[i] = 500 * c.overlap[i] * c.overlap[i];
  }
  double contact_duration(double m, double) const noexcept override { return std::numbers::pi * std::sqrt(m / 1e3); }
};

/// Writes what it is given into the force on b, and a moment.
class Curious final : public ContactLaw, public ForceFace {
 public:
  const void* face(std::string_view name) const noexcept override {
    return name == ForceFace::kName ? static_cast<const ForceFace*>(this) : nullptr;
  }
  ForceNeeds needs() const noexcept override { return {true, true, true, true, true}; }
  int history_size() const noexcept override { return 0; }
  void force(const ContactColumns& c, const double* const*, double* const*, ForceColumns out) const override {
    for (std::size_t i = 0; i < c.size; ++i) {
      const double force[3] = {c.mass[i], c.radius[i], 0}, moment[3] = {0, 0, c.turn[2][i] + 10 * c.spin[2][i]};
      for (int k = 0; k < 3; ++k) out.force[k][i] = force[k], out.moment[k][i] = moment[k];
    }
  }
  void energy(const ContactColumns& c, const double* const*, double* e) const override { std::fill_n(e, c.size, 0.0); }
  double contact_duration(double, double) const noexcept override { return 1; }
};

/// Stands for one that evaluates forces once per step.
class OnceAStep final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.evaluates_once = true}; }
  void step(Mechanics&, double) override {}
};

struct Run {
  World world{2};
  Methods methods;
  std::unique_ptr<HostMechanics> mechanics;

  explicit Run(std::vector<double> radii, std::unique_ptr<ContactLaw> law = std::make_unique<Spring>()) {
    for (std::size_t i = 0; i < radii.size(); ++i) world.add_shape("disc", std::make_shared<Disc>(radii[i]));
    world.add_shape("floor", std::make_shared<Floor>());
    radii.push_back(std::numeric_limits<double>::infinity());
    world.add_material({"m", 1.0});
    methods.detectors.push_back(std::make_unique<Discs>(radii));
    Interaction interaction;
    interaction.law = std::move(law);
    interaction.force = face<ForceFace>(*interaction.law);
    interaction.needs = interaction.force->needs();
    interaction.history = interaction.force->history_size();
    methods.interactions.push_back(std::move(interaction));
    methods.channels.push_back({0, methods.detectors[0].get(), 0});
    methods.resize_table(radii.size(), 1);
    for (std::uint32_t i = 0; i < radii.size(); ++i)
      for (std::uint32_t j = 0; j < radii.size(); ++j) methods.set_channel(i, 0, j, 0, 0);
    methods.skin = 0.2;
    methods.environment.gravity = {0, -1, 0};
    mechanics = std::make_unique<HostMechanics>(world, methods);
  }

  /// From now on history is kept once.
  void evaluate_once() {
    methods.integrator = std::make_unique<OnceAStep>();
    mechanics = std::make_unique<HostMechanics>(world, methods);
    mechanics->refresh();
  }

  /// Symplectic Euler, enough to move things.
  void steps(int n, double dt) {
    for (int s = 0; s < n; ++s) {
      const auto wrench = mechanics->forces(dt);
      const auto v = world.velocity.write(), x = world.position.write(), w = world.angular_velocity.write();
      const auto im = world.inverse_mass.read();
      const auto ii = world.inverse_inertia.read();
      for (std::size_t i = 0; i < world.size(); ++i) {
        v[i] += dt * im[i] * wrench[i].force;
        w[i] += dt * ii[i].cwiseProduct(wrench[i].torque);
        x[i] += dt * v[i];
      }
      mechanics->commit();
      world.time += dt;
      ++world.step;
    }
  }
};

/// A loose heap of discs over a floor. `order` permutes the rows, ids stay with their bodies.
inline std::unique_ptr<Run> heap(std::size_t count, unsigned shuffle_seed, bool with_floor) {
  auto run = std::make_unique<Run>(std::vector<double>{0.5, 0.25, 1.0});
  std::vector<BodySpec> bodies;
  std::mt19937 engine(1);
  std::uniform_real_distribution<double> jitter(-0.02, 0.02);
  for (std::size_t i = 0; i < count; ++i) {
    BodySpec b;
    b.id = i;
    b.shape = i % 3;
    b.position = {1.48 * double(i % 25) + jitter(engine), 1.0 + 1.48 * double(i / 25) + jitter(engine), 0};
    b.velocity = {jitter(engine) * 20, jitter(engine) * 20, 0};
    bodies.push_back(b);
  }
  if (with_floor) {
    BodySpec b;
    b.id = count;
    b.shape = 3;
    b.kind = BodyKind::fixed;
    bodies.push_back(b);
  }
  if (shuffle_seed) {
    std::mt19937 shuffler(shuffle_seed);
    std::shuffle(bodies.begin(), bodies.end(), shuffler);
  }
  run->world.add(bodies);
  run->mechanics->refresh();
  return run;
}

}  // namespace scree::test
