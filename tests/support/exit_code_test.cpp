// Run by a test that looks at how it ends.

#include "catch.hpp"

TEST_CASE("four checks fail", "[.]") {
  for (int i = 0; i < 4; ++i) CHECK(i < 0);
}
