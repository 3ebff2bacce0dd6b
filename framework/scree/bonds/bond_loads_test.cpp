// What bonds carry of the weight that hangs on them.

#include "scree/bonds/bond_loads.hpp"

#include <memory>
#include <string>
#include <vector>

#include "catch.hpp"

using namespace scree;

namespace {

class Lump final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return 0.1; }
  Surface surface() const override { return {}; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
};

const Vec3 kGravity(1, -2, -9);
const std::vector<Vec3> kPlaces = {{0, 0, 0}, {1, 0.2, 0}, {2, 0, 0.5}, {2.5, 1, 0}, {2, 1, 1}, {5, 5, 5}, {6, 5, 5}};

/// Body 0 is fixed; of the others each weighs its number. \param order  of rows: the body of each
struct Lumps {
  World world{3};

  explicit Lumps(const std::vector<Id>& order = {0, 1, 2, 3, 4, 5, 6}) {
    const auto shape = world.add_shape("lump", std::make_shared<Lump>());
    std::vector<BodySpec> bodies;
    for (const Id id : order) {
      BodySpec body;
      body.id = id;
      body.shape = shape;
      body.material = world.add_material({"m" + std::to_string(id), id > 0 ? static_cast<double>(id) : 1});
      body.position = kPlaces[id];
      body.kind = id == 0 ? BodyKind::fixed : BodyKind::dynamic;
      bodies.push_back(body);
    }
    world.add(bodies);
  }
  /// Joined off the line between the two. \pre a < b
  void join(Id a, Id b) {
    const Vec3 branch = kPlaces[b] - kPlaces[a], joint = branch / 3 + Vec3(0, 0.1, 0.05);
    const Bonds::Spec spec{a, b, 0, 1, branch, Quat::Identity(), Quat::Identity(), joint};
    world.bonds().add({&spec, 1});
  }
  Vec3 joint(std::size_t bond) const { return kPlaces[world.bonds().a[bond]] + Vec3(world.bonds().joint[bond]); }
};

/// Returns the wrench of these bodies on the joint of a bond.
Wrench weights(const Lumps& lumps, std::size_t bond, const std::vector<Id>& bodies) {
  Wrench sum{};
  for (const Id id : bodies) {
    const Vec3 force = static_cast<double>(id) * kGravity;
    sum.force += force;
    sum.torque += (kPlaces[id] - lumps.joint(bond)).cross(force);
  }
  return sum;
}

bool same(const Wrench& a, const Wrench& b) {
  return (a.force - b.force).norm() < 1e-12 && (a.torque - b.torque).norm() < 1e-12;  // rounding
}

}  // namespace

TEST_CASE("a bond of a tree carries the weight and the moment of all that is beyond it") {
  Lumps lumps;
  lumps.join(2, 3), lumps.join(0, 2), lumps.join(1, 2), lumps.join(3, 4);
  const BondLoads found = bond_loads(lumps.world, kGravity);
  for (const Support support : found.support) CHECK(support == Support::root);
  CHECK(same(found.load[0], weights(lumps, 0, {3, 4})));
  CHECK(same(found.load[1], weights(lumps, 1, {1, 2, 3, 4})));
  const Wrench leaf = weights(lumps, 2, {1});  // on a's side
  CHECK(same(found.load[2], {-leaf.force, -leaf.torque}));
  CHECK(same(found.load[3], weights(lumps, 3, {4})));
}

TEST_CASE("loads have the same bits for any order of rows") {
  Lumps lumps, mixed({4, 6, 1, 0, 3, 5, 2});
  for (Lumps* each : {&lumps, &mixed}) each->join(2, 3), each->join(0, 2), each->join(1, 2), each->join(3, 4);
  const BondLoads found = bond_loads(lumps.world, kGravity), again = bond_loads(mixed.world, kGravity);
  for (std::size_t k = 0; k < 4; ++k) {
    CHECK(found.load[k].force == again.load[k].force);
    CHECK(found.load[k].torque == again.load[k].torque);
  }
}

TEST_CASE("a part without a root, with several or with a ring has no loads that statics tells") {
  Lumps free, held_twice, ring;
  free.join(5, 6), free.join(0, 1);
  CHECK(bond_loads(free.world, kGravity).support == std::vector{Support::nothing, Support::root});
  held_twice.join(0, 1), held_twice.join(1, 2), held_twice.join(0, 2);
  CHECK(bond_loads(held_twice.world, kGravity).support == std::vector(3, Support::several));
  ring.join(0, 1), ring.join(1, 2), ring.join(2, 3), ring.join(1, 3), ring.join(3, 4);
  const BondLoads found = bond_loads(ring.world, kGravity);
  CHECK(found.support == std::vector(5, Support::ring));
  for (const Wrench& load : found.load) CHECK(same(load, Wrench{}));
}

TEST_CASE("bonds that broke carry nothing and join nothing") {
  Lumps lumps;
  lumps.join(0, 1), lumps.join(1, 2), lumps.join(2, 3), lumps.join(1, 3);
  const std::uint32_t broken = 3;
  lumps.world.bonds().break_bonds({&broken, 1}, 0);
  const BondLoads found = bond_loads(lumps.world, kGravity);
  CHECK(found.support[2] == Support::root);
  CHECK(same(found.load[2], weights(lumps, 2, {3})));
  CHECK(same(found.load[3], Wrench{}));
}
