#include "scree/grid/curve_part.hpp"

#include <algorithm>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"
#include "scree/grid/spatial_order.hpp"

using namespace scree;

TEST_CASE("who is near a body of a part of the curve is near the part, and most of those far from all are not") {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> place(-20, 20);
  std::vector<Vec3> x(4000);
  std::vector<Id> id(x.size());
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = {place(engine), place(engine), place(engine)}, id[i] = i;
  for (const auto& [width, level] : {std::pair(2.0, 2), {1.0, 0}, {3.0, 1}}) {
    const SpatialOrder order = spatial_order(x, id, width);
    const int shift = 3 * level;
    const std::size_t first = 1300, end = 2600;  // places
    const std::uint64_t low = order.cell[order.rows[first]] >> shift, high = order.cell[order.rows[end]] >> shift;
    const CurvePart part(width, level, low, high);
    const auto inside = [&](std::size_t i) { return order.cell[i] >> shift >= low && order.cell[i] >> shift < high; };
    std::size_t taken = 0;
    for (std::size_t i = 0; i < x.size(); ++i) {
      const double far = 1.5;
      double nearest = std::numeric_limits<double>::infinity();
      for (std::size_t j = 0; j < x.size(); ++j)
        if (inside(j)) nearest = std::min(nearest, (x[j] - x[i]).cwiseAbs().maxCoeff());
      const bool is_near = part.near(x[i], far);
      if (nearest <= far) CHECK(is_near);
      if (inside(i)) CHECK(is_near);
      taken += is_near && !inside(i);
    }
    CHECK(taken > 100);
    CHECK(taken < 1500);
  }
}

TEST_CASE("an empty part of the curve is near nobody") { CHECK_FALSE(CurvePart(1, 1, 7, 7).near({0, 0, 0}, 10)); }
