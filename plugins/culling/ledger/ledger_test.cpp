#include "ledger/ledger.hpp"

#include "catch.hpp"
#include "ledger/bytes.hpp"
#include "scree/base/philox.hpp"
#include "verify.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

std::vector<RigidBody> random_parts(std::size_t count) {
  const RandomStream random(3, "parts");
  std::vector<RigidBody> parts;
  for (std::size_t i = 0; i < count; ++i) {
    const Vec3 moments = Vec3::Ones() + random.triple(i, 1);
    parts.push_back({1 + random.triple(i)[0],
                     moments,
                     {10 * random.triple(i, 2), uniform_rotation(random.triple(i, 3))},
                     {random.triple(i, 4) - Vec3::Constant(0.5), random.triple(i, 5) - Vec3::Constant(0.5)}});
  }
  return parts;
}

Vec3 momentum(std::span<const RigidBody> parts) {
  Vec3 sum = Vec3::Zero();
  for (const RigidBody& p : parts) sum += p.mass * p.twist.velocity;
  return sum;
}
Vec3 angular_momentum(std::span<const RigidBody> parts) {
  Vec3 sum = Vec3::Zero();
  for (const RigidBody& p : parts)
    sum += p.mass * p.frame.position.cross(p.twist.velocity) + inertia_tensor(p) * p.twist.angular_velocity;
  return sum;
}

}  // namespace

TEST_CASE("eight spheres at the corners of a cube: I = 8 (2/5 m a^2 + 2 m h^2) about each axis") {
  const double m = 3, a = 0.2, h = 0.7;
  std::vector<RigidBody> parts;
  for (const double x : {-h, h})
    for (const double y : {-h, h})
      for (const double z : {-h, h})
        parts.push_back({m, Vec3::Constant(0.4 * m * a * a), {Vec3(5 + x, y, z), Quat::Identity()}, {}});
  const RigidBody whole = rigid_sum(parts);
  CHECK(whole.mass == 8 * m);
  CHECK((whole.frame.position - Vec3(5, 0, 0)).norm() < 1e-15);
  for (int k = 0; k < 3; ++k)
    scree::test::verify("moment of inertia [kg m²]", 8 * (0.4 * m * a * a + 2 * m * h * h), whole.inertia[k], 1e-14);
}

TEST_CASE("a hundred bodies become one: momenta stay, kinetic energy does not grow") {
  const std::vector<RigidBody> parts = random_parts(100);
  const RigidBody whole = rigid_sum(parts);
  const std::vector<RigidBody> one{whole};
  double energy = 0, size = 0;
  for (const RigidBody& p : parts) energy += kinetic_energy(p), size += p.mass * p.twist.velocity.norm();
  scree::test::verify("change of momentum", 0, (momentum(one) - momentum(parts)).norm() / size, 1e-14);
  scree::test::verify("change of angular momentum", 0,
                      (angular_momentum(one) - angular_momentum(parts)).norm() / (10 * size), 1e-13);
  CHECK(kinetic_energy(one[0]) < energy);
}

TEST_CASE("parts of a rigid motion: the whole has that motion and their energy") {
  std::vector<RigidBody> parts = random_parts(50);
  const Twist twist{{1, 2, 3}, {-4, 5, 6}};
  double energy = 0;
  for (RigidBody& p : parts) {
    p.twist = {velocity_at(Vec3::Zero(), twist, p.frame.position), twist.angular_velocity};
    energy += kinetic_energy(p);
  }
  const RigidBody whole = rigid_sum(parts);
  CHECK((whole.twist.angular_velocity - twist.angular_velocity).norm() < 1e-12);
  CHECK((whole.twist.velocity - velocity_at(Vec3::Zero(), twist, whole.frame.position)).norm() < 1e-12);
  scree::test::verify("kinetic energy [J]", energy, kinetic_energy(whole), 1e-13);
}

TEST_CASE("a pose within a frame and back is the same to rounding") {
  const Pose frame{{3, -4, 5}, uniform_rotation({0.2, 0.4, 0.7})}, of{{1, 2, 3}, uniform_rotation({0.9, 0.1, 0.3})};
  const Pose again = composed(frame, relative(frame, of));
  CHECK((again.position - of.position).norm() < 1e-14);
  CHECK(again.orientation.angularDistance(of.orientation) < 1e-7);  // an arc cosine near 1
}

TEST_CASE("a ledger is saved and loaded bit by bit, one that is cut is refused") {
  Ledger ledger;
  ledger.columns = {"colour", "age"};
  Aggregate& a = ledger.aggregates[77];
  a.owner = 77;
  a.frame = {{1, 2, 3}, uniform_rotation({0.1, 0.2, 0.3})};
  StoredGranule g;
  g.id = 5, g.shape = 1, g.scale = 0.5, g.mass = 2, g.pose = {{4, 5, 6}, uniform_rotation({0.3, 0.2, 0.1})};
  a.stored = {g};
  a.more = {{std::byte{1}, std::byte{2}}};
  a.members = {3, 9};
  a.links = {{3, 5}, {5, 9}};
  a.history = {{1, 3, 5, -2, 7, 11, {0.25, 0.5}}};
  std::vector<std::byte> state = ledger.save();
  Ledger loaded;
  loaded.load(state);
  CHECK(loaded.save() == state);
  REQUIRE(loaded.stored() == 1);
  CHECK(loaded.aggregates.at(77).stored[0].pose.position == Vec3(4, 5, 6));
  CHECK(loaded.aggregates.at(77).history[0].values == std::vector<double>{0.25, 0.5});
  state.resize(state.size() - 4);
  CHECK_THROWS_WITH(loaded.load(state), Catch::Matchers::ContainsSubstring("is cut short"));
}
