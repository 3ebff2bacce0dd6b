#include "scree/contacts/lists/slender_bodies.hpp"

#include <omp.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <tuple>
#include <vector>

#include "catch.hpp"
#include "scree/host/host_mechanics.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"

using namespace scree;

namespace {

/// A capsule, or a ball where it has no length.
class Grain final : public Shape, public Segment {
 public:
  Grain(int dimension, double half_length, double radius)
      : dimension_(dimension), half_(half_length), radius_(radius) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double) const override { return {1, Vec3::Ones()}; }
  double bounding_radius() const noexcept override { return half_ + radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return half_ > 0 && name == Segment::kName ? static_cast<const Segment*>(this) : nullptr;
  }
  double half_length() const noexcept override { return half_; }
  double radius() const noexcept override { return radius_; }

 private:
  int dimension_;
  double half_, radius_;
};

/// Hair, short capsules and balls in a cube (square) of 1 m.
struct Hairs {
  World world;
  std::mt19937 engine{7};

  explicit Hairs(int dimension, const PeriodicCell& cell = {}) : world(dimension) {
    world.cell = cell;
    world.add_shape("hair", std::make_shared<Grain>(dimension, 0.09, 0.003));
    world.add_shape("stub", std::make_shared<Grain>(dimension, 0.01, 0.008));
    world.add_shape("ball", std::make_shared<Grain>(dimension, 0, 0.02));
    world.add_material({"m", 1.0});
    std::vector<BodySpec> bodies(300);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      BodySpec& b = bodies[i];
      b.shape = i % 3;
      b.position = {unit(), unit(), dimension == 3 ? unit() : 0};
      b.orientation = turn();
      b.scale = 1 + unit();
    }
    // Lines of neighbours along each other, as in a bundle: nearest points are not unique.
    for (std::size_t i = 0; i < 30; i += 3) {
      bodies[i].position = Vec3(0.3 + 0.004 * static_cast<double>(i), 0.2 + 0.03 * static_cast<double>(i % 4), 0);
      bodies[i].orientation = Quat::Identity();
      bodies[i].scale = 1;
    }
    world.add(bodies);
  }
  double unit() { return std::uniform_real_distribution<double>(0, 1)(engine); }
  Quat turn() {
    Vec3 axis = Vec3::UnitZ();
    if (world.dimension() == 3) axis = Vec3(unit(), unit(), unit()) - Vec3::Constant(0.5);
    return Quat(Eigen::AngleAxisd(7 * unit(), axis.normalized()));
  }
  BodyPoses poses() const { return {world.position.read(), world.orientation.read(), world.cell}; }
  std::vector<std::uint32_t> rows() const {
    std::vector<std::uint32_t> all(world.size());
    for (std::uint32_t i = 0; i < all.size(); ++i) all[i] = i;
    return all;
  }
  /// Half a body's segment [m], world axes; zero for what is not slender.
  Vec3 half(std::size_t i) const {
    if (world.shape.read()[i] != 0) return Vec3::Zero();
    const Vec3 along = world.dimension() == 2 ? Vec3::UnitX() : Vec3::UnitZ();
    return world.orientation.read()[i] * (world.scale.read()[i] * 0.09 * along);
  }
  double core(std::size_t i) const {
    return world.shape.read()[i] == 0 ? world.scale.read()[i] * 0.003 : world.radius.read()[i];
  }
};

/// Distance of the points x + s a, |s| <= 1, from those of y + t b: where it is lowest along s, by golden section.
double between_segments(const Vec3& x, const Vec3& a, const Vec3& y, const Vec3& b) {
  const auto from = [&](double s) {
    const Vec3 p = x + s * a - y;
    const double t = b.isZero() ? 0 : std::clamp(p.dot(b) / b.squaredNorm(), -1.0, 1.0);
    return (p - t * b).norm();
  };
  double low = -1, high = 1;
  const double part = (std::sqrt(5.0) - 1) / 2;
  for (int k = 0; k < 90; ++k) {
    const double s = high - part * (high - low), t = low + part * (high - low);
    (from(s) < from(t) ? high : low) = from(s) < from(t) ? t : s;
  }
  return from((low + high) / 2);
}

using FoundPair = std::tuple<std::uint32_t, std::uint32_t, std::int32_t>;

/// \param ahead  time for which bodies keep their motion [s]
std::vector<FoundPair> by_definition(const Hairs& s, double reach, double ahead = 0) {
  std::vector<FoundPair> found;
  std::vector<Vec3> x, half;
  for (std::size_t i = 0; i < s.world.size(); ++i) {
    x.push_back(s.world.position.read()[i] + ahead * s.world.velocity.read()[i]);
    half.push_back(s.half(i) + ahead * s.world.angular_velocity.read()[i].cross(s.half(i)));
  }
  const auto most = [&](int axis) { return s.world.cell.periodic(axis) ? 1 : 0; };  // all lie in the cell, or nearly
  for (std::uint32_t i = 0; i < x.size(); ++i)
    for (std::uint32_t j = i + 1; j < x.size(); ++j)
      for (int u = -most(0); u <= most(0); ++u)
        for (int v = -most(1); v <= most(1); ++v)
          for (int w = -most(2); w <= most(2); ++w) {
            const Image image(u, v, w);
            const Vec3 y = x[j] + s.world.cell.shift(image);
            const double bound = half[i].norm() + half[j].norm() + s.core(i) + s.core(j) + reach;
            if ((y - x[i]).norm() > 1.01 * bound) continue;
            if (between_segments(x[i], half[i], y, half[j]) < s.core(i) + s.core(j) + reach)
              found.push_back({i, j, packed(image)});
          }
  std::ranges::sort(found);
  return found;
}

const ExpectedPaths stay;  // lists that do not look ahead

std::vector<FoundPair> in_order(const std::vector<ImagePair>& pairs) {
  std::vector<FoundPair> found;
  for (const ImagePair& p : pairs) found.push_back({p.i, p.j, packed(p.image)});
  std::ranges::sort(found);
  return found;
}

}  // namespace

TEST_CASE("pairs of slender bodies are those whose segments are near, each once") {
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true}) {
      const double z = dimension == 3 ? 1.0 : 0.0;
      const Hairs s(dimension, periodic ? PeriodicCell(Vec3::Zero(), Vec3(1, 1, z)) : PeriodicCell());
      const SlenderBodies slender(s.world, s.rows());
      REQUIRE(slender.any());
      CHECK(slender.longest() == Approx(0.09 * 2).epsilon(0.05));
      const auto rows = s.rows();
      const auto radius = s.world.radius.read();
      for (const double reach : {0.0, 0.001, 0.05}) {
        INFO(dimension << "D, periodic " << periodic << ", reach " << reach);
        const auto expected = by_definition(s, reach);
        for (const int threads : {1, 3}) {
          omp_set_num_threads(threads);
          CHECK(in_order(slender.pairs({s.poses(), radius, radius, rows, reach, stay, 0})) == expected);
        }
      }
      std::vector<double> grown(radius.begin(), radius.end());
      for (double& r : grown) r += 0.025;
      CHECK(in_order(slender.pairs({s.poses(), radius, grown, rows, 0.0, stay, 0})) == by_definition(s, 0.05));
    }
}

TEST_CASE("the way of a slender body is that of its ends, and a spin about the axis is none") {
  Hairs s(3);
  const std::vector<Vec3> x0(s.world.position.read().begin(), s.world.position.read().end());
  const std::vector<Quat> q0(s.world.orientation.read().begin(), s.world.orientation.read().end());
  const SlenderBodies slender(s.world, s.rows());
  const BodyPoses reference{x0, q0, s.world.cell};
  const RowRange all{0, 3}, others{1, 3};
  const auto farthest_way = [&](double ahead, const RowRange& rows) {
    return std::sqrt(slender.farthest_squared_way(s.world, reference, stay, 0, ahead, {&rows, 1}));
  };
  CHECK(farthest_way(0, all) == 0);
  CHECK(slender.fastest_turn(s.world) == 0);

  const double length = s.half(0).norm();
  const Vec3 axis = s.half(0) / length, across = axis.unitOrthogonal();
  s.world.orientation.write()[0] = Quat(Eigen::AngleAxisd(2, axis)) * q0[0];
  s.world.angular_velocity.write()[0] = 100 * axis;
  CHECK(farthest_way(0.1, all) < 1e-12);
  CHECK(slender.fastest_turn(s.world) < 1e-12);

  s.world.orientation.write()[0] = Quat(Eigen::AngleAxisd(0.3, across)) * q0[0];
  CHECK(farthest_way(0, all) == Approx(2 * length * std::sin(0.15)));
  s.world.position.write()[0] += 0.02 * across.cross(axis);
  CHECK(farthest_way(0, all) == Approx(Vec3(length * std::sin(0.3) + 0.02, length * (1 - std::cos(0.3)), 0).norm()));

  s.world.orientation.write()[0] = q0[0];
  s.world.position.write()[0] = x0[0];
  s.world.angular_velocity.write()[0] = 2 * across;
  s.world.velocity.write()[0] = 0.5 * across.cross(axis);
  CHECK(slender.fastest_turn(s.world) == Approx(2 * length));
  CHECK(farthest_way(0.01, all) == Approx(0.01 * (0.5 + 2 * length)));
  CHECK(farthest_way(0.01, others) == 0);
}

namespace {

/// Finds nothing: only lists are looked at.
class Blind final : public ContactDetector {
 public:
  DetectorTraits traits() const override { return {}; }
  void bind(std::span<const Shape* const>) override {}
  void detect(const BodyView&, std::span<const Pair>, PairCache&, double, ContactBuffer&) const override {}
};

/// Stands for one that solves for impulses.
class Impulsive final : public Integrator {
 public:
  IntegratorTraits traits() const override { return {.looks_ahead = true}; }
  void step(Mechanics&, double) override {}
};

/// Hairs that fly and turn, as a pipeline lists them.
struct Flying : Hairs {
  Methods methods;
  std::unique_ptr<HostMechanics> mechanics;

  explicit Flying(int dimension, const PeriodicCell& cell = {}) : Hairs(dimension, cell) {
    const auto shapes = static_cast<std::uint32_t>(world.shapes().size());
    methods.detectors.push_back(std::make_unique<Blind>());
    methods.interactions.emplace_back();
    methods.channels.push_back({0, methods.detectors[0].get(), 0});
    methods.channels[0].scales = true;
    methods.resize_table(shapes, 1);
    for (std::uint32_t i = 0; i < shapes; ++i)
      for (std::uint32_t j = 0; j < shapes; ++j) methods.set_channel(i, 0, j, 0, 0);
    methods.skin = 0.01;
    for (std::size_t i = 0; i < world.size(); ++i) {
      world.velocity.write()[i] = in_space({unit() - 0.5, unit() - 0.5, unit() - 0.5});
      world.angular_velocity.write()[i] = 10 * (turn() * Vec3::UnitZ());
    }
    list();
  }
  void list() {
    mechanics = std::make_unique<HostMechanics>(world, methods);
    mechanics->refresh();
  }
  Vec3 in_space(const Vec3& v) const { return world.dimension() == 3 ? v : Vec3(v.x(), v.y(), 0); }
  ContactPipeline& pipeline() { return mechanics->pipeline(); }

  void fly(double dt) {
    const auto x = world.position.write();
    const auto q = world.orientation.write();
    for (std::size_t i = 0; i < world.size(); ++i) {
      x[i] += dt * world.velocity.read()[i];
      const Vec3 w = world.angular_velocity.read()[i];
      q[i] = Quat(Eigen::AngleAxisd(dt * w.norm(), w.normalized())) * q[i];
    }
  }
  std::vector<BodyPair> pairs() const {
    std::vector<BodyPair> out;
    mechanics->pipeline().couplings(out);
    return out;
  }
  /// Pairs by what they are, however often they meet around the cell.
  std::vector<BodyPair> near(double reach, double ahead = 0) const {
    std::vector<BodyPair> out;
    for (const auto& [i, j, image] : by_definition(*this, reach, ahead)) out.push_back({i, j});
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
  }
};

}  // namespace

TEST_CASE("no slender body that flies and turns meets another unlisted, and lists are renewed in time only", "[long]") {
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true}) {
      INFO(dimension << "D, periodic " << periodic);
      const double z = dimension == 3 ? 1.0 : 0.0;
      Flying s(dimension, periodic ? PeriodicCell(Vec3::Zero(), Vec3(1, 1, z)) : PeriodicCell());
      for (int step = 0; step < 60; ++step) {
        s.fly(2e-4);  // up to 0.5 mm at the ends: the skin is 10 mm
        if (s.pipeline().stale(0)) {
          s.pipeline().rebuild(false);
          REQUIRE(s.pairs() == s.near(0.01));
        }
        const auto listed = s.pairs(), touching = s.near(0);
        REQUIRE(std::ranges::includes(listed, touching));
        REQUIRE(touching.size() > 30);
      }
      CHECK(s.pipeline().rebuilds > 4);
      CHECK(s.pipeline().rebuilds < 20);
    }
}

namespace {

/// Takes a step of hairs that look ahead, kicked at random. \return how often lists were made anew
struct Swarm : Flying {
  double dt = 1e-3;  ///< ends go 1.8 mm in it, the slack of hair at rest is 0.75 mm

  explicit Swarm(int dimension, const PeriodicCell& cell = {}) : Flying(dimension, cell) {
    methods.integrator = std::make_unique<Impulsive>();
    list();
  }
  /// Checks lists like HostMechanics in contacts() and commit().
  void look_ahead() {
    if (pipeline().stale(dt)) pipeline().rebuild(false, pipeline().skin_for(dt), dt);
  }
  void step(double kick) {
    fly(dt);
    world.move_prescribed(world.time + dt);
    for (std::size_t i = 0; i < world.size(); ++i) {
      world.velocity.write()[i] += in_space(kick * Vec3(unit() - 0.5, unit() - 0.5, unit() - 0.5));
      world.angular_velocity.write()[i] *= 1 + kick * (unit() - 0.5);
    }
    if (pipeline().stale(dt)) pipeline().rebuild(true, pipeline().skin_for(dt), dt);
    world.time += dt;
  }
};

}  // namespace

TEST_CASE("no slender body meets another unlisted within a step ahead", "[long]") {
  for (const int dimension : {2, 3})
    for (const bool periodic : {false, true}) {
      INFO(dimension << "D, periodic " << periodic);
      const double z = dimension == 3 ? 1.0 : 0.0;
      Swarm s(dimension, periodic ? PeriodicCell(Vec3::Zero(), Vec3(1, 1, z)) : PeriodicCell());
      for (int step = 0; step < 12; ++step) {
        s.look_ahead();
        const auto pairs = s.pairs();
        for (const double part : {0.0, 0.3, 0.7, 1.0}) REQUIRE(std::ranges::includes(pairs, s.near(0, part * s.dt)));
        s.step(step < 6 ? 0.01 : 1.0);
      }
    }
}

TEST_CASE("lists of hairs that all go the same way are as short as those of hairs at rest") {
  const auto listed = [](const Vec3& wind) {
    Swarm s(3);
    std::vector<Id> others;
    for (std::size_t i = 0; i < s.world.size(); ++i) {
      if (s.world.shape.read()[i] != 0) others.push_back(s.world.id.read()[i]);
      s.world.velocity.write()[i] = wind;
      s.world.angular_velocity.write()[i] = Vec3::Zero();
    }
    s.world.remove(others);
    s.look_ahead();
    return std::pair(s.pairs().size(), s.pipeline().skin_for(s.dt));
  };
  const auto [at_rest, skin_at_rest] = listed({0, 0, 0});
  const auto [in_wind, skin_in_wind] = listed({3, -4, 12});
  CHECK(at_rest > 5);
  CHECK(in_wind == at_rest);
  CHECK(skin_at_rest == 0.01);
  CHECK(skin_in_wind == Approx(8 * 13e-3));  // four steps, two bodies
}

TEST_CASE("a capsule longer than half the cell meets every image of another") {
  Hairs s(3, PeriodicCell(Vec3::Zero(), Vec3(1, 1, 1)));
  s.world.add_shape("beam", std::make_shared<Grain>(3, 0.35, 0.01));
  std::vector<BodySpec> beams(2);
  for (BodySpec& b : beams) b.shape = 3, b.orientation = Quat(Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()));
  beams[0].position = {0.5, 0.5, 0.5};
  beams[1].position = {1.0, 0.515, 0.5};  // half a cell along, to either side
  s.world.add(beams);
  const std::uint32_t a = static_cast<std::uint32_t>(s.world.size()) - 2;
  const SlenderBodies slender(s.world, s.rows());
  const auto rows = std::vector<std::uint32_t>{a, a + 1};
  const auto radius = s.world.radius.read();
  const std::vector<FoundPair> both = {{a, a + 1, packed({-1, 0, 0})}, {a, a + 1, 0}};
  CHECK(in_order(slender.pairs({s.poses(), radius, radius, rows, 0.0, stay, 0})) == both);
}

TEST_CASE("after a resume lists of slender bodies that have turned are those of the saved run, and end with them") {
  Flying s(3);
  for (int step = 0; step < 6; ++step) s.fly(2e-4);
  REQUIRE_FALSE(s.pipeline().stale(0));
  HostMechanics resumed(s.world, s.methods);
  resumed.restore({});
  std::vector<BodyPair> pairs;
  resumed.pipeline().couplings(pairs);
  CHECK(pairs == s.pairs());
  CHECK(pairs != s.near(0.01));
  int steps = 0;
  for (; !s.pipeline().stale(0); ++steps) {
    CHECK_FALSE(resumed.pipeline().stale(0));
    s.fly(2e-4);
  }
  CHECK(steps > 0);
  CHECK(resumed.pipeline().stale(0));
}

TEST_CASE("slender bodies come and go, the first one among balls too") {
  Flying s(3);
  std::vector<Id> hairs;
  for (std::size_t i = 0; i < s.world.size(); ++i)
    if (s.world.shape.read()[i] == 0) hairs.push_back(s.world.id.read()[i]);
  const auto as_listed = [&] {
    REQUIRE(s.pipeline().stale(0));
    s.pipeline().rebuild(true);
    CHECK(s.pairs() == s.near(0.01));
    s.fly(2e-4);
    CHECK(std::ranges::includes(s.pairs(), s.near(0)));
  };
  s.world.remove(std::span(hairs).first(40));
  as_listed();
  s.world.remove(std::span(hairs).subspan(40));
  as_listed();
  CHECK(s.pipeline().turning_reach() == 0);
  BodySpec hair;
  hair.position = {0.5, 0.5, 0.5};
  hair.angular_velocity = {60, 0, 0};
  s.world.add({&hair, 1});
  as_listed();
  CHECK(s.pipeline().turning_reach() == Approx(0.09));
  for (int step = 0; step < 5; ++step) s.fly(2e-4);
  CHECK(s.pipeline().stale(0));  // by 1 mm a step at the ends of the hair
}

TEST_CASE("a skin for fast bodies grows with the speed at which ends of slender ones turn") {
  Flying s(3);
  s.methods.integrator = std::make_unique<Impulsive>();
  s.list();
  for (std::size_t i = 0; i < s.world.size(); ++i)
    s.world.velocity.write()[i] = s.world.angular_velocity.write()[i] = Vec3::Zero();
  CHECK(s.pipeline().skin_for(0.01) == 0.01);
  const Vec3 half = s.half(0);
  s.world.angular_velocity.write()[0] = 20 * half.unitOrthogonal();
  const double skin = 4 * 20 * half.norm() * 0.01;
  CHECK(s.pipeline().skin_for(0.01) == Approx(skin));
  // A large one counts as its bounding sphere.
  BodySpec mast;
  mast.shape = s.world.add_shape("mast", std::make_shared<Grain>(3, 5, 0.1));
  mast.kind = BodyKind::fixed;
  const Id id = s.world.add({&mast, 1})[0];
  s.world.angular_velocity.write()[*s.world.row(id)] = {100, 0, 0};
  CHECK(s.pipeline().skin_for(0.01) == Approx(skin));
}
