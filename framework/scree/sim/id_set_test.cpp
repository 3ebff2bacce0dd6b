#include "scree/sim/detail/id_set.hpp"

#include "catch.hpp"

using namespace scree;

TEST_CASE("an id is new once, however large") {
  detail::IdSet ids;
  const Id some[] = {0, 1, 63, 64, 1000, (Id{1} << 28) - 1, Id{1} << 28, ~Id{0} - 1};
  for (const Id id : some) CHECK(ids.insert(id));
  for (const Id id : some) CHECK_FALSE(ids.insert(id));
  CHECK(ids.insert(2));
}
