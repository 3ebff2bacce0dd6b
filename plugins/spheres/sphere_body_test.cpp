#include "sphere_body.hpp"

#include <cmath>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "make_body.hpp"
#include "moments.hpp"
#include "scree/base/error.hpp"
#include "templates.hpp"

using namespace scree;
using namespace scree::spheres;

namespace {

constexpr double kPi = std::numbers::pi;

std::shared_ptr<const SphereBody> clump(const char* json, int dimension = 3) {
  return make_clump(Options::parse(json), ShapeContext{dimension});
}

/// Volume and second moment along the axis of two spheres of radius r whose centres lie 2 c apart, by the caps that are
/// cut off: each half is the part of its sphere on its own side of the middle plane, x in (-c, r) about its centre.
struct Dumbbell {
  double volume, axial, across;  ///< volume, int x^2, int y^2 about the middle
};
Dumbbell two_spheres(double r, double c) {
  const auto integral = [&](auto f) { return f(r) - f(-c); };
  const double v = integral([&](double x) { return kPi * (r * r * x - x * x * x / 3); });
  const double first = integral([&](double x) { return kPi * (r * r * x * x / 2 - std::pow(x, 4) / 4); });
  const double second = integral([&](double x) { return kPi * (r * r * std::pow(x, 3) / 3 - std::pow(x, 5) / 5); });
  // Slices: int y^2 over a disc of radius s is pi s^4/4.
  const double across = integral(
      [&](double x) { return kPi / 4 * (std::pow(r, 4) * x - 2 * r * r * std::pow(x, 3) / 3 + std::pow(x, 5) / 5); });
  return {2 * v, 2 * (second + 2 * c * first + c * c * v), 2 * across};
}

/// Midpoint sums on a fine grid over the clump's own distance: an oracle that knows nothing of arcs.
VolumeMoments by_grid(const SphereBody& body, int n) {
  const double size = body.bounding_radius(), cell = 2 * size / n;
  std::vector<Vec3> points(static_cast<std::size_t>(n)), gradient(points.size());
  std::vector<double> distance(points.size());
  VolumeMoments m;
  Mat3 second = Mat3::Zero();
  for (int i = 0; i < n; ++i)
    for (int j = 0; j < n; ++j) {
      for (int k = 0; k < n; ++k) points[k] = Vec3(i + 0.5, j + 0.5, k + 0.5) * cell - Vec3::Constant(size);
      body.distance(points, distance, gradient);
      for (int k = 0; k < n; ++k) {
        if (distance[k] > 0) continue;
        m.volume += cell * cell * cell;
        m.centre += cell * cell * cell * points[k];
        second += cell * cell * cell * points[k] * points[k].transpose();
      }
    }
  m.centre /= m.volume;
  m.inertia = second.trace() * Mat3::Identity() - second;
  return m;
}

std::string fault(const char* json, int dimension = 3) {
  try {
    clump(json, dimension);
  } catch (const OptionError& e) {
    return e.pointer() + " " + e.what();
  }
  return "none";
}

}  // namespace

TEST_CASE("sphere and disc: mass and inertia in closed form") {
  const auto sphere = make_sphere(Options::parse(R"({"radius": 0.1, "thickness": 0.02})"), ShapeContext{3});
  const double m = 2500 * 4 * kPi / 3 * 1e-3;
  CHECK(sphere->mass(2500).mass == Approx(m).epsilon(1e-14));
  CHECK((sphere->mass(2500).inertia - Vec3::Constant(0.4 * m * 0.01)).norm() < 1e-14 * m);
  CHECK(sphere->dimension() == 3);
  CHECK(sphere->rotation_reach() == 0);
  CHECK(sphere->bounding_radius() == 0.1);

  const auto disc = make_sphere(Options::parse(R"({"radius": 0.1, "thickness": 0.02})"), ShapeContext{2});
  const double plate = 2500 * kPi * 0.01 * 0.02;
  CHECK(disc->dimension() == 2);
  CHECK(disc->mass(2500).mass == Approx(plate).epsilon(1e-14));
  CHECK(disc->mass(2500).inertia[2] == Approx(plate * 0.01 / 2).epsilon(1e-14));
  CHECK(disc->reference_point().norm() < 1e-15);
}

TEST_CASE("two overlapping spheres: volume and inertia of the union, exact in any direction") {
  const double r = 0.4, c = 0.25;
  const Dumbbell exact = two_spheres(r, c);
  std::mt19937 random(3);
  std::uniform_real_distribution<double> any(-1, 1);
  for (int trial = 0; trial < 20; ++trial) {
    Vec3 axis(any(random), any(random), any(random));
    axis.normalize();
    if (trial == 0) axis = Vec3::UnitX();
    if (trial == 1) axis = Vec3::UnitZ();
    const Vec3 middle(any(random), any(random), any(random));
    const std::vector<Ball> balls = {{middle - c * axis, r}, {middle + c * axis, r}};
    const VolumeMoments m = ball_union(balls);
    // The bound that moments.hpp states.
    REQUIRE(m.volume == Approx(exact.volume).epsilon(1e-9));
    REQUIRE((m.centre - middle).norm() < 1e-9);
    const double axial = 2 * exact.across, across = exact.axial + exact.across;
    const Mat3 expected = across * Mat3::Identity() + (axial - across) * axis * axis.transpose();
    REQUIRE((m.inertia - expected).norm() < 1e-9 * across);
  }
}

TEST_CASE("two overlapping discs: area and moment of the union, exact") {
  const double r = 0.4, c = 0.25;
  const std::vector<Disc> discs = {{{-c, 0}, r}, {{c, 0}, r}};
  const PlaneMoments m = disc_union(discs);
  const double half = std::acos(c / r), lens = 2 * r * r * half - 2 * c * std::sqrt(r * r - c * c);
  CHECK(m.area == Approx(2 * kPi * r * r - lens).epsilon(1e-14));
  CHECK(std::abs(m.x) < 1e-15);
  CHECK(std::abs(m.xy) < 1e-15);
  // The polar moment of a disc about the middle, less that of the lens counted twice, by a fine sum over its strips.
  double lens_xx = 0, lens_yy = 0;
  const int n = 400000;
  for (int i = 0; i < n; ++i) {
    const double x = (i + 0.5) / n * (r - c), h = std::sqrt(r * r - (x + c) * (x + c)), w = 2 * (r - c) / n;
    lens_xx += w * 2 * h * x * x;
    lens_yy += w * 2 * h * h * h / 3;
  }
  const double disc = kPi * std::pow(r, 4) / 4;
  CHECK(m.xx == Approx(2 * (disc + kPi * r * r * c * c) - lens_xx).epsilon(1e-9));
  CHECK(m.yy == Approx(2 * disc - lens_yy).epsilon(1e-9));
}

TEST_CASE("unions: discs inside others, equal ones and apart ones count as they should") {
  const double one = kPi * 0.09;
  CHECK(disc_union(std::vector<Disc>{{{1, 2}, 0.3}, {{1, 2}, 0.3}}).area == Approx(one).epsilon(1e-14));
  CHECK(disc_union(std::vector<Disc>{{{1, 2}, 0.3}, {{1.1, 2}, 0.1}}).area == Approx(one).epsilon(1e-14));
  CHECK(disc_union(std::vector<Disc>{{{1, 2}, 0.3}, {{3, 2}, 0.3}}).area == Approx(2 * one).epsilon(1e-14));
  const double ball = 4 * kPi / 3 * 0.027;
  CHECK(ball_union(std::vector<Ball>{{{1, 2, 3}, 0.3}, {{1, 2, 3}, 0.3}}).volume == Approx(ball).epsilon(1e-12));
  CHECK(ball_union(std::vector<Ball>{{{1, 2, 3}, 0.3}, {{1.1, 2, 3}, 0.1}}).volume == Approx(ball).epsilon(1e-12));
  CHECK(ball_union(std::vector<Ball>{{{1, 2, 3}, 0.3}, {{3, 2, 3}, 0.3}}).volume == Approx(2 * ball).epsilon(1e-12));
}

TEST_CASE("unions do not depend on the direction of the slices: a random heap of balls, turned") {
  std::mt19937 random(5);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Ball> heap;
  for (int k = 0; k < 12; ++k)
    heap.push_back({Vec3(any(random), any(random), any(random)) * 0.5, 0.3 + 0.2 * any(random)});
  const VolumeMoments m = ball_union(heap);
  for (int trial = 0; trial < 5; ++trial) {
    const Quat q = Quat(any(random), any(random), any(random), any(random)).normalized();
    std::vector<Ball> turned = heap;
    for (Ball& ball : turned) ball.centre = q * ball.centre;
    const VolumeMoments t = ball_union(turned);
    const Mat3 turn = q.toRotationMatrix();
    // The bound that moments.hpp states.
    REQUIRE(t.volume == Approx(m.volume).epsilon(1e-9));
    REQUIRE((t.centre - turn * m.centre).norm() < 1e-9);
    REQUIRE((t.inertia - turn * m.inertia * turn.transpose()).norm() < 1e-9 * m.inertia.norm());
  }
}

TEST_CASE("many balls, whose corners are not looked for, keep an error below 1e-6") {
  std::mt19937 random(6);
  std::uniform_real_distribution<double> any(-1, 1);
  std::vector<Ball> heap;
  for (std::size_t k = 0; k < kMostCorners + 20; ++k)
    heap.push_back({Vec3(any(random), any(random), any(random)) * 0.5, 0.25 + 0.1 * any(random)});
  const VolumeMoments m = ball_union(heap);
  std::vector<Ball> turned = heap;
  const Quat q = Quat(0.3, -0.4, 0.7, 0.2).normalized();
  for (Ball& ball : turned) ball.centre = q * ball.centre;
  CHECK(ball_union(turned).volume == Approx(m.volume).epsilon(1e-6));
}

TEST_CASE("tetrapod: mass properties against a sum over a grid, isotropic by symmetry") {
  const auto body = clump(R"({"template": "tetrapod", "scale": 0.5, "thickness": 1})");
  const VolumeMoments grid = by_grid(*body, 160);
  CHECK(body->bounding_radius() == Approx(0.5).epsilon(1e-12));
  CHECK(body->volume() == Approx(grid.volume).epsilon(1e-3));  // cells cut by the surface
  const Vec3 inertia = body->mass(1).inertia;
  CHECK(inertia[0] == Approx(grid.inertia(0, 0)).epsilon(1e-3));
  CHECK((inertia - Vec3::Constant(inertia[0])).norm() < 1e-10 * inertia[0]);
  CHECK(body->reference_point().norm() < 1e-10);
  CHECK(body->traits().body_to_reference.isApprox(Quat::Identity(), 1e-15));
}

TEST_CASE("an uneven clump's body frame: centre of mass and principal axes, the reference frame leads back") {
  const char* json = R"({"scale": 1, "thickness": 1, "spheres": [{"position": [1, 2, 3], "radius": 0.5},
    {"position": [1.6, 2.5, 3.2], "radius": 0.3}, {"position": [0.8, 2.4, 2.2], "radius": 0.4}]})";
  const auto body = clump(json);
  const VolumeMoments grid = by_grid(*body, 160);
  CHECK(body->volume() == Approx(grid.volume).epsilon(1e-3));
  CHECK(grid.centre.norm() < 1e-3);
  const Vec3 inertia = body->mass(1).inertia;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j)
      CHECK(std::abs(grid.inertia(i, j) - (i == j ? inertia[i] : 0.0)) < 2e-3 * inertia.maxCoeff());
  CHECK(std::abs(inertia[0] - inertia[1]) > 0.01 * inertia[0]);
  // A point of the body, turned into the user's axes from the reference point on, is where the user put it.
  const Vec3 user = body->traits().body_to_reference * (body->centres()[1] - body->reference_point());
  CHECK((user - Vec3(1.6, 2.5, 3.2)).norm() < 1e-12);
  CHECK(body->rotation_reach() < body->bounding_radius());
}

TEST_CASE("cross-9 and cross-17 fill the cross as well as they say, and are 1 in radius within 2 %") {
  for (const auto& [name, bound] : {std::pair{"cross-9", 0.054}, std::pair{"cross-17", 0.016}}) {
    const Spheres s = built_in_template(name);
    const SphereBody body(s, {2, 1, {}});
    CHECK(body.bounding_radius() == Approx(1).epsilon(0.02));
    const int n = 1000;
    double wrong = 0, cross = 0;
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < n; ++j) {
        const Vec3 p(2.1 * (i + 0.5) / n - 1.05, 2.1 * (j + 0.5) / n - 1.05, 0);
        double d;
        Vec3 g;
        body.distance(std::span(&p, 1), std::span(&d, 1), std::span(&g, 1));
        const bool inside = p.norm() < (2 + std::sin(4 * std::atan2(p[1], p[0]))) / 3;
        cross += inside;
        wrong += inside != (d < 0);
      }
    INFO(name << " " << wrong / cross);
    CHECK(wrong / cross == Approx(bound).margin(1e-3));  // the digits given
  }
}

TEST_CASE("mass, centre of mass and inertia as given") {
  const char* spheres =
      R"("spheres": [{"position": [0, 0, 0], "radius": 0.1}, {"position": [0.1, 0, 0], "radius": 0.1}])";
  const auto text = [&](const std::string& more) {
    return R"({"scale": 1, "thickness": 1, )" + std::string(spheres) + more + "}";
  };
  const auto uniform = clump(text("").c_str()), heavy = clump(text(R"(, "mass": 3)").c_str());
  CHECK(heavy->mass(1e9).mass == 3);
  CHECK(heavy->mass(0).inertia[0] == Approx(3 / uniform->volume() * uniform->mass(1).inertia[0]).epsilon(1e-14));

  const auto given =
      clump(text(R"(, "mass": 3, "centre_of_mass": [0.02, 0, 0], "inertia": [2, 3, 4, 0, 0, 0.5])").c_str());
  CHECK((given->reference_point() + given->traits().body_to_reference.conjugate() * Vec3(0.02, 0, 0)).norm() < 1e-15);
  const Mat3 turn = given->traits().body_to_reference.toRotationMatrix();
  Mat3 expected = Vec3(2, 3, 4).asDiagonal();
  expected(1, 2) = expected(2, 1) = 0.5;
  CHECK((turn * given->mass(0).inertia.asDiagonal() * turn.transpose() - expected).norm() < 1e-14);

  CHECK(fault(text(R"(, "mass": 3, "inertia": [1, 1, 3])").c_str()) ==
        "/inertia principal moments 1, 1, 3 kg m^2 belong to no body: each must be above 0 and at most the sum of the "
        "other two. Check the signs and the order xx, yy, zz, xy, xz, yz.");
  CHECK(fault(text(R"(, "mass": 3, "inertia": [1, 1])").c_str()) ==
        "/inertia has 2 numbers; give [xx, yy, zz], or [xx, yy, zz, xy, xz, yz] where the axes are not the principal "
        "ones.");
  CHECK(fault(text(R"(, "mass": 3, "inertia": [1, 1])").c_str(), 2) ==
        "/inertia has 2 numbers; a 2D scene takes one, [zz].");
  CHECK(fault(text(R"(, "mass": 3, "inertia": [-1])").c_str(), 2) ==
        "/inertia a moment of inertia of -1 kg m^2 is not possible; give one above 0.");
  CHECK(fault(text(R"(, "centre_of_mass": [0, 0, 0])").c_str()) ==
        "/centre_of_mass is given without \"mass\"; add the mass [kg].");
  CHECK(fault(text(R"(, "mass": 3, "centre_of_mass": [0, 0, 0])").c_str()) ==
        "/centre_of_mass is given without \"inertia\", which a centre of one's own changes; add the inertia about it.");
}

TEST_CASE("distance to a clump: exact outside, of the size of the overlap inside, gradient outward") {
  const auto body = clump(R"({"template": "tetrapod", "scale": 1, "thickness": 1})");
  const std::vector<Vec3> points = {{2, 0, 0}, {0, 0, 0}, {0.3, -0.4, 1.2}};
  std::vector<double> d(3);
  std::vector<Vec3> g(3);
  body->distance(points, d, g);
  for (std::size_t i = 0; i < 3; ++i) {
    double best = 1e300;
    for (std::size_t k = 0; k < 5; ++k)
      best = std::min(best, (points[i] - body->centres()[k]).norm() - body->radii()[k]);
    CHECK(d[i] == best);
    CHECK(g[i].norm() == Approx(1).epsilon(1e-14));
  }
}

TEST_CASE("pictures: closed triangles that face outward in 3D, one polygon per disc in 2D") {
  const auto body = clump(R"({"template": "tetrapod", "scale": 1, "thickness": 1})");
  const Surface s = body->surface();
  CHECK(s.cells.size() > 100);
  CHECK(s.cells.size() < 5 * 80);  // what lies within another sphere is left out
  const auto ball = make_sphere(Options::parse(R"({"radius": 2, "thickness": 1})"), ShapeContext{3});
  const Surface round = ball->surface();
  double volume = 0;
  for (const auto& cell : round.cells)
    volume += round.points[cell[0]].dot(round.points[cell[1]].cross(round.points[cell[2]])) / 6;
  CHECK(round.cells.size() == 80);
  CHECK(volume > 0.8 * ball->volume());
  CHECK(volume < ball->volume());
  const SphereBody cross(built_in_template("cross-9"), {2, 1, {}});
  CHECK(cross.surface().cells.size() == 9);
}
