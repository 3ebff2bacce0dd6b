#include "page/table_block.hpp"

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include "catch.hpp"
#include "page_parts.hpp"

namespace scree::render {

using Kind = PageColumn::Kind;

namespace {

/// Bodies that come and go, and walk at random.
std::vector<PageRows> walkers(int frames) {
  std::mt19937 random(7);
  std::uniform_real_distribution<double> step(-0.01, 0.01);
  std::map<std::uint32_t, double> places;
  std::vector<PageRows> all;
  std::uint32_t next = 3;
  for (int f = 0; f < frames; ++f) {
    for (int k = 0; k < 5; ++k) places[next] = static_cast<double>(next % 17), next += 1 + random() % 3;
    if (f > 0) places.erase(places.begin());
    PageRows rows;
    rows.columns = {
        {"x", Kind::place, {}}, {"turn", Kind::angle, {}}, {"speed", Kind::value, {}}, {"kind", Kind::whole, {}}};
    for (auto& [id, x] : places) {
      x += step(random);
      rows.keys.push_back({id, 0});
      rows.columns[0].values.push_back(x);
      rows.columns[1].values.push_back(std::remainder(3 * x, 2 * std::numbers::pi));
      rows.columns[2].values.push_back(id % 5 == 0 ? std::numeric_limits<double>::quiet_NaN() : 0.1 * x);
      rows.columns[3].values.push_back(1000 + id % 4);
    }
    all.push_back(std::move(rows));
  }
  return all;
}

}  // namespace

TEST_CASE("frames of a block are read as they were written, to half a step, where bodies come and go") {
  const std::vector<PageRows> frames = walkers(12);
  const TableBlock block = encode(frames, 1023);
  REQUIRE(block.bytes.size() == test::bytes_in(block.told));
  const auto seen = test::frames_in(block.told, block.bytes);
  REQUIRE(seen.size() == frames.size());
  std::map<std::string, double> worst;
  for (std::size_t f = 0; f < frames.size(); ++f) {
    REQUIRE(seen[f].keys == frames[f].keys);
    for (const PageColumn& column : frames[f].columns)
      for (std::size_t k = 0; k < column.values.size(); ++k) {
        if (std::isnan(column.values[k])) {
          CHECK(seen[f].stored.at(column.name)[k] == kNoNumber);
          continue;
        }
        double off = std::abs(seen[f].values.at(column.name)[k] - column.values[k]);
        if (column.kind == Kind::angle) off = std::abs(std::remainder(off, 2 * std::numbers::pi));
        worst[column.name] = std::max(worst[column.name], off);
      }
  }
  const auto step = [&](std::size_t column) { return block.told["columns"][column][2].get<double>(); };
  CHECK(worst["x"] < 0.5001 * step(0));
  CHECK(worst["turn"] < 0.5001 * step(1));
  CHECK(worst["speed"] < 0.5001 * step(2));
  CHECK(worst["kind"] == 0);
  CHECK(step(1) == 2 * std::numbers::pi / 65536);
}

TEST_CASE("bodies at rest take no bits: all differences are zero") {
  std::vector<PageRows> frames = walkers(1);
  for (int k = 0; k < 5; ++k) frames.push_back(frames.front());
  const TableBlock block = encode(frames, 1023);
  const std::size_t rows = frames.front().keys.size(), all = 6 * rows;
  CHECK(block.told["fresh"] == nlohmann::json({rows, 0, 0, 0, 0, 0}));
  const std::size_t first = (5 * rows + 3) / 4 * 4 + 8 * rows;
  for (std::size_t column = 0; column < 4; ++column)
    for (std::size_t k = rows; k < all; ++k) {
      CHECK(block.bytes[first + 2 * all * column + k] == 0);
      CHECK(block.bytes[first + 2 * all * column + all + k] == 0);
    }
}

TEST_CASE("rows are sorted by their keys, and keys that occur twice become numbers") {
  PageRows rows{{{7, 0}, {2, 0}, {5, 0}}, {{"x", Kind::place, {70, 20, 50}}}};
  rows.sort();
  CHECK(rows.keys == std::vector<Key>{{2, 0}, {5, 0}, {7, 0}});
  CHECK(rows.columns[0].values == std::vector<double>{20, 50, 70});
  PageRows twice{{{7, 0}, {2, 0}, {7, 0}}, {{"x", Kind::place, {1, 2, 3}}}};
  twice.sort();
  CHECK(twice.keys == std::vector<Key>{{0, 0}, {1, 0}, {2, 0}});
  CHECK(twice.columns[0].values == std::vector<double>{2, 1, 3});
}

TEST_CASE("empty frames and columns of one value or none are whole") {
  const std::vector<PageRows> frames = {
      {}, {{{1, 0}}, {{"x", Kind::place, {3.5}}, {"p", Kind::value, {std::numeric_limits<double>::infinity()}}}}, {}};
  const TableBlock block = encode(frames, 65534);
  const auto seen = test::frames_in(block.told, block.bytes);
  REQUIRE(seen.size() == 3);
  CHECK(seen[0].keys.empty());
  CHECK(seen[1].values.at("x")[0] == 3.5);
  CHECK(seen[1].stored.at("p")[0] == kNoNumber);
  CHECK(seen[2].keys.empty());
}

}  // namespace scree::render
