#include "scree/base/error.hpp"

#include "catch.hpp"

using scree::nearest_name;

TEST_CASE("a mistyped name is recognised, another name is not") {
  CHECK(nearest_name("coulmb", {"linear", "coulomb"}) == "coulomb");
  CHECK(nearest_name("rnu", {"run", "render"}) == "run");
  CHECK(nearest_name("gravitation", {"grid", "gravity"}) == "gravity");
  CHECK(nearest_name("tangential_stiffnes", {"tangential", "tangential_stiffness"}) == "tangential_stiffness");
  CHECK(nearest_name("euler", {"symplectic-euler", "velocity-verlet"}).empty());
  CHECK(nearest_name("x", {}).empty());
  CHECK(nearest_name("", {"run"}).empty());
}
