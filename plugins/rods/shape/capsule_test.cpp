#include "shape/capsule.hpp"

#include <cmath>
#include <random>

#include "catch.hpp"
#include "shape/moments.hpp"

using namespace scree;
using namespace scree::rods;

namespace {

constexpr double kH = 0.03, kR = 0.008;

Capsule body(int dimension, bool caps = true) { return Capsule({kH, kR, dimension, 0.5, caps}); }

/// Radius of the section at height z.
double section(double z, bool caps) {
  const double beyond = std::abs(z) - kH;
  if (beyond <= 0) return kR;
  return caps && beyond < kR ? std::sqrt(kR * kR - beyond * beyond) : 0;
}

/// Sums over thin slices; the caps' slopes at their poles limit the accuracy.
constexpr int kSlices = 380000;  // a slice begins where the cylinder ends
constexpr double kQuadrature = 1e-7;

template <class Function>
double over_slices(const Function& f) {
  const double top = kH + kR, dz = 2 * top / kSlices;
  double sum = 0;
  for (int k = 0; k < kSlices; ++k) sum += f(-top + (k + 0.5) * dz) * dz;
  return sum;
}

}  // namespace

TEST_CASE("mass and moments of capsules and cylinders are those of their slices") {
  for (const bool caps : {true, false}) {
    const auto r2 = [&](double z) { return section(z, caps) * section(z, caps); };
    const double pi = std::numbers::pi;
    const double volume = over_slices([&](double z) { return pi * r2(z); });
    const double axial = over_slices([&](double z) { return pi * r2(z) * r2(z) / 2; });
    const double across = over_slices([&](double z) { return pi * r2(z) * (r2(z) / 4 + z * z); });
    const MassProperties m = body(3, caps).mass(1);
    CHECK(m.mass == Approx(volume).epsilon(kQuadrature));
    CHECK(m.inertia.z() == Approx(axial).epsilon(kQuadrature));
    CHECK(m.inertia.x() == Approx(across).epsilon(kQuadrature));
    CHECK(m.inertia.y() == m.inertia.x());
    const double area = over_slices([&](double x) { return 2 * section(x, caps); });
    const double polar = over_slices([&](double x) {
      const double y = section(x, caps);
      return 2 * y * x * x + 2.0 / 3 * y * y * y;
    });
    const MassProperties plane = body(2, caps).mass(1);
    CHECK(plane.mass == Approx(0.5 * area).epsilon(kQuadrature));
    CHECK(plane.inertia.z() == Approx(0.5 * polar).epsilon(kQuadrature));
  }
}

TEST_CASE("pictures and nodes of capsules lie on their boundary") {
  for (const int dimension : {2, 3}) {
    const Capsule shape = body(dimension);
    std::vector<Vec3> points = shape.surface().points;
    if (dimension == 2) points.insert(points.end(), shape.nodes().begin(), shape.nodes().end());
    std::vector<double> distance(points.size());
    std::vector<Vec3> gradient(points.size());
    shape.distance(points, distance, gradient);
    for (const double d : distance) CHECK(std::abs(d) < 1e-15);
  }
}

TEST_CASE("the picture of a capsule is closed and faces outward") {
  const Surface surface = body(3).surface();
  double volume = 0;
  for (const auto& cell : surface.cells)
    for (std::size_t k = 1; k + 1 < cell.size(); ++k)
      volume += surface.points[cell[0]].dot(surface.points[cell[k]].cross(surface.points[cell[k + 1]])) / 6;
  CHECK(volume > 0.93 * capsule_moments(kH, kR).volume);  // a tube of 16 sides has 0.974 of the round one's area
  CHECK(volume < capsule_moments(kH, kR).volume);
}

TEST_CASE("outlines in the plane run counter-clockwise") {
  const Capsule shape = body(2);
  for (const std::vector<Vec3>& points :
       {shape.surface().points, std::vector<Vec3>(shape.nodes().begin(), shape.nodes().end())}) {
    double area = 0;
    for (std::size_t k = 0; k < points.size(); ++k) area += points[k].cross(points[(k + 1) % points.size()]).z() / 2;
    CHECK(area > 0.97 * stadium_moments(kH, kR).area);
    CHECK(area < stadium_moments(kH, kR).area);
  }
}
