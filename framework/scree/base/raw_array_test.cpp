#include "scree/base/raw_array.hpp"

#include <algorithm>

#include "catch.hpp"

using namespace scree;

TEST_CASE("an array without values keeps its memory while that is enough, and gives large memory back") {
  RawArray<double> array;
  CHECK(std::span<const double>(array).empty());
  array.resize(100);
  double* const first = array.data();
  std::fill_n(array.data(), 100, 2.0);
  array.resize(40);
  array.resize(100);
  CHECK(array.data() == first);
  CHECK(std::span<const double>(array)[99] == 2);
  array.release_if_large();
  CHECK(array.size() == 100);
  array.resize(kWorthReleasing / sizeof(double));
  array.release_if_large();
  CHECK(array.size() == 0);
  array.resize(3);
  CHECK(std::span<const double>(array).size() == 3);
}
