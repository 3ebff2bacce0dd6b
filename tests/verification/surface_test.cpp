// Slopes and heaps that are known.

#include "surface.hpp"

#include "catch.hpp"

namespace scree::test::surface_test {

namespace {

/// A hexagonal packing below a line through the origin, 0.3 m long. \param degrees  at which it falls
std::vector<Grain> slope(double degrees) {
  const double r = 0.0025, tangent = std::tan(degrees * std::numbers::pi / 180);
  std::vector<Grain> grains;
  for (int row = 0; row < 80; ++row)
    for (int k = 0; k < 60; ++k) {
      const double x = r * (2 * k + row % 2), y = -0.2 + std::sqrt(3) * r * row;
      if (y + r < -tangent * x) grains.push_back({x, y, r});
    }
  return grains;
}

}  // namespace

TEST_CASE("a line through the surface has the slope of what lies below") {
  for (const double degrees_down : {0.0, 10.0, 20.0, 30.0}) {
    const Line line = surface_line(slope(degrees_down), 0, 0.3, 0.01);
    CHECK(std::abs(degrees(line) + degrees_down) < 0.7);  // grains lie at most half a layer below the line
    CHECK(line.at_zero < 0);
    CHECK(line.at_zero > -0.008);
  }
}

TEST_CASE("the largest cluster leaves out what lies by itself, whatever the order") {
  std::vector<Grain> grains = slope(20);
  const std::size_t heap = grains.size();
  grains.push_back({1, 0, 0.0025});
  grains.insert(grains.begin(), {{0.8, 0, 0.0025}, {0.805, 0, 0.0025}, {0.1, 0.3, 0.0025}});
  CHECK(largest_cluster(grains, 1e-4).size() == heap);
  CHECK(largest_cluster({}, 1e-4).empty());
}

TEST_CASE("a line and a power law are found as they were made") {
  const std::vector<double> x{1, 2, 4, 7}, y{5, 7, 11, 17};
  const Line line = line_through(x, y);
  CHECK(std::abs(line.slope - 2) < 1e-14);
  CHECK(std::abs(line.at_zero - 3) < 1e-14);
  CHECK(std::abs(line.r2 - 1) < 1e-14);
  CHECK(std::abs(exponent({1, 2, 4}, {3, 3 * std::sqrt(2.0), 6}) - 0.5) < 1e-14);
}

}  // namespace scree::test::surface_test
