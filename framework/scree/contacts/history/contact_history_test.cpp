// What contacts remember: through rebuilds, reordering, trials, cells, and bodies that go and come back.

#include <algorithm>
#include <tuple>

#include "catch.hpp"
#include "disc_world.hpp"
#include "scree/base/error.hpp"
#include "scree/world/rigid_sum.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Two discs without gravity, 0 and 1, pressed into each other by a tenth of their diameter. refresh() is left to the
/// test.
struct PressedPair : Run {
  std::vector<BodySpec> bodies = std::vector<BodySpec>(2);

  PressedPair() : Run({0.5}) {
    methods.environment.gravity = Vec3::Zero();
    bodies[1].position = {0.9, 0, 0};
    world.add(bodies);
  }
  /// One that nothing moves.
  void step(double dt) {
    mechanics->forces(dt);
    mechanics->commit();
  }
};

}  // namespace

TEST_CASE("contact history rides along when a pair crosses the sides of the cell, again and again") {
  Run run({0.5});
  run.world.cell = {{0, 0, 0}, {7, 5, 0}};
  run.mechanics = std::make_unique<HostMechanics>(run.world, run.methods);
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(2);
  bodies[0].position = {1, 1, 0};
  bodies[1].position = {1.7, 1.6, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  run.mechanics->pipeline().keep_records(true);
  for (int s = 1; s <= 3000; ++s) {
    const auto wrench = run.mechanics->forces(1e-3);
    // The same force all the way: the pair is carried, 9 cells to the left and 7.2 up, and never notices.
    CHECK(wrench[*run.world.row(1)].force.isApprox(1e3 * (1 - std::hypot(0.7, 0.6)) * Vec3(0.7, 0.6, 0).normalized(),
                                                   1e-9));
    const auto x = run.world.position.write();
    for (Vec3& p : x) p += 1e-3 * Vec3(-21, 12, 0);
    run.mechanics->commit();
    ++run.world.step;
    const auto history = run.mechanics->extract();
    REQUIRE(history.size() == 1);
    CHECK(history[0].values[0] == Approx(1e-3 * s).epsilon(1e-12));
    // Records outlive the lists they were made with, and name the images of now.
    const ContactView records = run.mechanics->pipeline().contact_view();
    REQUIRE(records.size() == 1);
    const Vec3 at = run.world.position.read()[*run.world.row(0)];
    const Vec3 other = run.world.position.read()[*run.world.row(1)] + run.world.cell.shift(unpacked(records[0].image));
    CHECK((other - at).isApprox(Vec3(0.7, 0.6, 0), 1e-9));
    CHECK((records[0].point - (at + other) / 2).norm() < 0.03);  // the way of the step after the evaluation is 0.024
  }
  CHECK(run.mechanics->pipeline().rebuilds > 100);
}

TEST_CASE("contact history survives rebuilds and reordering") {
  // Two discs pressed together ride through the crowd's rebuilds: the law's own clock must run on.
  Run run({0.5});
  run.methods.environment.gravity = Vec3::Zero();
  std::vector<BodySpec> bodies(3);
  bodies[0].position = {0, 0, 0};
  bodies[1].position = {0.9, 0, 0};
  bodies[2].position = {-40, 0.3, 0};
  for (auto& b : bodies) b.velocity = {3, 0, 0};
  bodies[2].velocity = {30, 0, 0};
  run.world.add(bodies);
  run.mechanics->refresh();
  double held = 0;
  for (int s = 0; s < 900; ++s) {
    const auto v = run.world.velocity.write();  // hold the pair together
    const auto id = run.world.id.read();
    for (std::size_t i = 0; i < 3; ++i)
      if (id[i] < 2) v[i] = {3, 0, 0};
    run.mechanics->forces(1e-3);
    const auto x = run.world.position.write();
    for (std::size_t i = 0; i < 3; ++i) x[i] += 1e-3 * run.world.velocity.read()[i];
    run.mechanics->commit();
    held += 1e-3;
    if (s % 10 == 0) run.mechanics->pipeline().rebuild(true);
  }
  CHECK(run.mechanics->pipeline().rebuilds > 90);
  const auto history = run.mechanics->extract();
  REQUIRE(history.size() == 1);
  CHECK(history[0].a == 0);
  CHECK(history[0].b == 1);
  CHECK(history[0].values[0] == Approx(held).epsilon(1e-12));
}

TEST_CASE("a contact that splits in two hands its history to both, which have features of their own") {
  PressedPair run;
  run.methods.detectors.push_back(std::make_unique<SplittingDiscs>(std::vector<double>{0.5}));
  run.methods.channels[0].detector = run.methods.detectors.back().get();
  run.mechanics->refresh();
  if (GENERATE(false, true)) run.evaluate_once();
  for (int s = 0; s < 4; ++s) run.step(1e-3);
  const auto history = run.mechanics->extract();
  REQUIRE(history.size() == 2);
  for (const HistoryRecord& r : history) CHECK(r.values[0] == Approx(4e-3).epsilon(1e-12));
  CHECK(history[0].feature == 1);
  CHECK(history[1].feature == 2);
}

TEST_CASE("trial evaluations leave committed history alone") {
  PressedPair run;
  run.mechanics->refresh();
  for (int k = 0; k < 4; ++k) run.mechanics->forces(0.5);
  run.mechanics->commit();
  CHECK(run.mechanics->extract()[0].values[0] == 0.5);
}

TEST_CASE("where forces are evaluated once per step, history kept once is that of trials, bit by bit") {
  const auto trials = heap(400, 0, true), once = heap(400, 0, true);
  once->evaluate_once();
  trials->steps(600, 1e-3);
  once->steps(600, 1e-3);
  CHECK(trials->mechanics->pipeline().rebuilds > 2);
  CHECK(state_hash(trials->world) == state_hash(once->world));
  const auto kept = trials->mechanics->extract(), kept_once = once->mechanics->extract();
  REQUIRE(kept.size() > 30);
  REQUIRE(kept.size() == kept_once.size());
  for (std::size_t i = 0; i < kept.size(); ++i) {
    CHECK(std::tie(kept[i].a, kept[i].b, kept[i].feature) ==
          std::tie(kept_once[i].a, kept_once[i].b, kept_once[i].feature));
    CHECK(kept[i].values == kept_once[i].values);
  }
}

TEST_CASE("history kept once: neither forces over no time nor a search for contacts leave any") {
  PressedPair run;
  run.evaluate_once();
  run.mechanics->find_contacts(0.5);
  run.mechanics->forces(0);
  CHECK(run.mechanics->extract().empty());
  for (int s = 1; s < 4; ++s) {
    run.step(0.5);
    run.mechanics->forces(0);
    REQUIRE(run.mechanics->extract().size() == 1);
    CHECK(run.mechanics->extract()[0].values[0] == 0.5 * s);
  }
}

TEST_CASE("extracted history comes back when bodies do") {
  PressedPair run;
  run.mechanics->refresh();
  run.step(0.25);
  const auto kept = run.mechanics->extract();
  const Id gone[] = {1};
  run.world.remove(gone);
  run.mechanics->refresh();
  run.step(0.25);
  CHECK(run.mechanics->extract().empty());
  run.mechanics->insert(kept);
  run.bodies[1].id = 1;
  run.world.add(std::span(run.bodies).subspan(1));
  run.mechanics->refresh();
  run.step(0.25);
  REQUIRE(run.mechanics->extract().size() == 1);
  CHECK(run.mechanics->extract()[0].values[0] == 0.5);
}

namespace {

/// Four discs in a row, each pressed into the next: contacts 0-1, 1-2, 2-3, and a frame without surface, body 4.
struct PressedRow : Run {
  std::vector<Id> ids;
  Id frame;

  PressedRow() : Run({0.5}) {
    methods.environment.gravity = Vec3::Zero();
    std::vector<BodySpec> bodies(4);
    for (std::size_t i = 0; i < 4; ++i) bodies[i].position = {0.9 * double(i), 0, 0};
    ids = world.add(bodies);
    BodySpec owner;
    owner.shape = world.frame_shape();
    methods.resize_table(3, 1);
    methods.set_channel(0, 0, 0, 0, 0);
    frame = world.add(std::vector{owner})[0];
    mechanics->refresh();
  }
  void step() {
    mechanics->forces(0.5);
    mechanics->commit();
  }
  void attach(std::vector<Id> members) {
    world.attach(members, frame, rigid_sum(world, members));
    mechanics->refresh();
  }
  void release(std::vector<Id> members) {
    world.release(members);
    mechanics->refresh();
  }
  /// Time in contact of a pair, -1 where there is no history of it.
  double held(Id a, Id b) {
    for (const HistoryRecord& r : mechanics->extract())
      if (r.a == a && r.b == b) return r.values[0];
    return -1;
  }
};

bool equal(const std::vector<HistoryRecord>& p, const std::vector<HistoryRecord>& q) {
  return std::ranges::equal(p, q, [](const HistoryRecord& r, const HistoryRecord& s) {
    return std::tie(r.interaction, r.a, r.b, r.image, r.feature, r.payload, r.values) ==
           std::tie(s.interaction, s.a, s.b, s.image, s.feature, s.payload, s.values);
  });
}

}  // namespace

TEST_CASE("springs of attached bodies stay where the pair may still touch, and are gone between two of one owner") {
  PressedRow run;
  run.step();
  run.attach({1, 2});
  run.step();
  CHECK(run.held(0, 1) == 1);
  CHECK(run.held(1, 2) == -1);
  CHECK(run.held(2, 3) == 1);
  run.release({1, 2});
  run.step();
  CHECK(run.held(0, 1) == 1.5);
  CHECK(run.held(1, 2) == 0.5);
  CHECK(run.held(2, 3) == 1.5);
}

TEST_CASE("a spring taken out before its bodies were attached is there again when it is inserted after their release") {
  PressedRow run;
  run.step();
  run.step();
  const auto kept = run.mechanics->extract(std::vector<Id>{1, 2});
  REQUIRE(kept.size() == 3);
  run.attach({1, 2});
  run.step();
  run.world.release(std::vector<Id>{1, 2});
  const bool before_lists = GENERATE(true, false);
  if (!before_lists) run.mechanics->refresh();
  run.mechanics->insert(std::span(kept).subspan(1, 1));
  run.mechanics->refresh();
  run.step();
  CHECK(run.held(0, 1) == 2);
  CHECK(run.held(1, 2) == 1.5);
}

TEST_CASE("history that finds no pair when lists are made next is dropped") {
  PressedRow run;
  run.step();
  const auto kept = run.mechanics->extract(std::vector<Id>{1});
  REQUIRE(kept.size() == 2);
  run.attach({0, 1});
  run.mechanics->insert(kept);  // 0-1 of one owner, 1-2 is there twice now
  CHECK(run.mechanics->extract().size() == 4);
  run.world.remove(std::vector<Id>{3});
  run.mechanics->refresh();
  CHECK(run.held(0, 1) == -1);
  CHECK(run.mechanics->extract().size() == 2);
  run.release({0, 1});
  CHECK(run.held(0, 1) == -1);
}

TEST_CASE("history of some bodies is that part of all history, also when lists are about to be made anew") {
  const auto run = heap(400, 0, true);
  run->steps(300, 1e-3);
  std::vector<HistoryRecord> all = run->mechanics->extract();
  REQUIRE(all.size() > 30);
  std::vector<Id> some;
  for (Id id = 0; id < 400; id += 3) some.push_back((id * 7) % 400);
  const auto has = [&](Id id) { return std::ranges::find(some, id) != some.end(); };
  std::erase_if(all, [&](const HistoryRecord& r) { return !has(r.a) && !has(r.b); });
  CHECK(equal(run->mechanics->extract(some), all));
  CHECK(equal(run->mechanics->HistoryStore::extract(some), all));
  CHECK(run->mechanics->extract(std::vector<Id>{}).empty());
  CHECK(run->mechanics->extract(std::vector<Id>{4711}).empty());
  run->world.remove(std::vector<Id>{some[5], some[6]});
  CHECK(equal(run->mechanics->extract(some), all));
}

TEST_CASE("history that cannot be is refused with a sentence, and none of it is kept") {
  PressedRow run;
  run.step();
  const auto refusal = [&](HistoryRecord bad) {
    const HistoryRecord good{0, 0, 2, 0, 0, 0, {1, 2}};
    try {
      run.mechanics->insert(std::vector{good, bad});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  CHECK(refusal({0, 2, 1, 0, 0, 0, {1, 2}}) ==
        "contact history of bodies 2 and 1 names the body with the lower id last; it comes first");
  CHECK(refusal({3, 1, 2, 0, 0, 0, {1, 2}}) ==
        "contact history of bodies 1 and 2 is of interaction 3, but there are 1, counted from 0");
  CHECK(refusal({0, 1, 2, 0, 0, 0, {1}}) ==
        "contact history of bodies 1 and 2 has 1 values, but the law of interaction 0 remembers 2");
  CHECK(run.mechanics->extract().size() == 3);
}
