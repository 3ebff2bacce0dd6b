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
  g.id = 5, g.shape = 1, g.scale = 0.5, g.pose = {{4, 5, 6}, uniform_rotation({0.3, 0.2, 0.1})};
  g.values = {std::byte{1}, std::byte{2}};
  a.stored = StoredGranules(std::vector{g});
  a.members = {3, 9};
  a.history = KeptHistory(std::vector<HistoryRecord>{{1, 3, 5, -2, 7, 11, {0.25, 0.5}}});
  std::vector<std::byte> state = ledger.save();
  Ledger loaded;
  loaded.load(state);
  CHECK(loaded.save() == state);
  REQUIRE(loaded.stored() == 1);
  CHECK(loaded.aggregates.at(77).stored.begin()->pose.position == Vec3(4, 5, 6));
  CHECK(loaded.aggregates.at(77).history.unpacked()[0].values == std::vector<double>{0.25, 0.5});
  state.resize(state.size() - 4);
  CHECK_THROWS_WITH(loaded.load(state), Catch::Matchers::ContainsSubstring("is cut short"));
}

TEST_CASE(
    "a granule that is packed keeps its place to 7e-15 of the largest and its orientation to 1e-12, once and for all") {
  const RandomStream random(5, "granules");
  std::vector<StoredGranule> granules(500);
  double largest = 0;
  for (std::size_t k = 0; k < granules.size(); ++k) {
    StoredGranule& g = granules[k];
    g.id = 7 + 300 * k + k % 3, g.shape = k % 2, g.group = 2;
    g.pose = {random.triple(k) - Vec3::Constant(0.5), uniform_rotation(random.triple(k, 1))};
    largest = std::max(largest, g.pose.position.cwiseAbs().maxCoeff());
  }
  granules[3].pose.orientation = Quat::Identity();
  granules[4].pose.orientation = Quat(-0.5, 0.5, -0.5, 0.5);
  const StoredGranules packed(granules);
  CHECK(packed.ids().size() == granules.size());
  double worst = 0, turn = 0;
  std::size_t k = 0;
  for (const StoredGranule& g : packed) {
    const StoredGranule& before = granules[k++];
    CHECK(g.id == before.id);
    CHECK(g.shape == before.shape);
    CHECK(g.group == 2);
    worst = std::max(worst, (g.pose.position - before.pose.position).cwiseAbs().maxCoeff());
    turn = std::max(turn, (g.pose.orientation.coeffs() - before.pose.orientation.coeffs()).norm());
  }
  REQUIRE(k == granules.size());
  scree::test::verify("place of a stored granule [largest coordinate]", 0, worst / largest, 7.2e-15);
  scree::test::verify("orientation of a stored granule", 0, turn, 1e-12);
  CHECK(packed.unpacked()[3].pose.orientation.coeffs() == Quat::Identity().coeffs());
  ByteWriter once, again;
  packed.save(once), StoredGranules(packed.unpacked()).save(again);
  CHECK(once.bytes == again.bytes);
}

TEST_CASE("a stored granule takes less than 40 bytes, one of a size of its own 48") {
  std::vector<StoredGranule> granules(2000);
  for (std::size_t k = 0; k < granules.size(); ++k) granules[k].id = 100 * k, granules[k].pose.position[0] = 0.01 * k;
  const auto per_granule = [&] {
    return static_cast<double>(StoredGranules(granules).bytes()) / static_cast<double>(granules.size());
  };
  CHECK(per_granule() < 37);
  granules[7].scale = 1.1;
  CHECK(per_granule() < 45);
}

TEST_CASE("numbers of any size come back from bytes") {
  const std::vector<std::int64_t> all = {0,   1,    -1,    63,         -64,         64,        127,
                                         128, 1000, -5000, 4000000000, -4000000000, INT64_MAX, INT64_MIN};
  ByteWriter to;
  for (const std::int64_t n : all) to.put_signed(n), to.put_number(static_cast<std::uint64_t>(n));
  ByteReader from(to.bytes);
  for (const std::int64_t n : all) {
    CHECK(from.get_signed() == n);
    CHECK(from.get_number() == static_cast<std::uint64_t>(n));
  }
  CHECK(from.rest().empty());
}
