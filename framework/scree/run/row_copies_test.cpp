#include "scree/run/row_copies.hpp"

#include <vector>

#include "catch.hpp"

using namespace scree;

TEST_CASE("copies of rows give back every bit, of few different rows and of many") {
  const std::size_t different = GENERATE(std::size_t{0}, std::size_t{1}, std::size_t{256}, std::size_t{257});
  std::vector<double> rows;
  for (std::size_t i = 0; i < 2 * different; ++i) rows.insert(rows.end(), {double(i % different) - 3, -0.0});
  const auto bytes = std::as_bytes(std::span(rows));
  const RowCopies copies(bytes, 2 * sizeof(double));
  CHECK(copies.bytes() == std::vector<std::byte>(bytes.begin(), bytes.end()));
}

TEST_CASE("copies of ids give back every bit, small or large") {
  const std::uint64_t largest = GENERATE(0xffffffffull, 0x100000000ull);
  std::vector<std::uint64_t> ids;
  for (std::uint64_t i = 0; i < 300; ++i) ids.push_back(3 * i);
  ids.push_back(largest);
  const auto bytes = std::as_bytes(std::span(ids));
  CHECK(RowCopies(bytes, sizeof(std::uint64_t)).bytes() == std::vector<std::byte>(bytes.begin(), bytes.end()));
}
