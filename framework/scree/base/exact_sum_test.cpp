#include "scree/base/exact_sum.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <vector>

#include "catch.hpp"

using namespace scree;

namespace {

double sum_of(const std::vector<double>& terms) {
  ExactSum sum;
  for (const double t : terms) sum.add(t);
  return sum.value();
}

}  // namespace

TEST_CASE("an exact sum is that of real numbers, rounded once") {
  CHECK(sum_of({}) == 0);
  CHECK(sum_of({0.1, 0.2}) == 0.1 + 0.2);  // one addition rounds once, too
  CHECK(sum_of({1e308, 1, -1e308}) == 1);
  CHECK(sum_of({1, 1e-320, -1}) == 1e-320);
  CHECK(sum_of({-1, 0x1p-53, 0x1p-53}) == -1 + 0x1p-52);
  CHECK(sum_of({1, 0x1p-53}) == 1);                       // half a unit: to even
  CHECK(sum_of({1, 0x1p-53, 0x1p-1000}) == 1 + 0x1p-52);  // a little more than half
  CHECK(sum_of({-1, -0x1p-53, -0x1p-1074}) == -1 - 0x1p-52);
  CHECK(sum_of({1e308, 1e308, -1e308}) == 1e308);  // passes what a double holds
  CHECK(std::isinf(sum_of({1e308, 1e308})));
}

TEST_CASE("an exact sum does not depend on the order of its terms, nor on how they are grouped") {
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> fraction(-1, 1);
  std::uniform_int_distribution<int> exponent(-1000, 1000);
  std::vector<double> terms(100000);
  for (double& t : terms) t = std::ldexp(fraction(engine), exponent(engine));
  const double forward = sum_of(terms);
  std::shuffle(terms.begin(), terms.end(), engine);
  CHECK(sum_of(terms) == forward);
  ExactSum parts[7], all;
  for (std::size_t i = 0; i < terms.size(); ++i) parts[i % 7].add(terms[i]);
  for (const ExactSum& part : parts) all.add(part);
  CHECK(all.value() == forward);
  for (const double t : terms) all.add(-t);
  CHECK(all.value() == 0);
}

TEST_CASE("terms that are no numbers make the sum what they make any sum") {
  const double infinite = std::numeric_limits<double>::infinity();
  CHECK(sum_of({1, infinite, 2}) == infinite);
  CHECK(sum_of({1, -infinite}) == -infinite);
  CHECK(std::isnan(sum_of({infinite, -infinite})));
  CHECK(std::isnan(sum_of({1, std::nan("")})));
}
