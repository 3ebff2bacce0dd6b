#include "fan.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "catch.hpp"
#include "test_shapes.hpp"

namespace scree::vtk {

namespace {

/// Area of the fan of triangles from each cell's first corner [m^2], and the same with each triangle taken as positive:
/// they agree when what is filled is the inside, once.
std::pair<double, double> fan_areas(const Surface& s) {
  double sum = 0, covered = 0;
  for (const auto& cell : s.cells)
    for (std::size_t k = 1; k + 1 < cell.size(); ++k) {
      const Vec3 a = s.points[cell[k]] - s.points[cell[0]], b = s.points[cell[k + 1]] - s.points[cell[0]];
      sum += 0.5 * a.cross(b).z();
      covered += 0.5 * std::abs(a.cross(b).z());
    }
  return {sum, covered};
}

/// r = 2 + cos(4 angle): a cross of area pi (2^2 + 1/2) [m^2].
Surface cross_outline(std::uint32_t points) {
  return test::outline_of(points, [](double angle) { return 2 + std::cos(4 * angle); });
}

}  // namespace

TEST_CASE("the fan of triangles that graphics programs fill is the outline's inside") {
  const Surface cross = cross_outline(400);
  CHECK(fan_areas(cross).second > 1.01 * fan_areas(cross).first);  // as given, the fan spills over
  const Surface fan = fanned(cross, Vec3::Zero());
  REQUIRE(fan.cells.size() == 1);
  CHECK(fan.cells[0].size() == 402);
  // An inscribed polygon of n corners lacks about (2 pi / n)^2 / 6 of its area, times 17 for r^2's fourth harmonic.
  CHECK(fan_areas(fan).first == Approx(4.5 * std::numbers::pi).epsilon(1e-3));
  CHECK(fan_areas(fan).second == Approx(fan_areas(fan).first).epsilon(1e-12));  // rounding of 400 terms
}

TEST_CASE("convex outlines and open ones stay as they are") {
  const Surface blob = test::Blob(0.01, 7).surface();
  CHECK(fanned(blob, Vec3::Zero()).cells == blob.cells);
  CHECK(fanned(test::Floor().surface(), Vec3::Zero()).cells == test::Floor().surface().cells);
}

TEST_CASE("an outline that no single point sees is cut into triangles of the same area") {
  Surface channel;  // the letter U, 3 wide and high, its slot 1 wide and 2 deep
  channel.points = {{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {2, 3, 0}, {2, 1, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}};
  channel.cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
  const Surface cut = fanned(channel, Vec3(1.5, 1.5, 0));
  CHECK(cut.cells.size() == 6);
  double area = 0;
  for (const auto& cell : cut.cells) {
    REQUIRE(cell.size() == 3);
    Surface triangle = cut;
    triangle.cells = {cell};
    area += fan_areas(triangle).second;
  }
  CHECK(area == Approx(7).epsilon(1e-12));  // small integers: rounding only
}

}  // namespace scree::vtk
