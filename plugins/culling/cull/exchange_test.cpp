// Aggregates that become one, and that are cut: what hangs together, how it moves, and what comes back.

#include "cull/exchange.hpp"

#include <memory>

#include "catch.hpp"
#include "cull/sorted_ids.hpp"
#include "ledger/links.hpp"
#include "scree/shape/facets.hpp"

using namespace scree;
using namespace scree::culling;

namespace {

class Ball final : public Shape, public SphereSet {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(0.1 * density)}; }
  double bounding_radius() const noexcept override { return 0.5; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view name) const noexcept override {
    return name == SphereSet::kName ? static_cast<const SphereSet*>(this) : nullptr;
  }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }

 private:
  std::vector<Vec3> centres_ = {Vec3::Zero()};
  std::vector<double> radii_ = {0.5};
};

class Springs final : public HistoryStore {
 public:
  std::vector<HistoryRecord> extract() const override { return records; }
  void insert(std::span<const HistoryRecord> more) override { records.insert(records.end(), more.begin(), more.end()); }
  std::vector<HistoryRecord> records;
};

constexpr double kGap = 0.4;  // [m]

/// Granules 0, 1, ... in a row along x, each of which touches the next, in one rigid motion.
struct Row {
  World world{3};
  Springs springs;
  Ledger ledger;
  Exchange exchange{world, springs, ledger, kGap};
  Vec3 velocity{3, -2, 1}, spin{0.5, -1, 2};  ///< at the origin [m/s], [rad/s]

  explicit Row(std::uint32_t granules) {
    world.add_shape("ball", std::make_shared<Ball>());
    world.add_material({"m", 3});
    world.group_names = {"row"};
    std::vector<BodySpec> bodies(granules);
    for (std::uint32_t k = 0; k < granules; ++k) {
      bodies[k].position = place(k);
      bodies[k].velocity = velocity_at(place(k));
      bodies[k].angular_velocity = spin;
      if (k > 0) springs.records.push_back({0, k - 1, k, 0, 0, 0, {1.0 * k}});
    }
    world.add(bodies);
  }
  static Vec3 place(Id granule) { return {1.0 * static_cast<double>(granule), 0, 0}; }
  Vec3 velocity_at(const Vec3& x) const { return velocity + spin.cross(x); }

  /// Stores these, and locks what they touch. \param apart  granules `apart - 1` and `apart` do not touch each other
  void cull(const Ids& store, Id apart = 0) {
    Granules granules;
    for (Id id = 0; id < 100; ++id)
      if (const auto row = world.row(id); row && world.radius.read()[*row] > 0) {
        granules.id.push_back(id);
        granules.row.push_back(static_cast<std::uint32_t>(*row));
        granules.owner.push_back(world.owner.read()[*row]);
      }
    Touching touching{std::vector<std::uint32_t>(granules.size() + 1, 0), {}, std::vector<char>(granules.size(), 0)};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
    std::vector<char> candidates;
    for (std::uint32_t k = 0; k < granules.size(); ++k) {
      candidates.push_back(has(store, granules.id[k]));
      if (k > 0 && granules.id[k] == granules.id[k - 1] + 1 && granules.id[k] != apart) pairs.emplace_back(k - 1, k);
    }
    touching.add(pairs);
    for (const Group& group : form_groups(world, ledger, granules, touching, candidates, {1, 1e-9}))
      exchange.lock(granules, group);
    std::erase_if(springs.records, [&](const HistoryRecord& r) { return owner_of(r.a) == owner_of(r.b); });
  }
  /// Returns the owner of a granule, stored granules included; its own id if it is free.
  Id owner_of(Id id) const {
    for (const auto& [owner, a] : ledger.aggregates)
      if (has(a.stored.ids(), id)) return owner;
    return world.owner.read()[*world.row(id)];
  }
};

/// Momenta of all that moves freely [kg m/s], and about the origin [kg m^2/s].
struct Momenta {
  Vec3 linear = Vec3::Zero(), angular = Vec3::Zero();
};
Momenta momenta(const World& world) {
  Momenta sum;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.owner.read()[i] != world.id.read()[i]) continue;
    const RigidBody part = part_of(world, i);
    sum.linear += part.mass * part.twist.velocity;
    sum.angular +=
        part.mass * part.frame.position.cross(part.twist.velocity) + inertia_tensor(part) * part.twist.angular_velocity;
  }
  return sum;
}

}  // namespace

TEST_CASE("an aggregate that is cut leaves pieces which go on with the motion there was, each about its own centre") {
  Row row(11);
  const Momenta before = momenta(row.world);
  row.cull({1, 2, 3, 4, 5, 6, 7, 8, 9});
  REQUIRE(row.ledger.aggregates.size() == 1);
  row.exchange.open(row.ledger.aggregates.begin()->first, Ids{5}, 2);
  REQUIRE(row.ledger.aggregates.size() == 2);
  std::vector<double> centres;
  for (const auto& [owner, a] : row.ledger.aggregates) {
    const RigidBody piece = part_of(row.world, *row.world.row(owner));
    centres.push_back(piece.frame.position.x());
    CHECK((piece.twist.velocity - row.velocity_at(piece.frame.position)).norm() < 1e-12);
    CHECK((piece.twist.angular_velocity - row.spin).norm() < 1e-12);
  }
  CHECK(centres[0] == Approx(2).epsilon(1e-14));
  CHECK(centres[1] == Approx(8).epsilon(1e-14));
  const Momenta after = momenta(row.world);
  CHECK((after.linear - before.linear).norm() < 1e-12 * before.linear.norm());
  CHECK((after.angular - before.angular).norm() < 1e-12 * before.angular.norm());
}

TEST_CASE("of two aggregates that become one both hang together as they did, and all comes back as it was") {
  Row row(10);
  row.cull({1, 2, 3, 6, 7, 8}, 5);  // 0 to 4, and 5 to 9
  REQUIRE(row.ledger.aggregates.size() == 2);
  row.cull({4, 5});
  REQUIRE(row.ledger.aggregates.size() == 1);
  const Aggregate& whole = row.ledger.aggregates.begin()->second;
  CHECK(whole.stored.ids() == Ids{1, 2, 3, 4, 5, 6, 7, 8});
  CHECK(whole.members == Ids{0, 9});
  const std::vector<Link> links = links_of(row.world, whole, kGap);
  REQUIRE(links.size() == 9);
  for (Id k = 0; k < 9; ++k) CHECK(links[k] == Link(k, k + 1));

  // 1 and 3 touched 2 and are bared, 0 touches nothing stored any more. What was the second aggregate stays.
  row.exchange.open(row.ledger.aggregates.begin()->first, Ids{2}, 2);
  REQUIRE(row.ledger.aggregates.size() == 1);
  const Aggregate& rest = row.ledger.aggregates.begin()->second;
  CHECK(rest.stored.ids() == Ids{4, 5, 6, 7, 8});
  CHECK(rest.members == Ids{3, 9});

  row.exchange.open(row.ledger.aggregates.begin()->first, Ids{3, 4, 5, 6, 7, 8, 9}, 2);
  CHECK(row.ledger.aggregates.empty());
  for (Id k = 0; k < 10; ++k) {
    const auto i = row.world.row(k);
    REQUIRE(i);
    CHECK((row.world.position.read()[*i] - Row::place(k)).norm() < 1e-13);
    CHECK((row.world.velocity.read()[*i] - row.velocity_at(Row::place(k))).norm() < 1e-12);
  }
  std::ranges::sort(row.springs.records, {}, &HistoryRecord::a);
  REQUIRE(row.springs.records.size() == 9);
  for (Id k = 0; k < 9; ++k) {
    CHECK(row.springs.records[k].a == k);
    CHECK(row.springs.records[k].b == k + 1);
    CHECK(row.springs.records[k].values == std::vector<double>{static_cast<double>(k + 1)});
  }
}
