#include "scree/world/table.hpp"

#include <array>
#include <atomic>
#include <cstring>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/world/world.hpp"

using namespace scree;

TEST_CASE("rows are found by id, be ids close together or far apart, after reordering and removal") {
  const bool far = GENERATE(false, true);
  const Id ids[] = {3, far ? Id{1} << 60 : Id{1}, 2, 0};
  Table table("points");
  table.add(ids);
  for (std::size_t i = 0; i < 4; ++i) CHECK(table.row(ids[i]) == i);
  CHECK(!table.row(4));
  const std::uint32_t order[] = {2, 0, 3, 1};
  table.reorder(order);
  for (std::size_t i = 0; i < 4; ++i) CHECK(table.row(ids[order[i]]) == i);
  CHECK(table.remove(std::array<Id, 2>{3, 77}) == std::vector<Id>{3});
  CHECK(!table.row(3));
  CHECK(table.row(ids[1]) == 2u);
  CHECK(Table("empty").row(0) == std::nullopt);
}

TEST_CASE("columns follow rows that come, go and change order, and the log says what became of each id") {
  Table table("points");
  auto x = table.column<double>("x", "m");
  CHECK(table.add(3) == std::vector<Id>{0, 1, 2});
  {
    const auto to = x.write();
    for (std::size_t i = 0; i < 3; ++i) to[i] = 10.0 + static_cast<double>(i);
  }
  CHECK(table.take_edits().added.size() == 3);
  CHECK(table.add(std::array<Id, 2>{kNewId, 9}) == std::vector<Id>{3, 9});
  table.remove(std::array<Id, 2>{1, 3});
  table.mark_moved(std::array<Id, 1>{2});
  CHECK(table.edits().added == std::vector<Id>{9});
  CHECK(table.edits().removed == std::vector<Id>{1});
  CHECK(table.edits().moved == std::vector<Id>{2});
  table.reorder(std::array<std::uint32_t, 3>{2, 0, 1});
  CHECK((x[0] == 0 && x[1] == 10 && x[2] == 12));
  CHECK(table.column<double>("y")[2] == 0);
  CHECK(table.next_id() == 10);
  const std::uint64_t version = table.version();
  CHECK_THROWS_AS(table.add(std::array<Id, 1>{9}), Error);
  CHECK_THROWS_AS(table.add(std::array<Id, 2>{20, 20}), Error);
  CHECK_THROWS_AS(table.column<Vec3>("x"), Error);
  CHECK((table.size() == 3 && table.version() == version));
}

TEST_CASE("a row that came and went again is in no log, an id that went and came under another row is in both") {
  Table table("points");
  table.add(2);
  table.take_edits();
  table.remove(table.add(1));
  CHECK(table.edits().empty());
  table.remove(std::array<Id, 1>{0});
  table.add(std::array<Id, 1>{0});
  CHECK((table.edits().removed == std::vector<Id>{0} && table.edits().added == std::vector<Id>{0}));
}

TEST_CASE("a world's tables: made by name, bodies and bonds its own, names those of files") {
  World world(3);
  Table& points = world.table("points");
  CHECK(&world.table("points") == &points);
  CHECK(std::as_const(world).tables() == std::vector<const Table*>{world.tables()[0], world.tables()[1], &points});
  for (const char* const name : {"bodies", "bonds", "", "a/b", "..", "a b"}) CHECK_THROWS_AS(world.table(name), Error);
  CHECK(!world.edited());
  const std::uint64_t before = state_hash(world);
  points.add(1);
  CHECK(world.edited());
  CHECK(state_hash(world) != before);
  world.take_edits();
  CHECK(world.edited());
  world.drop_table_edits();
  CHECK(!world.edited());
}

TEST_CASE("bonds that join who is not there, or who rides on another body, are refused by name") {
  World world(3);
  world.add_material({"m", 1000});
  std::vector<BodySpec> bodies(3);
  for (BodySpec& body : bodies) body.shape = world.frame_shape();
  bodies[2].owner = 1;
  world.add(bodies);
  const auto told = [&](Id a, Id b) {
    const Bonds::Spec bond{a, b, 0, 1, {1, 0, 0}, Quat::Identity(), Quat::Identity(), {0.5, 0, 0}};
    world.drop_table_edits();
    world.bonds().add({&bond, 1});
    try {
      world.check_new_bonds();
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string();
  };
  CHECK(told(0, 1).empty());
  CHECK(told(0, 2) == "bond 1 joins body 2, which rides on body 1; bonds do not act on members, so join that one");
  CHECK(told(0, 9) == "bond 2 joins body 9, which is not there");
  CHECK(told(1, 0) == "bond 3 joins body 1 and body 0; name the lower id first");
}

TEST_CASE("a bond ends when either of its bodies is removed, and whole bonds are counted") {
  for (const Id gone : {Id{0}, Id{1}, Id{2}, Id{3}}) {
    INFO(gone);
    World world(3);
    world.add_material({"m", 1000});
    std::vector<BodySpec> bodies(4);
    for (BodySpec& body : bodies) body.shape = world.frame_shape();
    world.add(bodies);
    std::vector<Bonds::Spec> chain;
    for (Id a = 0; a < 3; ++a)
      chain.push_back({a, a + 1, 0, 1, {1, 0, 0}, Quat::Identity(), Quat::Identity(), {0.5, 0, 0}});
    world.bonds().add(chain);
    CHECK(world.bonds().alive() == 3);
    world.time = 0.25;
    world.remove(std::array{gone});
    CHECK(world.bonds().alive() == (gone == 0 || gone == 3 ? 2 : 1));
    for (std::uint32_t k = 0; k < 3; ++k) {
      const bool joined = chain[k].a != gone && chain[k].b != gone;
      CHECK(world.bonds().whole(k) == joined);
      if (!joined) CHECK(world.bonds().broken_at[k] == 0.25);
    }
  }
}

TEST_CASE("of several overlaps that a pair is to tolerate the last one counts, also within one call") {
  World world(3);
  world.bonds().tolerate({{0, 1, 0.1}, {2, 3, 0.4}, {0, 1, 0.2}});
  CHECK(world.bonds().tolerated(0, 1) == 0.2);
  CHECK(world.bonds().tolerated(2, 3) == 0.4);
  world.bonds().tolerate({{0, 1, 0.05}});
  CHECK(world.bonds().tolerated(0, 1) == 0.05);
  CHECK(world.bonds().tolerated(2, 3) == 0.4);
  CHECK(world.bonds().tolerated(1, 2) == 0);
}

TEST_CASE("pairs that do not overlap tolerate nothing, and are not kept") {
  World world(3);
  world.bonds().tolerate({{0, 1, 0.1}, {2, 3, 0}});
  world.bonds().tolerate({{0, 1, 0}, {4, 5, 0.2}});
  CHECK(world.bonds().tolerated(0, 1) == 0);
  REQUIRE(world.bonds().tolerated().size() == 1);
  CHECK(world.bonds().tolerated(4, 5) == 0.2);
}

TEST_CASE("the hash of a table's rows does not depend on their order, but on every bit of every column") {
  World world(3);
  Table& points = world.table("points");
  auto x = points.column<Vec3>("position", "m");
  auto kind = points.column<std::uint32_t>("kind");
  points.add(3);
  for (std::size_t i = 0; i < 3; ++i) x.write()[i] = Vec3::Constant(0.1 * static_cast<double>(i)), kind.write()[i] = 7;
  const std::uint64_t before = state_hash(world);
  points.reorder(std::array<std::uint32_t, 3>{2, 0, 1});
  CHECK(state_hash(world) == before);
  kind.write()[1] = 8;
  CHECK(state_hash(world) != before);
}

TEST_CASE("copies of rows of others are neither summed nor hashed, and are forgotten when rows change") {
  World world(3);
  Table& points = world.table("points");
  points.add(3);
  const std::uint64_t all = state_hash(world);
  points.set_copies(1);
  CHECK((points.owned() == 2 && state_hash(world) != all));
  points.add(1);
  CHECK(points.owned() == 4);
}

namespace {

/// The memory of a device.
struct Memory final : DeviceRows {
  std::vector<std::byte> rows;
  std::atomic<int> fetched = 0;
  void fetch(std::span<std::byte> host) override {
    ++fetched;
    REQUIRE(host.size() == rows.size());
    std::memcpy(host.data(), rows.data(), rows.size());
  }
};

}  // namespace

TEST_CASE(
    "a column whose newer rows are on a device fetches them once, whoever asks, and what is set anew is not fetched") {
  Table table("points");
  table.add(4);
  auto x = table.column<double>("x");
  ColumnStorage& storage = *table.find_column("x");
  Memory memory;
  memory.rows.resize(4 * sizeof(double));
  const double there[] = {1, 2, 3, 4};
  std::memcpy(memory.rows.data(), there, sizeof there);
  storage.lend(&memory);
  storage.mark_taken();
  storage.mark_device_newer();
  SECTION("readers, many at once") {
    std::vector<std::thread> threads;
    std::atomic<int> wrong = 0;
    for (int t = 0; t < 8; ++t)
      threads.emplace_back([&] {
        if (x[3] != 4 || x.read()[0] != 1) ++wrong;
      });
    for (std::thread& t : threads) t.join();
    CHECK((wrong == 0 && memory.fetched == 1));
    CHECK(!storage.host_is_newer());
  }
  SECTION("a writer") {
    {
      const auto to = x.write();
      CHECK(to[2] == 3);
      CHECK(storage.open_writes() == 1);
    }
    CHECK((storage.open_writes() == 0 && storage.host_is_newer() && memory.fetched == 1));
  }
  SECTION("who sets all rows") {
    x.overwrite()[0] = 9;
    CHECK((memory.fetched == 0 && storage.host_is_newer() && x[0] == 9));
  }
  SECTION("rows that go or come") {
    table.remove(std::array<Id, 1>{0});
    table.add(1);
    CHECK((memory.fetched == 1 && x[0] == 2 && x[3] == 0 && storage.host_is_newer()));
  }
}
