#include "scree/hooks/history_table.hpp"

#include "catch.hpp"
#include "scree/base/packed_bytes.hpp"

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

TEST_CASE("a table of history takes over the records of another one") {
  constexpr Id large = (Id{7} << 32) + 5;
  HistoryTable table, other;
  const double one[] = {1}, two[] = {2, 3};
  table.append({1, 2, 3, 0, 0, 0}, two);
  other.append({0, 5, large, 1, 2, 3}, one);
  other.append({0, 4, 5, 0, 6, 0}, one);
  other.append({1, 1, 2, 0, 0, 9}, two);
  ByteWriter bytes;
  other.put_all(bytes);
  ByteReader from(bytes.bytes());
  table.append_all(from);
  CHECK(from.empty());
  const std::vector<HistoryRecord> records = table.records();
  REQUIRE(records.size() == 4);
  CHECK((records[0].a == 4 && records[0].feature == 6 && records[0].payload == 0));
  CHECK((records[1].b == large && records[1].image == 1 && records[1].payload == 3 && records[1].values[0] == 1));
  CHECK((records[2].a == 1 && records[2].payload == 9 && records[2].values[1] == 3));
  CHECK((records[3].a == 2 && records[3].b == 3));

  ByteReader cut_off(bytes.bytes().first(bytes.bytes().size() - 1));
  CHECK_THROWS_AS(table.append_all(cut_off), InternalError);
}
