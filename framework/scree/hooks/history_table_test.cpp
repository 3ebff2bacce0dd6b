#include "scree/hooks/history_table.hpp"

#include "catch.hpp"

using namespace scree;

TEST_CASE("history comes out by (interaction, a, b, image, order of contacts) whatever it was put in by") {
  HistoryTable table;
  const double one[] = {1}, two[] = {2, 3}, four[] = {4};
  table.append({1, 2, 3, 0, 0, 0}, two);
  table.expect(0, 1, 3);
  table.append({0, 5, 6, 1, 0, 0}, four);
  table.append({0, 5, 6, 0, 9, 0}, one);
  table.append({0, 5, 6, 0, 7, 8}, four);
  table.append({0, 4, 9, 0, 0, 0}, {});
  const std::vector<HistoryRecord> records = table.records();
  REQUIRE(records.size() == 5);
  const auto is = [&](std::size_t i, const HistoryRecord& r) {
    const HistoryRecord& s = records[i];
    return s.interaction == r.interaction && s.a == r.a && s.b == r.b && s.image == r.image && s.feature == r.feature &&
           s.payload == r.payload && s.values == r.values;
  };
  CHECK(is(0, {0, 4, 9, 0, 0, 0, {}}));
  CHECK(is(1, {0, 5, 6, 0, 9, 0, {1}}));
  CHECK(is(2, {0, 5, 6, 0, 7, 8, {4}}));
  CHECK(is(3, {0, 5, 6, 1, 0, 0, {4}}));
  CHECK(is(4, {1, 2, 3, 0, 0, 0, {2, 3}}));
}

TEST_CASE("ids of any size come back from the table of history") {
  constexpr Id large = (Id{7} << 32) + 5;
  HistoryTable table;
  const double value[] = {1};
  table.append({0, 5, 6, 0, 0, 0}, value);
  table.append({0, 5, large, 0, 0, 0}, value);
  table.append({0, large, large + 1, 0, 0, 0}, value);
  table.append({0, 4, 5, 0, 0, 0}, value);
  const std::vector<HistoryRecord> records = table.records();
  REQUIRE(records.size() == 4);
  const Id expected[4][2] = {{4, 5}, {5, 6}, {5, large}, {large, large + 1}};
  for (std::size_t i = 0; i < 4; ++i) {
    CHECK(records[i].a == expected[i][0]);
    CHECK(records[i].b == expected[i][1]);
  }
}
