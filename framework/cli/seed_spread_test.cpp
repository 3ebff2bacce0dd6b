#include "cli/seed_spread.hpp"

#include <cmath>

#include "catch.hpp"

using namespace scree::cli;

// Quantiles of Student's t that 2.5 % exceed, as tables print them.

TEST_CASE("chance explains a difference of two means up to Welch's limit of 95 %") {
  const Sample four{4, 0, 1};
  CHECK(*chance_difference(four, {4, 10, 1}) == Approx(2.447 * std::sqrt(0.5)).epsilon(5e-4));  // 6 degrees of freedom
  const Sample five{5, 0, 3};
  CHECK(*chance_difference(five, {5, 1, 3}) == Approx(2.306 * std::sqrt(2 * 9.0 / 5)).epsilon(5e-4));  // 8
}

TEST_CASE("where one of two samples has no spread, the freedom is that of the other") {
  CHECK(*chance_difference({2, 0, 1}, {10, 5, 0}) == Approx(12.706 * std::sqrt(0.5)).epsilon(5e-4));     // 1
  CHECK(*chance_difference({10, 5, 0}, {3, 0, 2}) == Approx(4.303 * 2 / std::sqrt(3.0)).epsilon(5e-4));  // 2
}

TEST_CASE("a single run has no spread, and equal runs explain no difference") {
  CHECK(!chance_difference({1, 0, 0}, {4, 0, 1}));
  CHECK(!chance_difference({4, 0, 1}, {1, 0, 0}));
  CHECK(chance_difference({4, 1, 0}, {4, 2, 0}) == 0.0);
}
