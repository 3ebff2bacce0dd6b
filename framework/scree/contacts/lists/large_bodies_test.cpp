#include "scree/contacts/lists/large_bodies.hpp"

#include <omp.h>

#include <algorithm>
#include <map>
#include <random>
#include <set>
#include <tuple>

#include "catch.hpp"
#include "disc_world.hpp"
#include "random_cases.hpp"
#include "scree/contacts/contact_pipeline.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kEndless = std::numeric_limits<double>::infinity();

/// Solid shape of the tests, of this radius [m].
class Solid : public Shape {
 public:
  Solid(int dimension, double radius) : dimension_(dimension), radius_(radius) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double) const override {
    return std::isfinite(radius_) ? MassProperties{1, Vec3::Ones()} : MassProperties{};
  }
  double bounding_radius() const noexcept override { return radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  int dimension_;
  double radius_;
};

/// A box that counts the points it is asked for, or, with one half size without bound, a wall y < 0.
class Box final : public Solid, public ExactDistance {
 public:
  Box(int dimension, const Vec3& half) : Solid(dimension, half.norm()), half_(half) {}
  const void* facet(std::string_view name) const noexcept override {
    return name == ExactDistance::kName ? static_cast<const ExactDistance*>(this) : nullptr;
  }
  static double distance(const Vec3& x, const Vec3& half) {
    if (std::isinf(half[0])) return x[1];
    const Vec3 q = x.cwiseAbs() - half;
    return q.cwiseMax(0.0).norm() + std::min(q.maxCoeff(), 0.0);
  }
  void distance(std::span<const Vec3> x, std::span<double> d, std::span<Vec3> g) const override {
#pragma omp atomic
    asked += x.size();
    for (std::size_t i = 0; i < x.size(); ++i) d[i] = distance(x[i], half_), g[i] = Vec3::UnitY();
  }
  const Vec3& half() const { return half_; }
  mutable std::size_t asked = 0;

 private:
  Vec3 half_;
};

/// Grains of 0.01 to 0.02 m in a cube (square) of 1 m, and shapes of large bodies.
struct Scene {
  enum : std::uint32_t { grain, ball, box, rod, wall };
  World world;
  std::mt19937 engine;

  Scene(int dimension, unsigned seed, const PeriodicCell& cell = {}) : world(dimension), engine(seed) {
    const double flat = dimension == 2 ? 1e9 : 0;  // a column along z
    world.cell = cell;
    world.add_shape("grain", std::make_shared<Solid>(dimension, 0.01));
    world.add_shape("ball", std::make_shared<Solid>(dimension, 0.3));
    world.add_shape("box", std::make_shared<Box>(dimension, Vec3(0.2, 0.1, flat > 0 ? 0.0 : 0.15)));
    world.add_shape("rod", std::make_shared<Box>(dimension, Vec3(0.02, 0.45, flat > 0 ? 0.0 : 0.02)));
    world.add_shape("wall", std::make_shared<Box>(dimension, Vec3(kEndless, 0, 0)));
    world.add_material({"m", 1.0});
  }
  double unit() { return std::uniform_real_distribution<double>(0, 1)(engine); }
  Vec3 place() { return {unit(), unit(), world.dimension() == 2 ? 0 : unit()}; }
  Quat turn() {
    Vec3 axis = Vec3::UnitZ();
    if (world.dimension() == 3) axis = Vec3(unit(), unit(), unit()) - Vec3::Constant(0.5);
    return Quat(Eigen::AngleAxisd(7 * unit(), axis.normalized()));
  }
  void add_grains(int count) {
    std::vector<BodySpec> bodies(static_cast<std::size_t>(count));
    for (BodySpec& b : bodies) b.position = place(), b.scale = 1 + unit();
    world.add(bodies);
  }
  Id add(std::uint32_t shape, BodyKind kind, double scale = 1) {
    BodySpec b;
    b.shape = shape;
    b.kind = kind;
    b.position = shape == wall ? Vec3(0, 0.1, 0) : place();
    b.orientation = turn();
    b.scale = scale;
    return world.add({&b, 1})[0];
  }
  BodyPoses poses() const { return {world.position.read(), world.orientation.read(), world.cell}; }

  /// Distance of a point from the surface of body j in an image [m].
  double distance(const Vec3& x, std::size_t j, const Image& image) const {
    const Vec3 from = x - world.position.read()[j] - world.cell.shift(image);
    const Vec3 local = world.orientation.read()[j].conjugate() * from;
    const auto* shape = world.shapes()[world.shape.read()[j]].shape.get();
    if (const auto* solid = dynamic_cast<const Box*>(shape))
      return Box::distance(local, world.scale.read()[j] * solid->half());
    return from.norm() - world.radius.read()[j];
  }
};

using Found = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

std::multiset<Found> sorted(const std::vector<ImagePair>& pairs) {
  std::multiset<Found> found;
  for (const ImagePair& p : pairs) found.insert({p.i, p.j, packed(p.image)});
  return found;
}

/// By definition: every image of every large body, against every smaller one.
std::multiset<Found> brute_force(const Scene& s, const LargeBodies& large, double reach) {
  const auto radius = s.world.radius.read();
  const auto& rows = large.rows();
  std::multiset<Found> found;
  for (std::size_t k = 0; k < rows.size(); ++k) {
    std::vector<std::uint32_t> smaller = large.others();
    smaller.insert(smaller.end(), rows.begin(), rows.begin() + static_cast<std::ptrdiff_t>(k));
    const auto most = [&](int axis) { return s.world.cell.periodic(axis) && std::isfinite(radius[rows[k]]) ? 4 : 0; };
    for (const std::uint32_t i : smaller) {
      if (std::isinf(radius[i]) || !(may_move(s.world, i) || may_move(s.world, rows[k]))) continue;
      for (int x = -most(0); x <= most(0); ++x)
        for (int y = -most(1); y <= most(1); ++y)
          for (int z = -most(2); z <= most(2); ++z)
            if (s.distance(s.world.position.read()[i], rows[k], {x, y, z}) < radius[i] + reach)
              found.insert({i, rows[k], packed(Image(x, y, z))});
    }
  }
  return found;
}

LargeBodies::Reach always(double reach) {
  return [reach](std::uint32_t, std::uint32_t) { return reach; };
}

std::size_t large_ones(const std::vector<double>& moving, const std::vector<double>& fixed) {
  World world(2);
  world.add_shape("unit", std::make_shared<Solid>(2, 1.0));
  world.add_material({"m", 1.0});
  const auto add = [&](const std::vector<double>& radii, BodyKind kind) {
    std::vector<BodySpec> bodies(radii.size());
    for (std::size_t i = 0; i < radii.size(); ++i) bodies[i].scale = radii[i], bodies[i].kind = kind;
    world.add(bodies);
  };
  add(moving, BodyKind::dynamic);
  add(fixed, BodyKind::fixed);
  return LargeBodies(world).rows().size();
}

}  // namespace

TEST_CASE("few bodies are large, and none where sizes are equal, wide, or half of them large") {
  const std::vector<double> grains(200, 0.001);
  const auto with = [&](std::size_t count, double radius) {
    std::vector<double> all = grains;
    all.insert(all.end(), count, radius);
    return all;
  };
  CHECK(large_ones(grains, {}) == 0);
  CHECK(large_ones(grains, {1}) == 1);
  CHECK(large_ones(grains, {0.0079}) == 0);
  CHECK(large_ones(grains, std::vector<double>(500, 1)) == 500);
  CHECK(large_ones(with(1, 1), {}) == 1);
  CHECK(large_ones(with(4, 1), {2}) == 5);
  CHECK(large_ones(with(10, 1), {2}) == 0);
  CHECK(large_ones(with(200, 1), {2}) == 0);
  CHECK(large_ones({}, {0.001, 1}) == 0);
  CHECK(large_ones({0.001}, {1}) == 1);
  CHECK(large_ones({0.001, 1}, {}) == 1);
  std::vector<double> wide;  // as many of each order of magnitude
  for (int i = 0; i < 1000; ++i) wide.push_back(std::pow(1000, i / 999.0));
  CHECK(large_ones(wide, {}) == 0);
}

TEST_CASE("bodies that ride on a moving one count as moving") {
  World world(2);
  world.add_shape("unit", std::make_shared<Solid>(2, 1.0));
  world.add_shape("large", std::make_shared<Solid>(2, 100.0));
  world.add_material({"m", 1.0});
  std::vector<BodySpec> bodies(2);
  bodies[1].shape = 1;
  bodies[1].kind = BodyKind::fixed;
  const std::vector<Id> ids = world.add(bodies);
  std::vector<BodySpec> riders(60);
  for (BodySpec& b : riders) b.shape = 1, b.owner = ids[0];
  world.add(riders);
  CHECK(LargeBodies(world).rows().empty());
  CHECK(may_move(world, 10));
  for (BodySpec& b : riders) b.owner = ids[1];
  World other(2);
  other.add_shape("unit", std::make_shared<Solid>(2, 1.0));
  other.add_shape("large", std::make_shared<Solid>(2, 100.0));
  other.add_material({"m", 1.0});
  other.add(bodies);
  other.add(riders);
  CHECK_FALSE(may_move(other, 10));
  CHECK(LargeBodies(other).rows().size() == 61);
}

TEST_CASE("who is near large bodies equals brute force, whatever they are, how they turn, and how space repeats") {
  for (const int dimension : {2, 3})
    for (const int periodic : {0, 1, 3, 5})
      for (int seed = 0; seed < random_cases(4); ++seed) {
        if (dimension == 2 && periodic > 3) continue;
        INFO("dimension " << dimension << ", periodic " << periodic << ", seed " << seed);
        PeriodicCell cell;
        for (int k = 0; k < 3; ++k)
          if (periodic >> k & 1) cell.edges(k, k) = 0.7;  // some lie outside
        Scene s(dimension, static_cast<unsigned>(seed), cell);
        s.add_grains(600);
        s.add(Scene::ball, BodyKind::dynamic);
        s.add(Scene::box, BodyKind::dynamic, 1.3);
        s.add(Scene::box, BodyKind::fixed);
        s.add(Scene::rod, BodyKind::prescribed, 0.8);
        s.add(Scene::rod, BodyKind::fixed);
        s.add(Scene::wall, BodyKind::fixed);
        s.add(Scene::wall, BodyKind::fixed);
        const LargeBodies large(s.world);
        REQUIRE(large.rows().size() == 7);
        CHECK(large.largest_other() < 0.0201);
        const double reach = 0.02 * s.unit();
        const auto expected = brute_force(s, large, reach);
        CHECK(expected.size() > 200);
        const auto pairs = large.pairs(s.world, s.poses(), large.others(), always(reach), 1.5 * reach);
        CHECK(sorted(pairs) == expected);
        for (const int threads : {1, 2, 3}) {
          omp_set_num_threads(threads);
          const auto again = large.pairs(s.world, s.poses(), large.others(), always(reach), reach);
          CHECK(sorted(again) == expected);
          const auto same = [](const ImagePair& p, const ImagePair& q) {
            return p.i == q.i && p.j == q.j && p.image == q.image;
          };
          CHECK(std::ranges::equal(pairs, again, same));
        }
        omp_set_num_threads(omp_get_num_procs());
      }
}

TEST_CASE("reach is that of the pair") {
  Scene s(2, 1);
  s.add_grains(500);
  s.add(Scene::wall, BodyKind::fixed);
  const LargeBodies large(s.world);
  const auto odd_only = [](std::uint32_t i, std::uint32_t) { return i % 2 == 0 ? -1 : i % 4 == 1 ? 0.0 : 0.3; };
  const auto narrow = sorted(large.pairs(s.world, s.poses(), large.others(), always(0), 0));
  const auto wide = sorted(large.pairs(s.world, s.poses(), large.others(), always(0.3), 0.3));
  std::multiset<Found> expected;
  for (const auto& [i, j, image] : narrow)
    if (i % 4 == 1) expected.insert({i, j, image});
  for (const auto& [i, j, image] : wide)
    if (i % 4 == 3) expected.insert({i, j, image});
  CHECK(sorted(large.pairs(s.world, s.poses(), large.others(), odd_only, 0.3)) == expected);
}

TEST_CASE("a large body's field is asked about what is near it, not about all bodies in its bounding sphere") {
  Scene s(3, 2);
  const auto thin = std::make_shared<Box>(3, Vec3(1, 1, 0.001));
  const std::uint32_t plate = s.world.add_shape("plate", thin);
  s.add_grains(20000);
  BodySpec b;
  b.shape = plate;
  b.kind = BodyKind::fixed;
  b.position = {0.5, 0.5, 0.5};
  s.world.add({&b, 1});
  s.world.reorder(spatial_order(s.world.position.read(), s.world.id.read(), 0.04).rows);
  const LargeBodies large(s.world);
  const auto pairs = large.pairs(s.world, s.poses(), large.others(), always(0.005), 0.005);
  CHECK(pairs.size() > 500);
  CHECK(pairs.size() < 1200);  // 20000 grains in 1 m of height, near within 0.02 m
  CHECK(thin->asked < 10000);
}

namespace {

const Vec3 kBar{3, 0.2, 0};

/// Discs, and a bar of 6 m by 0.4 m or another box, as a pipeline lists them.
struct Stirred : Run {
  Stirred(BodyKind kind, double scale, const Vec3& half_sizes = kBar) : Run({0.05}), half(half_sizes) {
    world.add_shape("bar", std::make_shared<Box>(2, half / scale));
    methods.resize_table(3, 1);
    for (std::uint32_t j = 0; j < 3; ++j) methods.set_channel(0, 0, j, 0, 0);
    methods.channels[0].scales = true;
    methods.skin = 0.04;
    std::mt19937 engine(5);
    std::uniform_real_distribution<double> place(-4, 4);
    std::vector<BodySpec> bodies(1001);
    for (BodySpec& b : bodies) b.position = {place(engine), place(engine), 0};
    bodies[500].shape = 2;
    bodies[500].kind = kind;
    bodies[500].scale = scale;
    bodies[500].position.setZero();
    if (kind == BodyKind::prescribed) bodies[500].motions = {Motion{}};
    world.add(bodies);
    mechanics->refresh();
  }
  /// Turns the bar, and moves all bodies a little.
  void stir(double angle) {
    const auto x = world.position.write();
    for (std::size_t i = 0; i < x.size(); ++i) x[i] += 2e-4 * Vec3(std::cos(1.0 * i), std::sin(1.0 * i), 0);
    Quat& q = world.orientation.write()[bar()];
    q = Quat(Eigen::AngleAxisd(angle, Vec3::UnitZ())) * q;
  }
  std::size_t bar() const { return *world.row(500); }
  std::vector<BodyPair> pairs() const {
    std::vector<BodyPair> out;
    mechanics->pipeline().couplings(out);
    return out;
  }
  /// Returns the number of discs that touch the bar without being listed with it.
  int missed() const {
    const std::vector<BodyPair> listed = pairs();
    const std::size_t b = bar();
    const Quat back = world.orientation.read()[b].conjugate();
    int count = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
      if (i == b) continue;
      const bool touches = Box::distance(back * (world.position.read()[i] - world.position.read()[b]), half) < 0.05;
      const BodyPair pair = std::minmax(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(b));
      count += touches && !std::ranges::binary_search(listed, pair);
    }
    return count;
  }
  Vec3 half;
};

}  // namespace

TEST_CASE("lists are renewed before a large body that turns, free or as prescribed, meets somebody unlisted") {
  for (const BodyKind kind : {BodyKind::dynamic, BodyKind::prescribed})
    for (const double scale : {1.0, 4.0}) {
      Stirred run(kind, scale);
      ContactPipeline& pipeline = run.mechanics->pipeline();
      const std::uint64_t before = pipeline.rebuilds;
      for (int step = 0; step < 600; ++step) {
        run.stir(0.002);  // 6 mm at the ends: a seventh of the skin
        if (pipeline.stale(0)) pipeline.rebuild(false);
        REQUIRE(run.missed() == 0);
      }
      CHECK(pipeline.rebuilds - before > 80);
      CHECK(pipeline.rebuilds - before < 130);
    }
}

TEST_CASE(
    "an endless wall that turns sweeps as far as the farthest body: lists are renewed in time, not in every step") {
  Stirred run(BodyKind::prescribed, 1, {kEndless, 0, 0});
  ContactPipeline& pipeline = run.mechanics->pipeline();
  const std::uint64_t before = pipeline.rebuilds;
  for (int step = 0; step < 600; ++step) {
    run.stir(0.002);  // 11 mm at the farthest disc: a quarter of the skin
    if (pipeline.stale(0)) pipeline.rebuild(false);
    REQUIRE(run.missed() == 0);
  }
  CHECK(pipeline.rebuilds - before > 100);
  CHECK(pipeline.rebuilds - before < 250);
}

TEST_CASE("after a resume a large body that has turned has the pairs of the saved run") {
  const bool endless = GENERATE(false, true);
  INFO("endless " << endless);
  Stirred run(endless ? BodyKind::prescribed : BodyKind::dynamic, endless ? 1 : 4,
              endless ? Vec3(kEndless, 0, 0) : kBar);
  for (int step = 0; step < 100; ++step) run.stir(0.002);
  const auto saved = run.pairs();
  HostMechanics resumed(run.world, run.methods);
  resumed.restore({});
  std::vector<BodyPair> pairs;
  resumed.pipeline().couplings(pairs);
  CHECK(pairs == saved);
  run.mechanics->pipeline().rebuild(false);
  CHECK(run.pairs() != saved);
  // Lists of both end in the same step.
  resumed.restore({});
  for (int step = 0; step < 20; ++step) {
    run.stir(0.001);
    CHECK(resumed.pipeline().stale(0) == run.mechanics->pipeline().stale(0));
  }
  CHECK(resumed.pipeline().stale(0));
}

TEST_CASE("a prescribed body wider than the periodic cell does not narrow the lists of fast bodies") {
  class LooksAhead final : public Integrator {
   public:
    IntegratorTraits traits() const override { return {.looks_ahead = true}; }
    void step(Mechanics&, double) override {}
  };
  Stirred run(BodyKind::prescribed, 1);
  run.methods.integrator = std::make_unique<LooksAhead>();
  run.world.cell = {{-4, -4, 0}, {8, 5, 0}};
  run.world.velocity.write()[run.bar()] = {0, 10, 0};
  HostMechanics mechanics(run.world, run.methods);
  CHECK(mechanics.pipeline().skin_for(0.01) == Approx(0.4));
  run.world.angular_velocity.write()[run.bar()] = {0, 0, 5};  // 15 m/s at its ends
  CHECK(mechanics.pipeline().skin_for(0.01) == Approx(0.4 + 2 * 5 * kBar.norm() * 0.01));
}
