// Living bodies that become members of an owner, ride on it, and are let go.

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "catch.hpp"
#include "scree/base/error.hpp"
#include "scree/world/rigid_sum.hpp"
#include "scree/world/world.hpp"

using namespace scree;

namespace {

/// A solid of three different moments, or a disc.
class Brick final : public Shape {
 public:
  explicit Brick(int dimension) : dimension_(dimension) {}
  int dimension() const noexcept override { return dimension_; }
  MassProperties mass(double density) const override { return {density, density * Vec3(0.3, 0.4, 0.5)}; }
  double bounding_radius() const noexcept override { return 1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }

 private:
  int dimension_;
};

struct Swarm {
  World world;
  std::vector<Id> ids;
  Id owner;

  explicit Swarm(int dimension, std::size_t bodies = 50, unsigned seed = 1) : world(dimension) {
    world.add_shape("brick", std::make_shared<Brick>(dimension));
    world.add_material({"m", 2});
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> any(-1, 1);
    const auto vector = [&] { return Vec3(any(engine), any(engine), any(engine)); };
    std::vector<BodySpec> specs(bodies);
    for (BodySpec& b : specs) {
      b.position = Vec3(300, -20, 10) + 10 * vector();
      b.velocity = vector();
      b.angular_velocity = vector();
      b.orientation = Quat(1, any(engine), any(engine), any(engine)).normalized();
      b.scale = 1 + 0.3 * any(engine);
      if (dimension == 3) continue;
      b.position.z() = b.velocity.z() = b.angular_velocity.x() = b.angular_velocity.y() = 0;
      b.orientation = Quat(b.orientation.w(), 0, 0, b.orientation.z()).normalized();
    }
    ids = world.add(specs);
    BodySpec frame;
    frame.shape = world.frame_shape();
    owner = world.add(std::vector{frame})[0];
    world.take_edits();
  }
  std::span<const Id> first(std::size_t count) const { return std::span(ids).first(count); }
  void attach(std::span<const Id> which) { world.attach(which, owner, rigid_sum(world, which)); }
};

Totals now(const World& world) { return totals(world, Vec3::Zero()); }

void check_same_momenta(const Totals& a, const Totals& b) {
  // Relative to sums of all parts, rounding of a few hundred additions.
  CHECK((a.momentum - b.momentum).norm() < 1e-13 * a.mass);
  CHECK((a.angular_momentum - b.angular_momentum).norm() < 1e-13 * 300 * a.mass);
  CHECK(std::abs(a.mass - b.mass) < 1e-14 * a.mass);
}

std::string refusal(const std::function<void()>& call) {
  try {
    call();
  } catch (const Error& e) {
    return e.what();
  }
  return "no error";
}

}  // namespace

TEST_CASE("attaching and releasing bodies keeps momentum and angular momentum, motion against each other is lost") {
  Swarm s(GENERATE(2, 3));
  const Totals before = now(s.world);
  s.attach(s.first(30));
  const Totals attached = now(s.world);
  check_same_momenta(before, attached);
  CHECK(attached.kinetic() < before.kinetic());
  CHECK(attached.dynamic_bodies == 21);
  s.world.release(s.first(30));
  s.world.remove(std::vector{s.owner});
  const Totals released = now(s.world);
  check_same_momenta(before, released);
  CHECK(released.kinetic() == Approx(attached.kinetic()).epsilon(1e-13));
  CHECK(released.dynamic_bodies == 50);
}

TEST_CASE("members ride on their owner: arms turn with it, and a released one flies off along its tangent") {
  Swarm s(3);
  const std::vector<Vec3> x0(s.world.position.read().begin(), s.world.position.read().end());
  s.attach(s.first(30));
  for (std::size_t i = 0; i < 30; ++i) CHECK(s.world.position.read()[i] == x0[i]);
  const std::size_t o = *s.world.row(s.owner);
  const Vec3 centre = s.world.position.read()[o];
  const Quat turn(Eigen::AngleAxisd(1.25, Vec3(1, 2, -1).normalized()));
  s.world.position.write()[o] = centre + Vec3(1, 2, 3);
  s.world.orientation.write()[o] = turn * s.world.orientation.read()[o];
  s.world.velocity.write()[o] = {4, 0, 1};
  s.world.angular_velocity.write()[o] = {0, 2, 5};
  s.world.update_members();
  s.world.release(s.first(10));
  for (std::size_t i = 0; i < 30; ++i) {
    const Vec3 arm = turn * (x0[i] - centre);
    CHECK((s.world.position.read()[i] - (centre + Vec3(1, 2, 3) + arm)).norm() < 1e-12);
    CHECK((s.world.velocity.read()[i] - (Vec3(4, 0, 1) + Vec3(0, 2, 5).cross(arm))).norm() < 1e-12);
    CHECK(s.world.angular_velocity.read()[i] == Vec3(0, 2, 5));
    const double mass = 2 * std::pow(s.world.scale.read()[i], 3);
    CHECK(s.world.mass.read()[i] == Approx(mass).epsilon(1e-15));
    CHECK(s.world.inverse_mass.read()[i] == (i < 10 ? 1 / s.world.mass.read()[i] : 0));
    CHECK((s.world.inverse_inertia.read()[i].x() > 0) == (i < 10));
    CHECK(s.world.owner.read()[i] == (i < 10 ? s.ids[i] : s.owner));
  }
  CHECK(s.world.members().size() == 20);
}

TEST_CASE("an owner of which a part is released keeps its motion with what is left") {
  Swarm s(3);
  s.attach(s.first(30));
  const Totals before = now(s.world);
  s.world.release(s.first(12));
  const std::vector<Id> rest(s.ids.begin() + 12, s.ids.begin() + 30);
  const RigidBody left = rigid_sum(s.world, rest);
  const Vec3 spin = s.world.angular_velocity.read()[*s.world.row(s.owner)];
  CHECK((left.twist.angular_velocity - spin).norm() < 1e-13);
  s.world.set_rigid(s.owner, left);
  check_same_momenta(before, now(s.world));
  CHECK(now(s.world).kinetic() == Approx(before.kinetic()).epsilon(1e-13));
  const std::vector<Vec3> x(s.world.position.read().begin(), s.world.position.read().end());
  s.world.update_members();
  for (std::size_t i = 0; i < x.size(); ++i) CHECK((s.world.position.read()[i] - x[i]).norm() < 1e-12);
}

TEST_CASE("eight spheres at the corners of a cube: I = 8 (2/5 m a^2) + 16 m h^2 about each axis") {
  class Sphere final : public Shape {
   public:
    int dimension() const noexcept override { return 3; }
    MassProperties mass(double) const override { return {1.5, Vec3::Constant(0.4 * 1.5 * 0.04)}; }
    double bounding_radius() const noexcept override { return 0.2; }
    Surface surface() const override { return {}; }
    const void* facet(std::string_view) const noexcept override { return nullptr; }
  };
  World world(3);
  world.add_shape("sphere", std::make_shared<Sphere>());
  world.add_material({"m", 1});
  std::vector<BodySpec> corners(8);
  for (int k = 0; k < 8; ++k)
    corners[static_cast<std::size_t>(k)].position = 0.7 * Vec3(k & 1 ? 1 : -1, k & 2 ? 1 : -1, k & 4 ? 1 : -1);
  const RigidBody whole = rigid_sum(world, world.add(corners));
  const double expected = 8 * 0.4 * 1.5 * 0.04 + 8 * 1.5 * 2 * 0.49;
  for (int k = 0; k < 3; ++k) CHECK(whole.inertia[k] == Approx(expected).epsilon(1e-14));
  CHECK(whole.mass == Approx(12));
  CHECK(whole.frame.position.norm() < 1e-15);
}

TEST_CASE("a rigid sum does not depend on the order in which bodies are named or lie in memory") {
  Swarm s(3);
  const RigidBody a = rigid_sum(s.world, s.first(30));
  std::vector<std::uint32_t> order(s.world.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  s.world.reorder(order);
  std::vector<Id> backwards(s.first(30).rbegin(), s.first(30).rend());
  const RigidBody b = rigid_sum(s.world, backwards);
  CHECK(a.mass == b.mass);
  CHECK(a.inertia == b.inertia);
  CHECK(a.frame.position == b.frame.position);
  CHECK(a.frame.orientation.coeffs() == b.frame.orientation.coeffs());
  CHECK(a.twist.velocity == b.twist.velocity);
  CHECK(a.twist.angular_velocity == b.twist.angular_velocity);
}

TEST_CASE("columns of plugins and members' own masses stay through attaching, reordering and releasing") {
  Swarm s(3);
  const auto memory = [&] { return s.world.column<double>("memory"); };
  for (std::size_t i = 0; i < s.ids.size(); ++i) memory().write()[i] = static_cast<double>(s.ids[i]);
  const std::vector<double> mass(s.world.mass.read().begin(), s.world.mass.read().end());
  s.attach(s.first(30));
  std::vector<std::uint32_t> order(s.world.size());
  std::iota(order.rbegin(), order.rend(), 0u);
  s.world.reorder(order);
  CHECK(s.world.members().size() == 30);
  s.world.release(s.first(30));
  CHECK(s.world.members().empty());
  for (std::size_t k = 0; k < s.ids.size(); ++k) {
    const std::size_t i = *s.world.row(s.ids[k]);
    CHECK(memory().read()[i] == static_cast<double>(s.ids[k]));
    CHECK(s.world.mass.read()[i] == mass[k]);
  }
}

TEST_CASE("what cannot be attached or released is refused with a sentence, and nothing changes") {
  Swarm s(3);
  BodySpec wall;
  wall.kind = BodyKind::fixed;
  const Id fixed = s.world.add(std::vector{wall})[0];
  s.attach(s.first(3));
  s.world.take_edits();
  const std::uint64_t hash = state_hash(s.world), version = s.world.layout_version();
  const RigidBody whole = rigid_sum(s.world, s.first(3));
  const auto attach = [&](std::vector<Id> ids, Id owner, RigidBody as) {
    return refusal([&] { s.world.attach(ids, owner, as); });
  };
  CHECK(attach({1}, s.owner, whole) == "body 1 is to be attached, but rides on body 50; release it first");
  CHECK(attach({7}, 1, whole) ==
        "body 1 rides on body 50, so it cannot be an owner; attach to that one, or release it first");
  CHECK(attach({s.owner}, 7, whole) == "body 50 is to be attached, but others ride on it; attach those instead");
  CHECK(attach({7, 8, 7}, s.owner, whole) == "body 7 is attached twice in one call");
  CHECK(attach({7}, 7, whole) == "body 7 is attached to itself");
  CHECK(attach({99}, s.owner, whole) == "body 99 is to be attached, but is not there");
  CHECK(attach({7}, 99, whole) == "body 99 is not there");
  CHECK(attach({fixed}, s.owner, whole) == "body 51 is to be attached, but is fixed or prescribed");
  CHECK(attach({7}, fixed, whole) == "body 51 is fixed or prescribed: only a dynamic body owns what is attached to it");
  RigidBody massless = whole;
  massless.mass = 0;
  CHECK(attach({7}, s.owner, massless) ==
        "body 50 is given a mass or moment of inertia that is not a finite number above 0");
  CHECK(refusal([&] {
          s.world.release(std::vector<Id>{1, 7});
        }) == "body 7 is to be released, but rides on no other body");
  CHECK(refusal([&] { s.world.release(std::vector<Id>{99}); }) == "body 99 is to be released, but is not there");
  CHECK(refusal([&] { rigid_sum(s.world, std::vector<Id>{99}); }) ==
        "body 99 is to be part of a rigid sum, but is not there");
  CHECK(refusal([&] { rigid_sum(s.world, {}); }) == "a rigid sum of 0 bodies has no mass");
  BodySpec rider;
  rider.owner = 1;
  CHECK(refusal([&] { s.world.add(std::vector{rider}); }) ==
        "a body rides on body 1, which itself rides on body 50; let it ride on that one");
  s.world.bonds().add(
      std::vector<Bonds::Spec>{{7, 8, 0, 1, {1, 0, 0}, Quat::Identity(), Quat::Identity(), {0.5, 0, 0}}});
  CHECK(attach({8}, s.owner, whole) == "body 8 is to be attached, but a bond holds it; bonds do not act on members");
  CHECK(s.world.edits().empty());
  CHECK(state_hash(s.world) == hash);
  CHECK(s.world.members().size() == 3);
  CHECK(s.world.layout_version() >= version);
}

TEST_CASE("the log says what became of each body: who went before another came, who came and went, who rides now") {
  Swarm s(3);
  World& world = s.world;
  BodySpec again;
  again.id = 3;
  world.remove(std::vector<Id>{3});
  world.add(std::vector{again});
  const EditLog replaced = world.take_edits();
  CHECK(replaced.removed == std::vector<Id>{3});
  CHECK(replaced.added == std::vector<Id>{3});
  const Id brief = world.add(std::vector{BodySpec{}})[0];
  world.mark_moved(std::vector{brief});
  world.remove(std::vector{brief});
  CHECK(world.edits().empty());
  world.remove(std::vector<Id>{3});
  world.add(std::vector{again});
  world.remove(std::vector<Id>{3});
  const EditLog gone = world.take_edits();
  CHECK(gone.removed == std::vector<Id>{3});
  CHECK(gone.added.empty());

  s.attach(std::vector<Id>{5, 6, 7});
  CHECK(world.edits().attached == std::vector<Id>{5, 6, 7});
  CHECK(world.edits().moved == std::vector<Id>{s.owner});
  world.release(std::vector<Id>{6});
  CHECK(world.edits().attached == std::vector<Id>{5, 7});
  CHECK(world.edits().released == std::vector<Id>{6});
  world.take_edits();
  world.release(std::vector<Id>{5});
  world.attach(std::vector<Id>{5}, s.owner, rigid_sum(world, std::vector<Id>{5, 7}));
  CHECK(world.edits().released.empty());
  CHECK(world.edits().attached == std::vector<Id>{5});
  world.remove(std::vector{s.owner});
  EditLog end = world.take_edits();
  std::ranges::sort(end.removed);
  CHECK(end.removed == std::vector<Id>{5, 7, s.owner});
  CHECK((end.attached.empty() && end.moved.empty()));
}

TEST_CASE("crossings of a cell count for members as for their owner, so that a released body has come all the way") {
  World world(2);
  world.cell = {{0, 0, 0}, {10, 0, 0}};
  world.add_shape("brick", std::make_shared<Brick>(2));
  world.add_material({"m", 1});
  std::vector<BodySpec> bodies(2);
  bodies[0].position = {9, 1, 0};
  bodies[1].position = {9.5, 2, 0};
  const std::vector<Id> ids = world.add(bodies);
  BodySpec frame;
  frame.shape = world.frame_shape();
  const Id owner = world.add(std::vector{frame})[0];
  world.attach(ids, owner, rigid_sum(world, ids));
  world.position.write()[2].x() += 1;
  world.update_members();
  world.wrap();
  world.release(ids);
  const auto x = world.position.read(), crossings = world.column<Vec3>("cell_crossings").read();
  for (std::size_t i = 0; i < 2; ++i)
    CHECK(x[i].x() + 10 * crossings[i].x() == Approx(bodies[i].position.x() + 1).epsilon(1e-14));
}
