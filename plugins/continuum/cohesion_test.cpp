// A vertical cut in cohesive sand: how high it may be.

#include <algorithm>

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

/// The cohesion that a cut of a height needs by Coulomb's wedge [Pa]: H = 4 C / (rho phi g) tan(45 degrees + angle/2)
/// with C = c / cos angle, and sin angle = mu in the plane.
double cohesion_of(double height, double mu) {
  const double angle = std::asin(mu);
  return height * kDensity * 0.6 * 9.81 * std::cos(angle) / (4 * std::tan(degrees(45) + angle / 2));
}

/// Returns how far the upper row of a cut, as wide as high, has sunk where it sank most, after 0.1 s [of the height].
double sunk(double over_needed, int cells) {
  const double height = 0.5, h = height / cells;
  Bed<2> bed(h);
  bed.options.cohesion = over_needed * cohesion_of(height, 0.5);
  bed.options.solver.tolerance = 1e-4;
  bed.options.solver.max_sweeps = 2000;
  bed.gravity = Vec3(0, -9.81, 0);
  bed.wall(kFloor2, Vec3::Zero(), 1e3);
  bed.wall(kLeft, Vec3::Zero(), 0);
  bed.block(Vec3::Zero(), {3 * cells, 3 * cells, 1}, h / 3);
  const double before = bed.points.position.back()[1];
  bed.run(50, 2e-3);
  double lowest = before;
  for (std::size_t p = bed.points.size() - 3 * static_cast<std::size_t>(cells); p < bed.points.size(); ++p)
    lowest = std::min(lowest, bed.points.position[p][1]);
  return (before - lowest) / height;
}

}  // namespace

TEST_CASE("a vertical cut stands with the cohesion of Coulomb's wedge, and falls with less", "[long]") {
  for (const int cells : {12, 24}) {
    const double stood = sunk(1.05, cells), fell = sunk(0.9, cells);
    INFO(cells << " cells: sunk by " << stood << " and " << fell << " of the height");
    CHECK(stood < 1e-6);  // 6e-8
    CHECK(fell > 0.005);  // 0.0065, 0.011
  }
}
