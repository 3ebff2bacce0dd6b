// An outlet's wholes, bodies that go as one: where their centre is, and how much they weigh.

#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"
#include "outlet.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/rigid_sum.hpp"

using namespace scree;
using namespace scree::insertion;

namespace {

/// Ball of 2 kg at a density of 1 kg/m^3.
class Ball final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {2 * density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return 0.5; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

/// Free balls along x.
std::unique_ptr<World> balls(const std::vector<double>& places) {
  auto world = std::make_unique<World>(3);
  world->add_shape("ball", std::make_shared<Ball>());
  world->add_material({"m", 1});
  world->group_names = {"balls"};
  std::vector<BodySpec> bodies(places.size());
  for (std::size_t k = 0; k < places.size(); ++k) bodies[k].position = {places[k], 0, 0};
  world->add(bodies);
  return world;
}

class NoHistory final : public HistoryStore {
  std::vector<HistoryRecord> extract() const override { return {}; }
  void insert(std::span<const HistoryRecord>) override {}
};

struct Taken {
  double count, mass;
};

/// Returns the bodies removed by an outlet at these places.
Taken taken(World& world, double from, double to, const std::string& more = "") {
  Outlet outlet(Options::parse(R"({"name": "drain", "region": {"type": "box", "outside": false, "lower": [)" +
                               std::to_string(from) + R"(, -1, -1], "upper": [)" + std::to_string(to) + ", 1, 1]}" +
                               more + "}"));
  outlet.begin(world);
  NoHistory none;
  outlet.apply(world, nullptr, none);
  return {world.metrics().at("drain_count"), world.metrics().at("drain_mass_kg")};
}

}  // namespace

TEST_CASE("two bonded bodies across the side of a periodic cell have their centre at the side") {
  const auto pair = [] {
    auto world = balls({9.5, 10.5});
    world->cell = PeriodicCell(Vec3::Zero(), Vec3(10, 0, 0));
    world->bonds().add(
        std::vector{Bonds::Spec{0, 1, 0, 1, Vec3::UnitX(), Quat::Identity(), Quat::Identity(), 0.5 * Vec3::UnitX()}});
    world->wrap();
    REQUIRE(world->position.read()[1].x() == 0.5);
    return world;
  };
  CHECK(taken(*pair(), 4, 6).count == 0);
  CHECK(taken(*pair(), -0.25, 0.25).count == 2);
}

TEST_CASE("members count with the mass of their owner, once, and go where the centre of the whole is") {
  const auto three = [] {
    auto world = balls({0, 1, 5});
    const std::vector<Id> all = {0, 1, 2};
    world->attach(std::vector<Id>{1, 2}, 0, rigid_sum(*world, all));
    REQUIRE(world->mass.read()[0] == 6);  // of three balls
    return world;
  };
  const Taken none = taken(*three(), -0.5, 1.9), all = taken(*three(), 1.9, 2.1);
  CHECK(none.count == 0);
  CHECK(none.mass == 0);
  CHECK(all.count == 3);
  CHECK(all.mass == 6);
}

TEST_CASE("what rides on a frame goes where its own entry may go, whatever entry the frame is of") {
  auto world = balls({0, 1, 5});
  world->group_names.push_back("frames");
  BodySpec frame;
  frame.shape = world->frame_shape();
  frame.group = 1;
  const Id owner = world->add(std::vector{frame})[0];
  const std::vector<Id> all = {0, 1, 2};
  world->attach(all, owner, rigid_sum(*world, all));
  const Taken gone = taken(*world, 1.9, 2.1, R"(, "bodies": ["balls"])");
  CHECK(gone.count == 3);
  CHECK(gone.mass == 6);
  CHECK(world->size() == 0);
}
