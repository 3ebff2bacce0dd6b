#include "scree/world/world.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace scree;

TEST_CASE("rows are found by id, be ids close together or far apart, after reordering and removal") {
  const bool far = GENERATE(false, true);
  const Id ids[] = {3, far ? Id{1} << 60 : Id{1}, 2, 0};
  World world(3);
  world.reset_rows(4);
  std::copy(std::begin(ids), std::end(ids), world.id.write().begin());
  world.rows_filled();
  for (std::size_t i = 0; i < 4; ++i) CHECK(world.row(ids[i]) == i);
  CHECK(!world.row(4));
  const std::uint32_t order[] = {2, 0, 3, 1};
  world.reorder(order);
  for (std::size_t i = 0; i < 4; ++i) CHECK(world.row(ids[order[i]]) == i);
  world.remove(std::vector<Id>{3});
  CHECK(!world.row(3));
  CHECK(world.row(ids[1]) == 2u);
  CHECK(World(3).row(0) == std::nullopt);
}
