#include "nodes_to_surface.hpp"

#include <cmath>
#include <memory>
#include <numbers>
#include <random>

#include "box.hpp"
#include "catch.hpp"
#include "circle.hpp"
#include "half_space.hpp"
#include "scree/base/error.hpp"
#include "scree/detect/node_runs.hpp"

using namespace scree;
using namespace scree::nodes_to_surface;
using obstacles::Box;
using obstacles::Circle;
using obstacles::HalfPlane;

namespace {

/// r = size (2 + cos(lobes theta)) / 3 with an approximate distance f / |grad f|: a grain that is not convex, whose
/// field is neither exact nor bounded by the way between two points.
class Petal : public Shape, public SignedDistance, public BoundaryNodes {
 public:
  Petal(double size, int lobes, int nodes) : size_(size), lobes_(lobes) {
    for (int i = 0; i < nodes; ++i) {
      const double t = 2 * std::numbers::pi * i / nodes;
      nodes_.emplace_back(radius(t) * std::cos(t), radius(t) * std::sin(t), 0);
    }
  }
  int dimension() const noexcept override { return 2; }
  MassProperties mass(double) const override { return {1, {1, 1, 1}}; }
  double bounding_radius() const noexcept override { return size_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    if (name == SignedDistance::kName) return static_cast<const SignedDistance*>(this);
    return name == BoundaryNodes::kName ? static_cast<const BoundaryNodes*>(this) : nullptr;
  }
  std::span<const Vec3> nodes() const override { return nodes_; }
  void distance(std::span<const Vec3> p, std::span<double> d, std::span<Vec3> g) const override {
    for (std::size_t i = 0; i < p.size(); ++i) {
      const double rho = p[i].norm(), theta = std::atan2(p[i][1], p[i][0]);
      const double slope = -size_ * lobes_ / 3 * std::sin(lobes_ * theta);
      const Vec3 e = p[i] / rho, across(-e[1], e[0], 0);
      const Vec3 gradient = e - slope / rho * across;
      d[i] = (rho - radius(theta)) / gradient.norm();
      g[i] = gradient.normalized();
    }
  }

 private:
  double radius(double t) const { return size_ * (2 + std::cos(lobes_ * t)) / 3; }
  double size_;
  int lobes_;
  std::vector<Vec3> nodes_;
};

struct Body {
  const Shape* shape;
  Vec3 position = Vec3::Zero();
  double angle = 0;
};

struct Found {
  double overlap;
  Vec3 normal, point;
  std::uint32_t feature;
  std::uint64_t payload;
};

/// Two bodies and the detector bound to their shapes.
class Meeting {
 public:
  Meeting(const Body& a, const Body& b) : bodies_{a, b} {
    const Shape* const shapes[] = {a.shape, b.shape};
    detector_.bind(shapes);
  }
  Body& a() { return bodies_[0]; }
  Body& b() { return bodies_[1]; }

  std::vector<Found> contacts(double margin = 0) {
    BodyRow rows[2];
    for (std::size_t k = 0; k < 2; ++k)
      rows[k] = {bodies_[k].position,
                 0,
                 Vec3::Zero(),
                 1,
                 Vec3::Zero(),
                 70 + k,
                 Quat(Eigen::AngleAxisd(bodies_[k].angle, Vec3::UnitZ()))};
    const std::uint32_t shape[2] = {0, 1};
    const Pair pair{0, 1};
    PairCache cache;
    ContactBuffer out;
    detector_.detect({2, rows, shape}, std::span(&pair, 1), cache, margin, out);
    std::vector<Found> found;
    for (std::size_t i = 0; i < out.size(); ++i)
      found.push_back({out.overlap()[i], out.normal_at(i), out.point_at(i), out.feature()[i], out.payload()[i]});
    return found;
  }

  /// Hands features from `old` to `now`; source of each, or -1.
  std::vector<std::int32_t> match(const std::vector<Found>& old, std::vector<Found>& now) const {
    std::vector<std::uint32_t> features[2];
    std::vector<std::uint64_t> payloads[2];
    for (int k = 0; k < 2; ++k)
      for (const Found& f : k == 0 ? old : now) features[k].push_back(f.feature), payloads[k].push_back(f.payload);
    std::vector<std::int32_t> source(now.size());
    detector_.match({old.size(), now.size(), features[0].data(), payloads[0].data(), features[1].data(),
                     payloads[1].data(), source.data()});
    for (std::size_t i = 0; i < now.size(); ++i) now[i].feature = features[1][i];
    return source;
  }

 private:
  Body bodies_[2];
  NodesToSurface detector_;
};

/// Overlaps of all nodes of n in the field of f, straight from the definition.
std::vector<double> overlaps_by_definition(const Body& n, const Body& f) {
  std::vector<double> overlaps;
  const auto* nodes = facet<BoundaryNodes>(*n.shape);
  const auto* field = facet<SignedDistance>(*f.shape);
  if (!nodes || !field) return overlaps;
  const Eigen::AngleAxisd turn_n(n.angle, Vec3::UnitZ()), turn_f(f.angle, Vec3::UnitZ());
  for (const Vec3& node : nodes->nodes()) {
    const Vec3 local = turn_f.inverse() * Vec3(n.position + turn_n * node - f.position);
    double d;
    Vec3 g;
    field->distance({&local, 1}, {&d, 1}, {&g, 1});
    overlaps.push_back(-d);
  }
  return overlaps;
}

/// Number of maximal cyclic runs of values above -margin.
int runs_above(const std::vector<double>& overlaps, double margin) {
  if (!overlaps.empty() && *std::min_element(overlaps.begin(), overlaps.end()) > -margin) return 1;
  int starts = 0;
  for (std::size_t i = 0; i < overlaps.size(); ++i) {
    const double before = overlaps[(i + overlaps.size() - 1) % overlaps.size()];
    starts += overlaps[i] > -margin && !(before > -margin);
  }
  return starts;
}

double largest(const std::vector<double>& values) {
  return values.empty() ? -1e300 : *std::max_element(values.begin(), values.end());
}

/// Random pairs of the given shapes near touch.
template <class Check>
void for_random_pairs(const Shape& a, const Shape& b, double reach, int count, const Check& check) {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> unit(0, 1);
  for (int trial = 0; trial < count; ++trial) {
    const double way = reach * (0.4 + 0.7 * unit(random)), to = 2 * std::numbers::pi * unit(random);
    const Body first{&a, {0.3, -0.2, 0}, 2 * std::numbers::pi * unit(random)};
    const Body second{&b, first.position + way * Vec3(std::cos(to), std::sin(to), 0),
                      2 * std::numbers::pi * unit(random)};
    check(first, second);
  }
}

const Petal kCross(0.10, 4, 100), kSmall(0.03, 3, 60), kPeanut(0.10, 2, 100);
const Box kBox({{0.15, 0.08}, false, 1, 0});
const Circle kDisc({0.05, false, 1, 100});
const HalfPlane kFloor({{0, 1}, 1});
const Circle kDrum({0.5, true, 1, 100});

}  // namespace

TEST_CASE("disc on a half-plane: one contact, overlap to the sagitta of the nodes, normal across") {
  Meeting m({&kDisc, {0.2, 0.049, 0}, 0.01}, {&kFloor});
  const auto found = m.contacts();
  REQUIRE(found.size() == 1);
  const double sagitta = 0.05 * (1 - std::cos(std::numbers::pi / 100));  // how far a node may be from the lowest point
  CHECK(found[0].overlap <= 0.001 + 1e-15);
  CHECK(found[0].overlap > 0.001 - sagitta);
  CHECK((found[0].normal - Vec3(0, -1, 0)).norm() < 1e-14);  // rounding; the disc is a
  CHECK(std::abs(found[0].point[0] - 0.2) < 0.05 * std::numbers::pi / 100 + 1e-12);
  Meeting swapped({&kFloor}, {&kDisc, {0.2, 0.049, 0}, 0.01});
  CHECK((swapped.contacts()[0].normal - Vec3(0, 1, 0)).norm() < 1e-14);
}

TEST_CASE("disc in a drum: contact outward at the rim, gaps within the margin are reported") {
  Meeting m({&kDisc, {0.4505, 0, 0}}, {&kDrum});
  auto found = m.contacts();
  REQUIRE(found.size() == 1);
  CHECK(found[0].overlap == Approx(0.0005).margin(1e-12));  // node 0 is the outermost point
  CHECK((found[0].normal - Vec3(1, 0, 0)).norm() < 1e-12);
  m.a().position = {0.4495, 0, 0};
  CHECK(m.contacts().empty());
  found = m.contacts(0.001);
  REQUIRE(found.size() == 1);
  CHECK(found[0].overlap == Approx(-0.0005).margin(1e-12));
}

TEST_CASE("two discs: nodes of both sides, one contact") {
  for (const double turn : {0.0, 0.013, 0.0314159}) {
    Meeting m({&kDisc, {0, 0, 0}, turn}, {&kDisc, {0.098, 0.003, 0}, 2 * turn});
    const auto found = m.contacts();
    REQUIRE(found.size() == 1);
    CHECK(found[0].normal.dot(Vec3(0.098, 0.003, 0).normalized()) > 0.999);  // a node's spacing of 2 pi/100 rad
  }
}

TEST_CASE("a peanut lies on a floor with two contacts, a disc spanning node 0 with one") {
  Meeting peanut({&kPeanut, {0, 0.034, 0}}, {&kFloor});
  CHECK(peanut.contacts().size() == 2);
  Meeting disc({&kDisc, {0, 0.048, 0}, -std::numbers::pi / 2}, {&kFloor});
  const auto found = disc.contacts();
  REQUIRE(found.size() == 1);
  CHECK(interval_a(found[0].payload).first > 60000);  // the run begins before node 0 and goes on after it
  CHECK(found[0].overlap == Approx(0.002).margin(1e-12));
}

TEST_CASE("a corner node inside a grain is found though no node of the grain is inside the box") {
  const Circle coarse({0.05, false, 1, 8});
  // The corner (0.15, 0.08) lies between two nodes of the octagon of nodes, 1 mm inside its circle.
  const double between = std::numbers::pi / 8;
  const Vec3 corner(0.15, 0.08, 0), direction = Vec3(1, 1, 0).normalized();
  Meeting m({&coarse, corner + 0.049 * direction, std::numbers::pi / 4 + between}, {&kBox});
  const auto found = m.contacts();
  REQUIRE(found.size() == 1);
  CHECK(found[0].overlap == Approx(0.001).margin(1e-12));
  CHECK((found[0].normal + direction).norm() < 1e-12);
  CHECK((found[0].point - corner).norm() < 1e-12);
}

TEST_CASE("overlap, touch and runs equal those of all nodes by brute force") {
  const std::pair<const Shape*, const Shape*> cases[] = {{&kCross, &kCross}, {&kCross, &kSmall}, {&kSmall, &kBox},
                                                         {&kBox, &kPeanut},  {&kDisc, &kBox},    {&kBox, &kBox}};
  int touching = 0;
  for (const auto& [a, b] : cases) {
    const double reach = a->bounding_radius() + b->bounding_radius();
    for (const double margin : {0.0, 0.004}) {
      for_random_pairs(*a, *b, reach, 1500, [&](const Body& first, const Body& second) {
        // With a margin, an approximate field may see a node within it from beyond the bounding circles.
        if (margin > 0 && (second.position - first.position).norm() > reach) return;
        const auto by_a = overlaps_by_definition(first, second), by_b = overlaps_by_definition(second, first);
        const double deepest = std::max(largest(by_a), largest(by_b));
        if (std::abs(deepest + margin) < 1e-12) return;  // on the edge: rounding decides
        const auto found = Meeting(first, second).contacts(margin);
        REQUIRE(found.empty() == !(deepest > -margin));
        if (found.empty()) return;
        ++touching;
        double best = -1e300;
        for (const Found& f : found) best = std::max(best, f.overlap);
        REQUIRE(best == Approx(deepest).margin(1e-12));  // rounding of the transforms
        if (margin > 0) return;  // nodes an approximate field sees from beyond the bounding circle are left out
        const int runs_a = runs_above(by_a, margin), runs_b = runs_above(by_b, margin);
        REQUIRE(static_cast<int>(found.size()) <= runs_a + runs_b);
        REQUIRE(static_cast<int>(found.size()) >= std::min({1, runs_a, runs_b}));
      });
    }
  }
  CHECK(touching > 5000);
}

TEST_CASE("bodies exchanged: the same contacts, mirrored to 1e-12") {
  const std::pair<const Shape*, const Shape*> cases[] = {
      {&kCross, &kCross}, {&kCross, &kSmall}, {&kSmall, &kBox}, {&kPeanut, &kDisc}};
  for (const auto& [a, b] : cases) {
    for_random_pairs(*a, *b, a->bounding_radius() + b->bounding_radius(), 1500, [](const Body& p, const Body& q) {
      const auto forth = Meeting(p, q).contacts(), back = Meeting(q, p).contacts();
      REQUIRE(forth.size() == back.size());
      for (const Found& f : forth) {
        double nearest = 1e300;
        for (const Found& g : back) {
          const bool same_sides =
              interval_a(f.payload) == interval_b(g.payload) && interval_b(f.payload) == interval_a(g.payload);
          const double difference =
              std::max({std::abs(f.overlap - g.overlap), (f.normal + g.normal).norm(), (f.point - g.point).norm()});
          if (same_sides) nearest = std::min(nearest, difference);
        }
        REQUIRE(nearest < 1e-12);  // rounding
      }
    });
  }
}

TEST_CASE("a grain rolled one full turn keeps its contact's feature") {
  for (const Shape* partner : std::vector<const Shape*>{&kFloor, &kDrum, &kDisc}) {
    const bool floor = partner == &kFloor, drum = partner == &kDrum;
    const Vec3 start = floor ? Vec3(0, 0.0495, 0) : drum ? Vec3(0.4505, 0, 0) : Vec3(0.0995, 0, 0);
    Meeting m({&kDisc, start}, {partner});
    std::vector<Found> old = m.contacts();
    REQUIRE(old.size() == 1);
    old[0].feature = 9;
    const int steps = 1000;
    for (int i = 1; i <= steps; ++i) {
      const double turn = 2 * std::numbers::pi * i / steps;
      m.a().angle = turn;
      if (floor) m.a().position[0] = -0.05 * turn;
      if (!floor) m.a().position = Eigen::AngleAxisd(drum ? -turn / 9 : turn / 2, Vec3::UnitZ()) * start;
      std::vector<Found> now = m.contacts();
      REQUIRE(now.size() == 1);
      REQUIRE(m.match(old, now) == std::vector<std::int32_t>{0});
      REQUIRE(now[0].feature == 9);
      old = now;
    }
  }
}

TEST_CASE("a shape with too many nodes is refused with the number and the fix") {
  const Petal dense(0.1, 4, 20000);
  const Shape* const shapes[] = {&dense};
  NodesToSurface detector;
  CHECK_THROWS_AS(detector.bind(shapes), InputError);
  CHECK_THROWS_WITH(detector.bind(shapes),
                    "detector \"nodes-to-surface\": a shape has 20000 boundary nodes; at most 16384 are possible. Take "
                    "fewer nodes or a larger node spacing.");
}

TEST_CASE("no gradient where bodies meet: an error that names both") {
  const Petal round(0.03, 0, 1);
  const Box box({{0.03, 0.03}, false, 1, 0.015});
  // A node of the box, the middle of a side, stands exactly at the grain's centre, where its gradient is 0/0.
  Meeting m({&round, {0.03, 0, 0}}, {&box});
  CHECK_THROWS_AS(m.contacts(), NumericalError);
  CHECK_THROWS_WITH(m.contacts(), Catch::Matchers::ContainsSubstring("bodies 70 and 71"));
}
