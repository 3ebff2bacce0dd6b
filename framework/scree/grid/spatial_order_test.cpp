#include "scree/grid/spatial_order.hpp"

#include <algorithm>
#include <numeric>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace scree;

namespace {

std::vector<Vec3> random_places(std::size_t count) {
  std::mt19937 engine(5);
  std::uniform_real_distribution<double> place(0, 1);
  std::vector<Vec3> places(count);
  for (Vec3& x : places) x = {place(engine), place(engine), place(engine)};
  return places;
}

}  // namespace

TEST_CASE("spatial order does not depend on the order before") {
  const std::vector<Vec3> position = random_places(1000);
  std::vector<Id> id(position.size());
  std::iota(id.begin(), id.end(), Id{100});
  std::vector<std::uint32_t> shuffle(position.size());
  std::iota(shuffle.begin(), shuffle.end(), 0u);
  std::mt19937 engine(3);
  std::shuffle(shuffle.begin(), shuffle.end(), engine);
  std::vector<Vec3> position2;
  std::vector<Id> id2;
  for (std::uint32_t i : shuffle) position2.push_back(position[i]), id2.push_back(id[i]);

  const SpatialOrder order = spatial_order(position, id, 0.03), order2 = spatial_order(position2, id2, 0.03);
  for (std::size_t k = 0; k < order.rows.size(); ++k) REQUIRE(id[order.rows[k]] == id2[order2.rows[k]]);
}

TEST_CASE("an order that was applied is that of the rows of now") {
  const std::vector<Vec3> position = random_places(500);
  std::vector<Id> id(position.size());
  std::iota(id.begin(), id.end(), Id{0});
  SpatialOrder order = spatial_order(position, id, 0.1);
  CHECK_FALSE(order.holds());
  std::vector<Vec3> position2;
  std::vector<Id> id2;
  for (const std::uint32_t i : order.rows) position2.push_back(position[i]), id2.push_back(id[i]);
  order.applied();
  const SpatialOrder fresh = spatial_order(position2, id2, 0.1);
  CHECK(order.holds());
  CHECK(order.cell == fresh.cell);
  CHECK(order.rows == fresh.rows);
}

TEST_CASE("bodies that have moved on a little get the order that they would get from any other") {
  std::vector<Vec3> position = random_places(2000);
  std::vector<Id> id(position.size());
  std::iota(id.begin(), id.end(), Id{7});
  std::mt19937 engine(9);
  for (const double step : {0.0, 1e-4, 1e-2, 0.3}) {
    std::uniform_real_distribution<double> way(-step, step);
    const SpatialOrder before = spatial_order(position, id, 0.04);
    std::vector<Vec3> moved;
    std::vector<Id> moved_id;
    for (const std::uint32_t i : before.rows) {
      moved.push_back(position[i] + Vec3(way(engine), way(engine), way(engine)));
      moved_id.push_back(id[i]);
    }
    const SpatialOrder order = spatial_order(moved, moved_id, 0.04);
    const auto key = [&](std::uint32_t i) { return std::pair(order.cell[i], moved_id[i]); };
    for (std::size_t k = 1; k < order.rows.size(); ++k) REQUIRE(key(order.rows[k - 1]) < key(order.rows[k]));
    position = moved;
    id = moved_id;
  }
}
