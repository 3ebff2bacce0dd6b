#include "shape/stars.hpp"

#include <algorithm>
#include <cmath>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/shape/sphere_mesh.hpp"
#include "test_pairs.hpp"
#include "verify.hpp"

namespace scree::star3d {
namespace {

using scree::test::verify;
using test::Draw;

TEST_CASE("star3d: volumes and moments of harmonics equal the references to 1e-12") {
  const auto bumpy = test::bumpy(), jack = test::jack();
  verify("bumpy: volume", 4.47341243152356, bumpy->volume(), 1e-12);
  verify("bumpy: moment", 2.03171382056228, bumpy->mass(1).inertia.x(), 1e-12);
  CHECK((bumpy->mass(1).inertia - Vec3::Constant(2.03171382056228)).norm() < 1e-11);
  verify("jack: volume", 5.22186099615603, jack->volume(), 1e-12);
  verify("jack: moment", 3.31887740193810, jack->mass(1).inertia.y(), 1e-12);
  CHECK(bumpy->reference_point().norm() < 1e-12);
  CHECK(bumpy->bounding_radius() == Approx(1.2).epsilon(1e-9));
  CHECK(jack->bounding_radius() == Approx(1.64).epsilon(1e-9));
}

TEST_CASE("star3d: superquadrics and ellipsoids have the moments of the closed forms, and of quadrature") {
  const Superquadric round_box{{2, 1.6, 1.2}, 0.6, 0.6}, barrel{{1, 1, 1}, 0.1, 1};
  const RadialMoments m = moments_of(round_box);
  verify("rounded box: volume", 23.0894027228224, m.volume, 1e-12);
  verify("rounded box: I_x", 23.8689682408041, m.inertia(0, 0), 1e-12);
  verify("rounded box: I_y", 32.4617968074936, m.inertia(1, 1), 1e-12);
  verify("rounded box: I_z", 39.1451079149187, m.inertia(2, 2), 1e-12);
  verify("barrel: volume", 6.23674094394049, moments_of(barrel).volume, 1e-12);
  verify("barrel: I_x", 3.60009012595223, moments_of(barrel).inertia(0, 0), 1e-12);
  verify("barrel: I_z", 3.0980551999462, moments_of(barrel).inertia(2, 2), 1e-12);
  const RadialMoments sums = radial_moments([&](const Vec3& w) { return radius_of(round_box, w); });
  verify("rounded box by quadrature: volume", m.volume, sums.volume, 1e-5);
  const RadialMoments of_ellipsoid = radial_moments([](const Vec3& w) { return ellipsoid_radius({2, 1.5, 1}, w); });
  verify("ellipsoid by quadrature: volume", ellipsoid_moments({2, 1.5, 1}).volume, of_ellipsoid.volume, 1e-12);
  verify("ellipsoid by quadrature: I_z", ellipsoid_moments({2, 1.5, 1}).inertia(2, 2), of_ellipsoid.inertia(2, 2),
         1e-12);
}

/// Gives away its radius alone: slopes are differences.
class OnlyRadius : public RadialShape3D {
 public:
  explicit OnlyRadius(const RadialShape3D& of) : of_(of) {}
  double radius(const Vec3& unit) const override { return of_.radius(unit); }

 private:
  const RadialShape3D& of_;
};

TEST_CASE("star3d: slopes are the derivatives of radii") {
  const SuperquadricShape box({{2, 1.6, 1.2}, 0.6, 0.9}, test::unit_scale());
  const Star3D high({{0, 0, 1}, {1, -1, 0.1}, {7, 3, 0.03}, {20, -13, 0.002}, {20, 20, 0.002}, {6, 0, 0.04}},
                    test::unit_scale());
  const auto oval = test::ellipsoid({2, 1.5, 1});
  Draw draw(1);
  for (const RadialShape3D* shape : {static_cast<const RadialShape3D*>(&box), static_cast<const RadialShape3D*>(&high),
                                     static_cast<const RadialShape3D*>(oval.get())}) {
    const OnlyRadius other(*shape);
    double worst = 0;
    for (int i = 0; i < 500; ++i) {
      const Vec3 w = draw.direction();
      worst = std::max(worst, (shape->slope(w) - other.slope(w)).norm());
    }
    CHECK(worst < 1e-5);  // of the box, whose higher derivatives are large
  }
}

TEST_CASE("star3d: the harmonics have a mean square of 1 and are orthogonal") {
  const Harmonic some[] = {{0, 0, 1}, {3, -2, 1}, {4, 0, 1}, {4, 4, 1}, {5, -5, 1}, {20, 7, 1}, {20, -19, 1}};
  for (const Harmonic& a : some)
    for (const Harmonic& b : some) {
      const HarmonicSeries of_a({a}), of_b({b});
      // The volume of a body of radius (1 + e Y_a Y_b)^(1/3) is 4 pi/3 (1 + e mean).
      const double e = 1e-2, volume = radial_moments([&](const Vec3&w) {
                                        return std::cbrt(1 + e * of_a.value(w) * of_b.value(w));
                                      }).volume;
      const double mean = (volume / (4 * std::numbers::pi / 3) - 1) / e;
      CHECK(mean == Approx(a.l == b.l && a.m == b.m ? 1 : 0).margin(1e-9));
    }
}

/// Largest difference of a field's gradient from its differences, and of its depth on the surface from 0, and of its
/// gradient there from the inward normal.
struct FieldErrors {
  double gradient = 0, depth = 0, normal = 0;
};
FieldErrors field_errors(const RadialShape3D& shape) {
  const auto& field = *facet<SmoothField>(shape);
  const auto at = [&](const Vec3& p) {
    std::pair<double, Vec3> value;
    field.depth({&p, 1}, {&value.first, 1}, {&value.second, 1});
    return value;
  };
  FieldErrors errors;
  Draw draw(2);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 w = draw.direction();
    const double r = shape.radius(w), h = 1e-6;
    const Vec3 p = draw.between(0.6, 1.4) * r * w;
    Vec3 slope;
    for (int k = 0; k < 3; ++k)
      slope[k] = (at(p + h * Vec3::Unit(k)).first - at(p - h * Vec3::Unit(k)).first) / (2 * h);
    errors.gradient = std::max(errors.gradient, (slope - at(p).second).norm());
    const auto [depth, inward] = at(r * w);
    const Vec3 normal = (w - shape.slope(w) / r).normalized();
    errors.depth = std::max(errors.depth, std::abs(depth));
    errors.normal = std::max(errors.normal, (inward + normal).norm());
  }
  return errors;
}

TEST_CASE("star3d: the field's gradient is its derivative, and on the surface the inward normal") {
  const FieldErrors table = field_errors(*test::bumpy()), finer = field_errors(*test::bumpy(test::unit_scale(42, 128))),
                    direct = field_errors(*test::bumpy(test::unit_scale(42, 0)));
  CHECK(table.gradient < 1e-6);  // differences over 1e-6 see where the second derivative jumps
  verify("direct: gradient less differences", 0, direct.gradient, 1e-8);
  verify("direct: depth on the surface", 0, direct.depth, 1e-12);
  verify("direct: gradient less inward normal", 0, direct.normal, 1e-9);
  verify("64 cells: depth on the surface [mean radii]", 0, table.depth, 1e-5);
  verify("64 cells: gradient less inward normal", 0, table.normal, 1e-3);
  CHECK(finer.depth < table.depth / 6);  // third order
  CHECK(finer.normal < table.normal / 3);
}

TEST_CASE("star3d: second derivatives of the field are those of its gradient") {
  const auto largest_error = [](const Shape& shape, double h) {
    const auto& field = *facet<SmoothField>(shape);
    const auto gradient = [&](const Vec3& p) {
      double depth;
      Vec3 value;
      field.depth({&p, 1}, {&depth, 1}, {&value, 1});
      return value;
    };
    Draw draw(5);
    double error = 0;
    for (int i = 0; i < 3000; ++i) {
      const Vec3 p = draw.between(0.4, 1.6) * draw.direction();
      const DepthCurvature here = field.curvature(p);
      CHECK((here.gradient - gradient(p)).norm() < 1e-13);
      for (int k = 0; k < 3; ++k) {
        const Vec3 change = (gradient(p + h * Vec3::Unit(k)) - gradient(p - h * Vec3::Unit(k))) / (2 * h);
        error = std::max(error, (change - here.second.col(k)).norm());
      }
    }
    return error;
  };
  CHECK(largest_error(*test::bumpy(), 1e-6) < 1e-4);  // differences see where third derivatives jump
  CHECK(largest_error(*test::bumpy(test::unit_scale(42, 0)), 1e-4) < 1e-4);
  CHECK(largest_error(*test::ellipsoid({2, 1.5, 1}), 1e-6) < 1e-4);
}

TEST_CASE("star3d: depths of the field are distances to first order, as in table 2 of the specification") {
  const auto shape = test::bumpy(test::unit_scale(42, 0));
  const auto& field = *facet<SmoothField>(*shape);
  Draw draw(3);
  double sum = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 w = draw.direction();
    const double true_depth = 0.01 * draw.between(0.1, 1);
    const Vec3 normal = (w - shape->slope(w) / shape->radius(w)).normalized();
    const Vec3 p = shape->radius(w) * w - true_depth * normal;
    double depth;
    Vec3 gradient;
    field.depth({&p, 1}, {&depth, 1}, {&gradient, 1});
    sum += std::abs(depth / true_depth - 1) / 1000;
  }
  CHECK(sum < 0.002);
}

TEST_CASE("star3d: nodes are spread evenly, and more densely where the surface bends") {
  const auto oval = test::ellipsoid({2, 1.5, 1});
  CHECK(facet<SurfaceNodes>(*oval)->nodes().size() == 642);
  CHECK(facet<SurfaceNodes>(*oval)->spacing() < 0.4);
  const auto ball = test::ellipsoid({1, 1, 1});
  const auto& nodes = *facet<SurfaceNodes>(*ball);
  double least = 1, most = 0;
  for (std::size_t i = 0; i < 642; ++i)
    for (std::uint32_t k = nodes.first_neighbour()[i]; k < nodes.first_neighbour()[i + 1]; ++k) {
      const double side = (nodes.nodes()[i] - nodes.nodes()[nodes.neighbours()[k]]).norm();
      least = std::min(least, side), most = std::max(most, side);
    }
  CHECK(most < 1.4 * least);
  CHECK(nodes.spacing() == most);
}

TEST_CASE("star3d: wrong input is named") {
  const auto star = [](const std::string& more) {
    return make_star(Options::parse(R"({"nodes": 162, "table": 16, )" + more + "}"));
  };
  using Catch::Matchers::ContainsSubstring;
  CHECK_THROWS_WITH(star(R"("radius": 1, "coefficients": [[0, 0, 1], [4, 0, 0.9]])"),
                    ContainsSubstring("r > 0 is needed everywhere"));
  CHECK_THROWS_WITH(star(R"("coefficients": [[0, 0, 1]])"), ContainsSubstring("the star has no size"));
  CHECK_THROWS_WITH(star(R"("radius": 1, "volume": 1, "coefficients": [[0, 0, 1]])"),
                    ContainsSubstring("keep one of them"));
  CHECK_THROWS_WITH(star(R"("radius": 1, "coefficients": [[21, 0, 1]])"), ContainsSubstring("0 to 20"));
  CHECK_THROWS_WITH(star(R"("radius": 1, "coefficients": [[2, 3, 1]])"), ContainsSubstring("from -l to l"));
  CHECK_THROWS_WITH(make_ellipsoid(Options::parse(R"({"nodes": 162, "table": 16, "semi_axes": [1, 0, 1]})")),
                    ContainsSubstring("each must be above 0"));
  CHECK_THROWS_WITH(make_ellipsoid(Options::parse(R"({"nodes": 162, "table": 3, "semi_axes": [1, 1, 1]})")),
                    ContainsSubstring("table is 3"));
}

TEST_CASE("star3d: sizes by radius and volume, and a body frame of principal axes") {
  const auto star = make_star(Options::parse(
      R"({"nodes": 162, "table": 32, "volume": 2, "coefficients": [[0, 0, 1], [1, 0, 0.2], [2, 1, 0.1], [2, -2, 0.05]]})"));
  CHECK(star->volume() == Approx(2).epsilon(1e-12));
  CHECK(star->reference_point().norm() > 0.01);
  const auto& field = *facet<SmoothField>(*star);
  const auto nodes = facet<BoundaryNodes>(*star)->nodes();
  std::vector<double> depth(nodes.size());
  std::vector<Vec3> gradient(nodes.size());
  field.depth(nodes, depth, gradient);
  CHECK(std::abs(*std::ranges::max_element(depth)) < 1e-5);
  const auto oval =
      make_ellipsoid(Options::parse(R"({"nodes": 162, "table": 32, "radius": 3, "semi_axes": [2, 1, 1]})"));
  CHECK(oval->bounding_radius() == Approx(3).epsilon(1e-9));
}

}  // namespace
}  // namespace scree::star3d
