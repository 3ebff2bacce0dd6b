#include "cli/agreement.hpp"

#include <cmath>

#include "catch.hpp"

using namespace scree::cli;

TEST_CASE("a deviation has the sign of the change, also where the reference is negative") {
  CHECK(deviation(3, 2) == 50);
  CHECK(deviation(1, 2) == -50);
  CHECK(deviation(-3, -2) == -50);
  CHECK(deviation(-1, -2) == 50);
  CHECK(deviation(1, -2) == 150);
  CHECK(deviation(0, 0) == 0);
  CHECK((std::isinf(deviation(-1, 0)) && deviation(-1, 0) < 0));
  CHECK((std::isinf(deviation(1, 0)) && deviation(1, 0) > 0));
}

TEST_CASE("a bound holds for one figure or for all, in percent or by the spread of seeds") {
  CHECK(read_bound("5").figure.empty());
  CHECK(read_bound("5").percent == 5);
  CHECK(read_bound("figures.a=b=2.5").figure == "figures.a=b");
  CHECK(read_bound("figures.a=b=2.5").percent == 2.5);
  CHECK(read_bound("contacts=seeds").figure == "contacts");
  CHECK(!read_bound("contacts=seeds").percent);
}
