#include "scree/world/world.hpp"

#include <algorithm>
#include <atomic>
#include <cmath>
#include <limits>
#include <thread>

#include "catch.hpp"
#include "scree/base/error.hpp"

using namespace scree;

namespace {

/// A unit ball, or a shape without bound.
class Ball final : public Shape {
 public:
  explicit Ball(double radius) : radius_(radius) {}
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(0.4 * density)}; }
  double bounding_radius() const noexcept override { return radius_; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  double radius_;
};

}  // namespace

TEST_CASE("scales follow their bodies through reordering and removal, those that no body can have are refused") {
  World world(3);
  world.add_shape("ball", std::make_shared<Ball>(1));
  world.add_shape("floor", std::make_shared<Ball>(std::numeric_limits<double>::infinity()));
  world.add_material({"m", 1000});
  BodySpec one, half, floor;
  half.scale = 0.5;
  floor.shape = 1;
  floor.kind = BodyKind::fixed;
  world.add(std::vector<BodySpec>{one, floor});
  CHECK(!world.scaled());
  world.add(std::vector<BodySpec>{half});
  CHECK(world.scaled());
  world.reorder(std::vector<std::uint32_t>{2, 0, 1});
  CHECK(world.scale.read()[0] == 0.5);
  CHECK(world.radius.read()[0] == 0.5);
  CHECK(world.mass.read()[0] == 125);
  CHECK(world.inertia.read()[0] == Vec3::Constant(12.5));
  CHECK(world.scale.read()[1] == 1);

  const auto refusal = [&world](BodySpec spec, double scale, Id owner = kNewId) {
    spec.scale = scale;
    spec.owner = owner;
    try {
      world.add(std::vector<BodySpec>{spec});
    } catch (const Error& e) {
      return std::string(e.what());
    }
    return std::string("no error");
  };
  const std::string body = "a body of shape \"ball\" is given the scale ";
  CHECK(refusal(one, 0) == body + "0.000000; a scale is a finite number above 0");
  CHECK(refusal(one, std::nan("")) == body + "nan; a scale is a finite number above 0");
  CHECK(refusal(floor, 2) ==
        "a body of shape \"floor\" is given the scale 2.000000, but the shape is without bound and has no size to "
        "scale; leave it at 1");
  CHECK(refusal(one, 2, 0) ==
        body +
            "2.000000, but rides on body 0, whose mass does not follow; leave it at 1, or make a shape of that size");
  CHECK(world.size() == 3);
  CHECK(
      refusal(one, 1, 2) ==
      "a body rides on body 2, whose scale is 0.500000; an owner's mass is that of all that rides on it, so its scale "
      "must be 1");
}

namespace {

/// Ball that gives its mass only once.
class ForgetfulBall final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double) const override {
    if (asked_++) throw NumericalError("no mass twice");
    return {1, Vec3::Ones()};
  }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  mutable int asked_ = 0;
};

}  // namespace

TEST_CASE("bodies that cannot be added leave the world as it was") {
  World world(3);
  world.add_shape("ball", std::make_shared<Ball>(1));
  world.add_shape("forgetful", std::make_shared<ForgetfulBall>());
  world.add_material({"m", 1000});
  world.group_names = {"bodies"};
  BodySpec chosen;
  chosen.id = 7;
  world.add(std::vector<BodySpec>{BodySpec{}, chosen});
  world.remove(std::vector<Id>{0});
  world.take_edits();
  const auto refusal = [&](const auto& change) {
    BodySpec good, bad;
    good.kind = bad.kind = BodyKind::prescribed;
    good.motions = bad.motions = {Motion{}};
    good.surface_velocity = bad.surface_velocity = {1, 0, 0};
    good.scale = 2;
    change(bad);
    std::string message = "no error";
    try {
      world.add(std::vector<BodySpec>{good, bad});
    } catch (const Error& e) {
      message = e.what();
    }
    CHECK(world.size() == 1);
    for (const auto& column : world.columns()) CHECK(column->rows() == 1);
    CHECK(world.row(7) == 0u);
    CHECK(!world.row(8));
    CHECK(world.next_id() == 8);
    CHECK(world.edits().empty());
    CHECK(!world.scaled());
    CHECK(world.prescribed().empty());
    CHECK(world.surface_velocities().empty());
    CHECK(world.members().empty());
    return message;
  };
  const std::string twice = " is given twice. Ids must be unique over all bodies.";
  CHECK(refusal([](BodySpec& b) { b.id = 7; }) == "body id 7" + twice);
  CHECK(refusal([](BodySpec& b) { b.id = 8; }) == "body id 8" + twice);  // the one before it in the same call
  CHECK(refusal([](BodySpec& b) { b.shape = 2; }) == "a body is given the shape 2, but there are 2, counted from 0");
  CHECK(refusal([](BodySpec& b) { b.material = 1; }) ==
        "a body is given the material 1, but there are 1, counted from 0");
  CHECK(refusal([](BodySpec& b) { b.group = 1; }) == "a body is given the group 1, but there are 1, counted from 0");
  CHECK(refusal([](BodySpec& b) { b.owner = 55; }) == "a body rides on an owner that is not there: id 55");
  BodySpec forgetful;
  forgetful.shape = 1;
  forgetful.id = 0;  // free again
  CHECK(world.add(std::vector<BodySpec>{forgetful}) == std::vector<Id>{0});
  world.remove(std::vector<Id>{0});
  world.take_edits();
  CHECK(refusal([](BodySpec& b) { b.shape = 1; }) == "no mass twice");

  CHECK_THROWS_WITH(World(2).add_shape("ball", std::make_shared<Ball>(1)),
                    "shape \"ball\" has 3 dimensions, the world has 2");
  CHECK_THROWS_WITH(world.add_shape("nothing", nullptr), "shape \"nothing\" is none: the pointer is empty");
}

TEST_CASE("a motion begins when its body is there") {
  World world(3);
  world.add_shape("ball", std::make_shared<Ball>(1));
  world.add_material({"m", 1000});
  BodySpec wall;
  wall.kind = BodyKind::prescribed;
  wall.motions = {Motion{}};
  wall.motions[0].velocity = {2, 0, 0};
  const auto place = [&](Id id) { return world.position.read()[*world.row(id)].x(); };
  world.add(std::vector<BodySpec>{wall});
  world.time = 3;
  world.move_prescribed(3);
  world.add(std::vector<BodySpec>{wall});
  wall.motions[0].start = 4;
  world.add(std::vector<BodySpec>{wall});
  world.move_prescribed(3);
  CHECK(place(0) == 6);
  CHECK(place(1) == 0);
  world.move_prescribed(5);
  CHECK(place(0) == 10);
  CHECK(place(1) == 4);
  CHECK(place(2) == 2);
}

TEST_CASE("several threads may ask for rows at once, also when nobody has asked since rows changed") {
  World world(3);
  world.add_shape("ball", std::make_shared<Ball>(1));
  world.add_material({"m", 1000});
  std::vector<BodySpec> bodies(2000);
  const bool far = GENERATE(false, true);
  if (far) bodies[0].id = Id{1} << 60;
  world.add(bodies);
  std::vector<std::uint32_t> order(bodies.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(order.size() - 1 - i);
  constexpr int kRounds = 300, kThreads = 3;
  std::atomic<int> round = 0, done = 0, wrong = 0;
  const auto ask = [&](int thread) {
    for (int k = 1; k <= kRounds; ++k) {
      while (round < k) std::this_thread::yield();
      for (std::size_t i = static_cast<std::size_t>(thread); i < world.size(); i += 700)
        if (world.row(world.id.read()[i]) != i) ++wrong;
      ++done;
    }
  };
  std::vector<std::thread> threads;
  for (int t = 0; t < kThreads; ++t) threads.emplace_back(ask, t);
  for (int k = 1; k <= kRounds; ++k) {
    world.reorder(order);
    round = k;
    while (done < kThreads * k) std::this_thread::yield();
  }
  for (std::thread& t : threads) t.join();
  CHECK(wrong == 0);
}
