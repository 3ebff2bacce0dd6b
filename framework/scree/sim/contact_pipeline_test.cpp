#include "scree/sim/contact_pipeline.hpp"

#include <omp.h>

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/facets.hpp"
#include "scree/sim/host_mechanics.hpp"

using namespace scree;

namespace {

// A third party could write these: a disc, a wall, their detector, a law. The pipeline knows none of them.

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
std::unique_ptr<Run> heap(std::size_t count, unsigned shuffle_seed, bool with_floor) {
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

}  // namespace

TEST_CASE("1, 2, 3 threads and permuted bodies: identical bits") {
  const auto hash = [](int threads, unsigned shuffle) {
    omp_set_num_threads(threads);
    auto run = heap(1000, shuffle, true);
    run->steps(600, 2e-3);
    CHECK(run->mechanics->pipeline().rebuilds > 3);
    CHECK(run->mechanics->pipeline().counts().contacts > 100);
    return state_hash(run->world);
  };
  const auto one = hash(1, 0);
  CHECK(hash(2, 0) == one);
  CHECK(hash(3, 0) == one);
  CHECK(hash(2, 17) == one);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("a law gets the columns it asks for, and its couples act on both bodies") {
  Run run({0.5, 0.25}, std::make_unique<Curious>());
  const double big = 0.25 * std::numbers::pi, small = big / 4;  // masses of the discs, density 1
  std::vector<BodySpec> bodies(3);
  bodies[0].shape = 0;
  bodies[0].angular_velocity = {0, 0, 2};
  bodies[1].shape = 1;
  bodies[1].position = {0.7, 0, 0};
  bodies[1].angular_velocity = {0, 0, 5};
  bodies[2].shape = 2;
  bodies[2].position = {0, -0.45, 0};
  bodies[2].kind = BodyKind::fixed;
  run.methods.environment = {};
  run.world.add(bodies);
  run.mechanics->refresh();
  const auto wrench = run.mechanics->forces(1e-3);
  REQUIRE(run.mechanics->pipeline().counts().contacts == 2);
  const auto row = [&](Id id) { return *run.world.row(id); };
  const Wrench on_small = wrench[row(1)], on_floor = wrench[row(2)];
  const double mass = 1 / (1 / big + 1 / small), radius = 1 / (1 / 0.5 + 1 / 0.25);
  CHECK(on_small.force.isApprox(Vec3(mass, radius, 0), 1e-14));
  // The floor is fixed and flat: mass and radius are those of the disc.
  CHECK(on_floor.force.isApprox(Vec3(big, 0.5, 0), 1e-14));
  CHECK(wrench[row(0)].force.isApprox(-(on_small.force + on_floor.force), 1e-14));
  // The contact point is 0.475 right of the big disc and 0.225 left of the small one; the couple 3.5 + 10 * 3.
  CHECK(on_small.torque.z() == Approx(-0.225 * radius + 33.5).epsilon(1e-12));
}

TEST_CASE("weights scale what the law answers, and negative ones take back elastic force alone") {
  const auto forces_and_energy = [](bool weighted, const Vec3& velocity) {
    Run run({1.0});
    if (weighted) {
      run.methods.detectors.push_back(
          std::make_unique<WeightedDiscs>(std::vector<double>{1.0, std::numeric_limits<double>::infinity()}));
      run.methods.channels[0].detector = run.methods.detectors.back().get();
      run.methods.channels[0].weighted = true;
    }
    run.methods.environment.gravity.setZero();
    std::vector<BodySpec> bodies(2);
    bodies[1].id = 1;
    bodies[1].position = {1.9, 0, 0};
    bodies[1].velocity = velocity;
    run.world.add(bodies);
    run.mechanics->refresh();
    run.mechanics->pipeline().compute_energy = true;
    const Vec3 force = run.mechanics->forces(1e-3)[1].force;
    return std::pair(force, run.mechanics->pipeline().counts().elastic_energy);
  };
  const auto [elastic, stored] = forces_and_energy(false, Vec3::Zero());
  const auto [whole, same] = forces_and_energy(false, {0.1, 0.2, 0});
  const auto [weighted, sum] = forces_and_energy(true, {0.1, 0.2, 0});
  CHECK(elastic.x() == Approx(100));
  CHECK((weighted - (2.5 * whole - 0.5 * elastic)).norm() < 1e-12);
  CHECK(same == stored);
  CHECK(sum == Approx(2.75 * stored).epsilon(1e-14));
}

TEST_CASE("forces through lists equal brute force over all pairs") {
  auto run = heap(300, 0, true);
  run->steps(400, 2e-3);
  const auto wrench = run->mechanics->forces(1e-3);
  const World& w = run->world;
  const auto x = w.position.read(), v = w.velocity.read(), spin = w.angular_velocity.read();
  const auto r = w.radius.read(), m = w.mass.read();
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    if (std::isinf(r[i])) continue;
    Vec3 expected = m[i] * Vec3(0, -1, 0);
    for (std::size_t j = 0; j < w.size(); ++j) {
      if (j == i) continue;
      const bool floor = std::isinf(r[j]);
      const Vec3 branch = floor ? Vec3(0, x[i].y(), 0) : Vec3(x[i] - x[j]);
      const double overlap = (floor ? r[i] : r[i] + r[j]) - branch.norm();
      if (overlap <= 0) continue;
      const Vec3 n = branch.normalized();
      const Vec3 p = x[i] - n * (r[i] - overlap / 2);
      const Vec3 relative = (v[i] + spin[i].cross(p - x[i])) - (v[j] + spin[j].cross(p - x[j]));
      expected += 1e3 * overlap * n - 0.3 * relative;
    }
    largest = std::max(largest, (wrench[i].force - expected).norm());
  }
  CHECK(largest < 1e-10);  // forces are of order 1-100 N; the sums differ in rounding only
}

namespace {

/// A gas of discs in a cell that repeats in x and y; their springs dissipate and spin them.
std::unique_ptr<Run> periodic_gas(std::size_t count, const Vec3& drift) {
  auto run = std::make_unique<Run>(std::vector<double>{0.5, 0.25, 0.4});
  run->world.cell = {{-3, 1, 0}, {9.35, 6.8, 0}};
  run->mechanics = std::make_unique<HostMechanics>(run->world, run->methods);
  run->methods.environment.gravity = Vec3::Zero();
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> speed(-3, 3);
  std::vector<BodySpec> bodies(count);
  for (std::size_t i = 0; i < count; ++i) {
    bodies[i].id = i;
    bodies[i].shape = i % 3;
    bodies[i].position = {-3 + 0.85 * double(i % 11), 1 + 0.85 * double(i / 11), 0};
    bodies[i].velocity = Vec3(speed(engine), speed(engine), 0) + drift;
  }
  run->world.add(bodies);
  run->mechanics->refresh();
  return run;
}

/// By id: velocities, and places had nobody been wrapped.
std::vector<Vec3> trajectory(const World& w) {
  std::vector<Vec3> out;
  const auto crossings = Column<Vec3>(const_cast<ColumnStorage*>(w.find_column("cell_crossings")));
  for (Id id = 0; id < w.size(); ++id) {
    const std::size_t i = *w.row(id);
    out.push_back(w.velocity.read()[i]);
    out.push_back(w.position.read()[i] + w.cell.length.cwiseProduct(crossings.read()[i]));
  }
  return out;
}

}  // namespace

TEST_CASE("in a periodic cell forces equal brute force over all images, and momentum is conserved to rounding") {
  auto run = periodic_gas(88, {0, 0, 0});
  const Totals before = totals(run->world, Vec3::Zero());
  run->steps(1500, 2e-3);
  const World& w = run->world;
  CHECK((totals(w, Vec3::Zero()).momentum - before.momentum).norm() < 1e-12 * before.mass);
  CHECK(run->mechanics->pipeline().rebuilds > 10);
  const auto wrench = run->mechanics->forces(1e-3);
  REQUIRE(run->mechanics->pipeline().counts().contacts > 20);
  const auto x = w.position.read(), v = w.velocity.read(), spin = w.angular_velocity.read();
  const auto r = w.radius.read();
  double largest = 0;
  for (std::size_t i = 0; i < w.size(); ++i) {
    Wrench expected;
    for (std::size_t j = 0; j < w.size(); ++j)
      for (int across = -1; across <= 1; ++across)
        for (int up = -1; up <= 1; ++up) {
          const Vec3 there = x[j] + w.cell.shift({across, up, 0}), branch = x[i] - there;
          const double overlap = r[i] + r[j] - branch.norm();
          if (j == i || overlap <= 0) continue;
          const Vec3 n = branch.normalized(), p = x[i] - n * (r[i] - overlap / 2);
          const Vec3 relative = (v[i] + spin[i].cross(p - x[i])) - (v[j] + spin[j].cross(p - there));
          const Vec3 force = 1e3 * overlap * n - 0.3 * relative;
          expected.force += force;
          expected.torque += (p - x[i]).cross(force);
        }
    largest =
        std::max({largest, (wrench[i].force - expected.force).norm(), (wrench[i].torque - expected.torque).norm()});
  }
  CHECK(largest < 1e-10);
}

TEST_CASE("a periodic gas does not care how fast all of it drifts") {
  const Vec3 drift(100, -40, 0);
  auto resting = periodic_gas(88, {0, 0, 0}), drifting = periodic_gas(88, drift);
  resting->steps(300, 1e-3);
  drifting->steps(300, 1e-3);
  REQUIRE(resting->mechanics->pipeline().counts().contacts > 10);
  const auto a = trajectory(resting->world), b = trajectory(drifting->world);
  for (std::size_t i = 0; i < a.size(); i += 2) {
    CHECK((b[i] - drift - a[i]).norm() < 1e-9);
    CHECK((b[i + 1] - drift * 0.3 - a[i + 1]).norm() < 1e-9);
  }
}

TEST_CASE("a gas in a periodic cell: same bits for 1, 2, 3 threads") {
  const auto hash = [](int threads) {
    omp_set_num_threads(threads);
    auto run = periodic_gas(88, {20, 3, 0});
    run->steps(400, 2e-3);
    return state_hash(run->world);
  };
  const auto one = hash(1);
  CHECK(hash(2) == one);
  CHECK(hash(3) == one);
  omp_set_num_threads(omp_get_num_procs());
}

TEST_CASE("contact history rides along when a pair crosses the sides of the cell, again and again") {
  Run run({0.5});
  run.world.cell = {{0, 0, 0}, {7, 5, 0}};
  run.mechanics = std::make_unique<HostMechanics>(run.world, run.methods);
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(2);
  bodies[0].position = {1, 1, 0};
  bodies[1].position = {1.7, 1.6, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  for (int s = 1; s <= 3000; ++s) {
    const auto wrench = run.mechanics->forces(1e-3);
    // The same force all the way: the pair is carried, 9 cells to the left and 7.2 up, and never notices.
    CHECK(wrench[*run.world.row(1)].force.isApprox(1e3 * (1 - std::hypot(0.7, 0.6)) * Vec3(0.7, 0.6, 0).normalized(),
                                                   1e-9));
    const auto x = run.world.position.write();
    for (Vec3& p : x) p += 1e-3 * Vec3(-21, 12, 0);
    run.mechanics->commit();
    ++run.world.step;
    const auto history = run.mechanics->extract();
    REQUIRE(history.size() == 1);
    CHECK(history[0].values[0] == Approx(1e-3 * s).epsilon(1e-12));
  }
  CHECK(run.mechanics->pipeline().rebuilds > 100);
}

TEST_CASE("without walls momentum is conserved to rounding") {
  auto run = heap(400, 0, false);
  run->methods.environment.gravity = {0, 0, 0};
  const Totals before = totals(run->world, Vec3::Zero());
  run->steps(500, 2e-3);
  const Totals after = totals(run->world, Vec3::Zero());
  CHECK((after.momentum - before.momentum).norm() < 1e-12 * before.mass);
}

TEST_CASE("contact history survives rebuilds and reordering") {
  // Two discs pressed together ride through the crowd's rebuilds: the law's own clock must run on.
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(3);
  bodies[0].position = {0, 0, 0};
  bodies[1].position = {0.9, 0, 0};
  bodies[2].position = {-40, 0.3, 0};
  for (auto& b : bodies) b.velocity = {3, 0, 0};
  bodies[2].velocity = {30, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  double held = 0;
  for (int s = 0; s < 900; ++s) {
    const auto v = run.world.velocity.write();  // hold the pair together
    const auto id = run.world.id.read();
    for (std::size_t i = 0; i < 3; ++i)
      if (id[i] < 2) v[i] = {3, 0, 0};
    run.mechanics->forces(1e-3);
    const auto x = run.world.position.write();
    for (std::size_t i = 0; i < 3; ++i) x[i] += 1e-3 * run.world.velocity.read()[i];
    run.mechanics->commit();
    held += 1e-3;
  }
  CHECK(run.mechanics->pipeline().rebuilds > 50);
  const auto history = run.mechanics->extract();
  REQUIRE(history.size() == 1);
  CHECK(history[0].a == 0);
  CHECK(history[0].b == 1);
  CHECK(history[0].values[0] == Approx(held).epsilon(1e-12));
}

TEST_CASE("a contact that splits in two hands its history to both, which have features of their own") {
  Run run({0.5});
  run.methods.detectors.push_back(std::make_unique<SplittingDiscs>(std::vector<double>{0.5}));
  run.methods.channels[0].detector = run.methods.detectors.back().get();
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(2);
  bodies[1].position = {0.9, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  for (int s = 0; s < 4; ++s) {
    run.mechanics->forces(1e-3);
    run.mechanics->commit();
  }
  const auto history = run.mechanics->extract();
  REQUIRE(history.size() == 2);
  for (const HistoryRecord& r : history) CHECK(r.values[0] == Approx(4e-3).epsilon(1e-12));
  CHECK(history[0].feature == 1);
  CHECK(history[1].feature == 2);
}

TEST_CASE("trial evaluations leave committed history alone") {
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(2);
  bodies[1].position = {0.9, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  for (int k = 0; k < 4; ++k) run.mechanics->forces(0.5);
  run.mechanics->commit();
  CHECK(run.mechanics->extract()[0].values[0] == 0.5);
}

TEST_CASE("extracted history comes back when bodies do") {
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(2);
  bodies[1].position = {0.9, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  run.mechanics->forces(0.25);
  run.mechanics->commit();
  const auto kept = run.mechanics->extract();
  const Id gone[] = {1};
  run.world.remove(gone);
  run.mechanics->refresh();
  run.mechanics->forces(0.25);
  run.mechanics->commit();
  CHECK(run.mechanics->extract().empty());
  run.mechanics->insert(kept);
  bodies[1].id = 1;
  run.world.add(std::span(bodies).subspan(1));
  run.mechanics->refresh();
  run.mechanics->forces(0.25);
  run.mechanics->commit();
  REQUIRE(run.mechanics->extract().size() == 1);
  CHECK(run.mechanics->extract()[0].values[0] == 0.5);
}

TEST_CASE("members hand their forces to the owner and never touch each other") {
  // A dumbbell of two overlapping discs rides on a third; a striker hits one end.
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(1);
  const Id owner = run.world.add(bodies)[0];
  std::vector<BodySpec> riders(2);
  riders[0].position = {0.8, 0, 0};
  riders[1].position = {-0.8, 0, 0};
  for (auto& b : riders) b.owner = owner;
  run.world.add(riders);
  std::vector<BodySpec> striker(1);
  striker[0].position = {0.8, 0.9, 0};
  run.world.add(striker);
  run.mechanics->refresh();
  const auto wrench = run.mechanics->forces(1e-3);
  const std::size_t o = *run.world.row(owner);
  const double f = 1e3 * 0.1;  // overlap 0.1
  CHECK(wrench[o].force.y() == Approx(-f));
  CHECK(wrench[o].torque.z() == Approx(-0.8 * f));
  CHECK(wrench[*run.world.row(1)].force.norm() == 0);
  CHECK(run.mechanics->pipeline().counts().contacts == 1);
}

TEST_CASE("a body that leaves the world or becomes NaN is named") {
  Run run({0.5});
  run.methods.domain.upper = {10, 10, 10};
  std::vector<BodySpec> bodies(2);
  bodies[1].position = {5, 5, 0};
  bodies[1].velocity = {1e4, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  try {
    run.steps(10, 1e-3);
    FAIL("no error");
  } catch (const NumericalError& e) {
    CHECK(std::string(e.what()).find("body 1: left the world in step 1 (time 0.001 s)") == 0);
  }
  run.world.velocity.write()[0] = Vec3::Constant(std::nan(""));
  run.world.velocity.write()[1].setZero();
  run.world.position.write()[1].setZero();
  CHECK_THROWS_WITH(run.steps(1, 1e-3), Catch::Matchers::ContainsSubstring("became NaN or infinite"));
}
