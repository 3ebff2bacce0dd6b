#include "bake.hpp"

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <memory>
#include <numbers>
#include <random>

#include "box.hpp"
#include "catch.hpp"
#include "circle.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/radial_shape.hpp"

using namespace scree;
using namespace scree::nodes_to_surface;
using Catch::Matchers::ContainsSubstring;
using device::FieldValue;

namespace {

/// r(theta) of a formula.
class Radial : public RadialShape2D {
 public:
  Radial(std::function<double(double)> r, double size, int nodes = 400) : r_(std::move(r)) {
    derive({.nodes = nodes, .max_radius = size});
  }
  double radius(double theta) const override { return r_(theta); }

 private:
  std::function<double(double)> r_;
};

double star(double t) { return (2 + std::sin(4 * t)) / 3; }
double butterfly(double t) { return 3 + std::sin(2 * t) + std::sin(7 * t); }
double superellipse(double t) {
  const double c = std::cos(t), s = std::sin(t);
  return 1 / std::sqrt(std::sqrt(c * c * c * c + s * s * s * s));
}

/// A simple polygon, counter-clockwise about the origin, with its exact distance.
class Polygon : public SignedDistance, public BoundaryNodes {
 public:
  Polygon(std::vector<Vec2> corners, double size) : corners_(std::move(corners)) {
    for (Vec2& c : corners_) c *= size;
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const Vec2 a = corners_[k], b = corners_[(k + 1) % corners_.size()];
      const int pieces = static_cast<int>(std::ceil((b - a).norm() / (0.02 * size)));
      for (int i = 0; i < pieces; ++i) {
        const Vec2 p = a + (b - a) * i / pieces;
        nodes_.emplace_back(p[0], p[1], 0);
      }
    }
  }
  std::span<const Vec3> nodes() const override { return nodes_; }
  void distance(std::span<const Vec3> points, std::span<double> d, std::span<Vec3> g) const override {
    for (std::size_t i = 0; i < points.size(); ++i) measure(points[i].head<2>(), d[i], g[i]);
  }

 private:
  void measure(const Vec2& p, double& d, Vec3& g) const {
    double nearest = 1e300;
    Vec2 from(0, 0);
    bool inside = false;
    for (std::size_t k = 0; k < corners_.size(); ++k) {
      const Vec2 &a = corners_[k], &b = corners_[(k + 1) % corners_.size()];
      const Vec2 along = b - a;
      const double t = std::clamp((p - a).dot(along) / along.squaredNorm(), 0.0, 1.0);
      const Vec2 away = p - a - t * along;
      if (away.squaredNorm() < nearest) {
        nearest = away.squaredNorm();
        from = away;
      }
      if ((a[1] > p[1]) != (b[1] > p[1]) && p[0] < a[0] + (p[1] - a[1]) / (b[1] - a[1]) * (b[0] - a[0]))
        inside = !inside;
    }
    const double sign = inside ? -1 : 1, length = std::sqrt(nearest);
    d = sign * length;
    g = length > 0 ? Vec3(sign * from[0] / length, sign * from[1] / length, 0) : Vec3(1, 0, 0);
  }
  std::vector<Vec2> corners_;
  std::vector<Vec3> nodes_;
};
/// An arrow: corners of 27 and 90 degrees, and one that is re-entrant.
std::vector<Vec2> arrow() { return {{1, 0}, {-0.8, 0.6}, {-0.3, 0}, {-0.8, -0.6}}; }

/// A shape and its table.
struct Baked {
  std::string name;
  std::shared_ptr<const void> owner;
  const SignedDistance* field;
  std::span<const Vec3> nodes;
  double radius;
  bool exact;  ///< the field is a distance everywhere
  BakeOptions options{};
  BakedShape table{};

  FieldValue at(const Vec3& p) const { return device::baked_distance(table.field, table.bytes.data(), p[0], p[1]); }
};

template <class S>
Baked of(std::string name, std::shared_ptr<const S> shape, double radius, bool exact) {
  return {std::move(name), shape, shape.get(), shape->nodes(), radius, exact};
}
Baked of_radial(std::string name, double (*r)(double), double size) {
  const auto shape = std::make_shared<const Radial>(r, size);
  return {std::move(name),          shape, facet<SignedDistance>(*shape), facet<BoundaryNodes>(*shape)->nodes(),
          shape->bounding_radius(), false};
}
Baked box_of(double size) {
  const auto box = std::make_shared<const obstacles::Box>(obstacles::BoxOptions{{0.9 * size, 0.4 * size}});
  return of("box", box, box->bounding_radius(), true);
}
void bake_it(Baked& b) { b.table = bake(*b.field, b.radius, b.nodes, b.options); }

std::vector<Baked> all_shapes(double size) {
  std::vector<Baked> all{
      of("circle", std::make_shared<const obstacles::Circle>(obstacles::CircleOptions{size}), size, true),
      of_radial("star", star, size),
      of_radial("butterfly", butterfly, size),
      of_radial("superellipse", superellipse, size),
      of("arrow", std::make_shared<const Polygon>(arrow(), size), size, true),
      box_of(size)};
  all[2].options.band = 0.08;  // deeper, the butterfly's first-order distance is a fan of folds
  for (Baked& b : all) bake_it(b);
  return all;
}
/// Returns shapes of 1 cm.
const std::vector<Baked>& shapes() {
  static const std::vector<Baked> all = all_shapes(0.01);
  return all;
}

class Random {
 public:
  explicit Random(std::uint64_t seed) : engine_(seed) {}
  double operator()(double low, double high) {
    return low + (high - low) * static_cast<double>(engine_() >> 11) * 0x1p-53;
  }

 private:
  std::mt19937_64 engine_;
};

struct Values {
  std::vector<Vec3> points, normals;
  std::vector<double> distances;
};
Values field_at(const Baked& b, std::vector<Vec3> points) {
  Values v{std::move(points), {}, {}};
  v.normals.resize(v.points.size());
  v.distances.resize(v.points.size());
  b.field->distance(v.points, v.distances, v.normals);
  return v;
}
std::vector<Vec3> random_points(double half, std::size_t count, std::uint64_t seed) {
  Random random(seed);
  std::vector<Vec3> points(count);
  for (Vec3& p : points) p = {random(-half, half), random(-half, half), 0};
  return points;
}
/// Within a reach of the nodes, which are dense.
bool near_outline(const Baked& b, const Vec3& p, double reach) {
  return std::any_of(b.nodes.begin(), b.nodes.end(), [&](const Vec3& n) { return (n - p).norm() < reach; });
}

/// Away from kinks: normals a little way off are nearly the same.
bool smooth(const Baked& b, const Vec3& p, const Vec3& normal) {
  const double step = 0.02 * b.radius;
  std::vector<Vec3> around;
  for (int k = 0; k < 8; ++k)
    around.push_back(p + step * Vec3(std::cos(k * std::numbers::pi / 4), std::sin(k * std::numbers::pi / 4), 0));
  for (const Vec3& n : field_at(b, around).normals)
    if (n.dot(normal) < std::cos(0.2)) return false;
  return true;
}

/// Largest error over the radius at random points of the band.
double largest_error(const Baked& b, std::size_t count, std::uint64_t seed) {
  const Values v = field_at(b, random_points(1.16 * b.radius, count, seed));
  const double band = b.options.band * b.radius;
  double largest = 0;
  for (std::size_t i = 0; i < v.points.size(); ++i) {
    if (std::abs(v.distances[i]) > band || !near_outline(b, v.points[i], band)) continue;
    largest = std::max(largest, std::abs(b.at(v.points[i]).distance - v.distances[i]) / b.radius);
  }
  return largest;
}

/// A field by a formula; gradients along x.
class Formula : public SignedDistance {
 public:
  explicit Formula(std::function<double(const Vec3&)> f) : f_(std::move(f)) {}
  void distance(std::span<const Vec3> points, std::span<double> d, std::span<Vec3> g) const override {
    for (std::size_t i = 0; i < points.size(); ++i) {
      d[i] = f_(points[i]);
      g[i] = Vec3::UnitX();
    }
  }

 private:
  std::function<double(const Vec3&)> f_;
};

}  // namespace

TEST_CASE("a baked distance errs by less than its tolerance at points that baking has not seen") {
  for (const Baked& b : shapes()) {
    INFO(b.name);
    CHECK(b.table.report.largest_error <= b.options.tolerance);
    CHECK(b.table.report.mean_error < 1e-5);
    CHECK(b.table.bytes.size() == b.table.report.bytes);
    CHECK(largest_error(b, 40000, 1) <= b.options.tolerance);
  }
}

TEST_CASE("smooth shapes reach 1e-5 of the radius without splitting a cell of 64 x 64") {
  for (const std::size_t k : {0u, 3u}) {
    INFO(shapes()[k].name);
    CHECK(shapes()[k].table.report.levels == 1);
    CHECK(shapes()[k].table.report.largest_error < 1e-5);
  }
}

TEST_CASE("a baked normal is a unit vector, and the field's gradient to the tolerance away from kinks") {
  for (const Baked& b : shapes()) {
    INFO(b.name);
    const Values v = field_at(b, random_points(1.1 * b.radius, 4000, 2));
    const double band = b.options.band * b.radius;
    for (std::size_t i = 0; i < v.points.size(); ++i) {
      const FieldValue value = b.at(v.points[i]);
      REQUIRE(std::hypot(value.nx, value.ny) == Approx(1).epsilon(1e-12));
      if (std::abs(v.distances[i]) > band || !near_outline(b, v.points[i], band)) continue;
      if (!smooth(b, v.points[i], v.normals[i])) continue;
      REQUIRE((Vec3(value.nx, value.ny, 0) - v.normals[i]).norm() < b.options.normal_tolerance);
    }
  }
}

TEST_CASE("nodes of other shapes in random poses are inside or outside as the field says, beyond the tolerance") {
  Random random(3);
  std::size_t inside = 0;
  for (const Baked& b : shapes()) {
    for (const Baked& other : shapes()) {
      for (int pose = 0; pose < 40; ++pose) {
        const Eigen::AngleAxisd turn(random(0, 2 * std::numbers::pi), Vec3::UnitZ());
        const Vec3 shift(random(-1.8, 1.8) * b.radius, random(-1.8, 1.8) * b.radius, 0);
        std::vector<Vec3> nodes;
        for (const Vec3& n : other.nodes) nodes.push_back(turn * n + shift);
        const Values v = field_at(b, std::move(nodes));
        for (std::size_t i = 0; i < v.points.size(); ++i) {
          if (std::abs(v.distances[i]) <= b.options.tolerance * b.radius) continue;
          INFO(b.name << ", node of " << other.name << " at distance " << v.distances[i]);
          REQUIRE((b.at(v.points[i]).distance < 0) == (v.distances[i] < 0));
          inside += v.distances[i] < 0;
        }
      }
    }
  }
  CHECK(inside > 10000);
}

TEST_CASE("beyond the square the distance is a lower bound, goes on without a jump, and has an outward normal") {
  for (const Baked& b : shapes()) {
    if (!b.exact) continue;
    INFO(b.name);
    const Values v = field_at(b, random_points(5 * b.radius, 2000, 4));
    for (std::size_t i = 0; i < v.points.size(); ++i) {
      const Vec3& p = v.points[i];
      if (p.cwiseAbs().maxCoeff() < 1.3 * b.radius) continue;
      const FieldValue value = b.at(p);
      REQUIRE(value.distance <= v.distances[i] + 0.01 * b.radius);  // at the border the table is coarse
      REQUIRE(value.distance > 0.5 * v.distances[i]);
      REQUIRE(value.nx * v.normals[i][0] + value.ny * v.normals[i][1] > 0.7);
    }
    const device::BakedField& f = b.table.field;
    const double border = f.left + f.cells * f.cell, step = 1e-9 * b.radius;
    for (double y = -1; y < 1; y += 0.1) {
      const FieldValue in = b.at({border - step, y * b.radius, 0}), out = b.at({border + step, y * b.radius, 0});
      CHECK(out.distance == Approx(in.distance).margin(5 * step));  // two steps, slopes of about 1
    }
    CHECK(std::isnan(b.at({std::nan(""), 0, 0}).distance));
  }
}

TEST_CASE("from cell to cell the distance jumps by less than the tolerance") {
  for (const Baked& b : shapes()) {
    INFO(b.name);
    const double step = 2e-5 * b.radius, band = b.options.band * b.radius;
    for (const double y : {-0.43, -0.11, 0.07, 0.31}) {
      double before = b.at({-1.1 * b.radius, y * b.radius, 0}).distance;
      for (double x = -1.1 * b.radius + step; x < 1.1 * b.radius; x += step) {
        const Vec3 p(x, y * b.radius, 0);
        const double d = b.at(p).distance;
        if (b.exact && std::abs(d) < band)  // whose slope is 1, and 1.5 at most of the polynomial at a kink
          REQUIRE(std::abs(d - before) < 1.5 * step + b.options.tolerance * b.radius);
        before = d;
      }
    }
  }
}

TEST_CASE("the same shape gives the same bytes each time") {
  Baked again = box_of(0.01);
  bake_it(again);
  CHECK(again.table.bytes == shapes()[5].table.bytes);
}

TEST_CASE("a shape of 1 mm and one of 1 m have the same relative error") {
  Baked small = box_of(0.001), large = box_of(1);
  for (Baked* b : {&small, &large}) {
    b->options.tolerance = 1e-3;
    bake_it(*b);
  }
  CHECK(small.table.bytes.size() == large.table.bytes.size());
  // Places differ by rounding, and errors at kinks with them by as much.
  CHECK(small.table.report.largest_error == Approx(large.table.report.largest_error).epsilon(1e-6));
  CHECK(largest_error(small, 20000, 5) <= 1e-3);
  CHECK(largest_error(large, 20000, 5) <= 1e-3);
}

TEST_CASE("a tolerance out of reach is refused: where, by how much, what is allowed, what to do") {
  BakeOptions options{.where = "shape \"gear\"", .tolerance = 0.01};
  const Formula jump([](const Vec3& p) { return p.norm() - (p[0] > 0.3 ? 0.9 : 0.8); });
  CHECK_THROWS_AS(bake(jump, 1, {}, options), InputError);
  CHECK_THROWS_WITH(
      bake(jump, 1, {}, options),
      Catch::Matchers::StartsWith("shape \"gear\": its distance cannot be baked for devices: at (0.") &&
          ContainsSubstring(" m of the body frame the table errs by 0.") &&
          ContainsSubstring(" of the bounding radius; 0.01 is allowed (in trials 0.4 of it), and the distance jumps "
                            "there, or nearly so. Make it continuous within 0.15 m of the boundary, or raise the "
                            "tolerance."));
  options.tolerance = 1e-4;
  options.most_bytes = 100000;
  const Baked box = box_of(1);
  CHECK_THROWS_WITH(
      bake(*box.field, box.radius, box.nodes, options),
      ContainsSubstring(" allowed (in trials 0.4 of it), and smaller cells would need more than 100000 bytes. Make the "
                        "distance smoother, raise the limit up to 26281600 bytes, or raise the tolerance."));
}

TEST_CASE("fields of which no table can be made are refused") {
  const BakeOptions options{.where = "shape \"drum\"", .cells = 9};
  const obstacles::Circle drum({1, true});
  CHECK_THROWS_WITH(bake(drum, 1, {}, options),
                    "shape \"drum\": its distance cannot be baked for devices: at (-1.40875, -1.38) m of the body "
                    "frame, beyond the bounding radius of 1 m, it is -0.972049 m; it must be > 0 there. Put the "
                    "bounding radius or the formula right; a container has no such table.");
  CHECK_THROWS_WITH(bake(drum, drum.bounding_radius(), {}, options),
                    "shape \"drum\": its distance cannot be baked for devices: its bounding radius is inf m; it must "
                    "be finite and > 0. Shapes without end have no such table.");
  const Vec3 far(1.3, 0, 0);
  CHECK_THROWS_WITH(
      bake(drum, 1, {&far, 1}, options),
      "shape \"drum\": its distance cannot be baked for devices: a boundary node is 1.3 m from its origin, "
      "the bounding radius is 1 m. Put one of them right.");
  const Formula hole([](const Vec3& p) { return p.norm() < 0.2 ? std::nan("") : p.norm() - 1; });
  CHECK_THROWS_WITH(bake(hole, 1, {}, options),
                    ContainsSubstring("distance and gradient are nan and (1, 0); finite numbers are needed "
                                      "everywhere. Guard the formula there."));
}

TEST_CASE("options out of range are refused with what is possible") {
  const obstacles::Circle disc({1});
  const auto refused = [&](BakeOptions options, const std::string& text) {
    CHECK_THROWS_WITH(bake(disc, 1, {}, options), "shape: its distance cannot be baked for devices: " + text);
  };
  refused({.tolerance = 1e-9}, "the tolerance is 1e-09 of the bounding radius; 1e-6 to 0.1 are possible.");
  refused({.normal_tolerance = 0}, "the tolerance of normals is 0 rad; 1e-3 to 2 are possible.");
  refused({.band = 2}, "the band is 2 of the bounding radius; it must be > 0 and at most 1.");
  refused({.cells = 4}, "the grid has 4 cells along a side; 8 to 1024 are possible.");
  refused({.most_bytes = 1000}, "its grid takes 67600 bytes, the limit is 1000. Raise the limit or take fewer cells.");
}
