#include "scree/shape/radial_shape.hpp"

#include <cmath>
#include <numbers>
#include <string>

#include "catch.hpp"
#include "scree/base/error.hpp"

namespace scree {
namespace {

constexpr double kPi = std::numbers::pi;

/// A circle of radius `a` whose centre lies at distance `e` from the point r is measured from.
class ShiftedCircle : public RadialShape2D {
 public:
  ShiftedCircle(double a, double e, const RadialSettings& s) : a_(a), e_(e) { derive(s); }
  double radius(double theta) const override {
    return e_ * std::cos(theta) + std::sqrt(a_ * a_ - e_ * e_ * std::sin(theta) * std::sin(theta));
  }

 private:
  double a_, e_;
};

/// A square of half side 1: its radius has kinks.
class Square : public RadialShape2D {
 public:
  explicit Square(const RadialSettings& s) { derive(s); }
  double radius(double theta) const override {
    return 1 / std::max(std::abs(std::cos(theta)), std::abs(std::sin(theta)));
  }
};

class Dent : public RadialShape2D {
 public:
  explicit Dent(double depth) : depth_(depth) { derive({}); }
  double radius(double theta) const override { return 1 - depth_ * std::cos(theta - 1.9); }

 private:
  double depth_;
};

TEST_CASE("a circle given about another point has its own mass properties and origin") {
  const ShiftedCircle circle(0.5, 0.2, {.nodes = 64, .thickness = 0.01});
  // Quadrature is exact to rounding for analytic outlines: 1e-12 leaves room for sums of 1e3 terms.
  CHECK(circle.area() == Approx(kPi * 0.25).epsilon(1e-12));
  const MassProperties m = circle.mass(1000);
  CHECK(m.mass == Approx(10 * kPi * 0.25).epsilon(1e-12));
  CHECK(m.inertia.z() == Approx(m.mass * 0.125).epsilon(1e-10));
  CHECK(circle.reference_point().x() == Approx(-0.2).epsilon(1e-10));
  CHECK(std::abs(circle.reference_point().y()) < 1e-14);
  CHECK(circle.bounding_radius() == Approx(0.5).epsilon(1e-10));
  const auto* radial = facet<RadialFunction>(circle);
  REQUIRE(radial != nullptr);
  CHECK(radial->max_radius() == Approx(0.7).epsilon(1e-12));
  CHECK(radial->min_radius() == Approx(0.3).epsilon(1e-12));
  for (const Vec3& node : facet<BoundaryNodes>(circle)->nodes()) CHECK(node.norm() == Approx(0.5).epsilon(1e-10));
}

TEST_CASE("an outline with kinks still meets the promised accuracy") {
  const Square square({.scale = 0.5});
  CHECK(square.area() == Approx(1).epsilon(1e-10));
  CHECK(square.mass(1000).inertia.z() == Approx(1000.0 / 6).epsilon(1e-10));  // 1000 kg/m^3 * 1 m * a^4/6
  CHECK(square.bounding_radius() == Approx(std::sqrt(0.5)).epsilon(1e-9));
}

TEST_CASE("size is set by radius or by area") {
  const ShiftedCircle by_radius(3, 1, {.max_radius = 0.02});
  CHECK(facet<RadialFunction>(by_radius)->max_radius() == Approx(0.02).epsilon(1e-12));
  const ShiftedCircle by_area(3, 1, {.area = 0.02});
  CHECK(by_area.area() == Approx(0.02).epsilon(1e-12));
  CHECK_THROWS_AS(ShiftedCircle(3, 1, {.max_radius = 1, .area = 1}), OptionError);
}

TEST_CASE("a disc about its centre sweeps nothing when it turns") {
  CHECK(ShiftedCircle(0.5, 0, {}).rotation_reach() == 0);
  CHECK(ShiftedCircle(0.5, 0.2, {}).rotation_reach() == Approx(0.5));
}

TEST_CASE("slope by central differences") {
  const ShiftedCircle circle(1, 0.4, {});
  for (double theta = 0; theta < 6.3; theta += 0.1) {
    const double s = std::sin(theta), c = std::cos(theta);
    const double exact = -0.4 * s - 0.16 * s * c / std::sqrt(1 - 0.16 * s * s);
    CHECK(std::abs(circle.slope(theta) - exact) < 1e-10);  // truncation 1e-16 r'''', rounding 1e-16/1e-4
  }
}

TEST_CASE("signed distance: exact on the outline, first order beside it, finite and monotone towards the centre") {
  const ShiftedCircle circle(1, 0.4, {});
  const auto* field = facet<SignedDistance>(circle);
  for (double angle = 0.05; angle < 6.3; angle += 0.1) {
    const Vec3 e(std::cos(angle), std::sin(angle), 0);
    const Vec3 points[] = {e, 1.01 * e, 0.99 * e};
    double d[3];
    Vec3 n[3];
    field->distance(points, d, n);
    CHECK(std::abs(d[0]) < 1e-12);
    CHECK((n[0] - e).norm() < 1e-9);      // central differences
    CHECK(std::abs(d[1] - 0.01) < 1e-4);  // O(d^2)
    CHECK(std::abs(d[2] + 0.01) < 1e-4);
    CHECK(std::abs(n[1].norm() - 1) < 1e-12);
    double depth = 0;
    for (double t = 1; t >= 0; t -= 0.01) {
      const Vec3 p = circle.reference_point() + t * (e - circle.reference_point());
      double distance;
      Vec3 normal;
      field->distance({&p, 1}, {&distance, 1}, {&normal, 1});
      CHECK(-distance >= depth - 1e-12);
      CHECK(std::isfinite(normal.norm()));
      depth = -distance;
    }
  }
}

TEST_CASE("an outline whose radius is not positive is refused with its angle and value") {
  std::string message;
  try {
    Dent{1.03};
  } catch (const OptionError& e) {
    message = e.what();
  }
  CHECK(message == "radius is -0.03 at theta = 1.9; r > 0 is needed everywhere");
  CHECK_NOTHROW(Dent{0.99});
}

}  // namespace
}  // namespace scree
