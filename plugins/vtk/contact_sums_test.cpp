#include "contact_sums.hpp"

#include <numbers>

#include "catch.hpp"
#include "test_shapes.hpp"

namespace scree::vtk {

namespace {

/// Three blobs of one shape in a row along x, and a floor.
struct Blobs {
  World world{2};
  Blobs() {
    world.add_shape("blob", std::make_shared<test::Blob>(0.01, 5));
    world.add_shape("floor", std::make_shared<test::Floor>());
    world.add_material({"plastic", 1000});
    world.group_names = {"all"};
    std::vector<BodySpec> bodies(4);
    for (int k = 0; k < 3; ++k) bodies[static_cast<std::size_t>(k)].position = {0.02 * k, 0, 0};
    bodies[3].shape = 1, bodies[3].kind = BodyKind::fixed;
    world.add(bodies);
  }
};

ContactRecord contact(Id a, Id b, const Vec3& point, const Vec3& force, std::uint32_t feature = 0) {
  return {a, b, 0, feature, 0.001, Vec3::UnitX(), point, force};
}

}  // namespace

TEST_CASE("the middle of a row that is pressed has the stress of the force over its cross-section") {
  const Blobs blobs;
  const World& world = blobs.world;
  const ContactSums sums =
      contact_sums(world, {contact(0, 1, {0.01, 0, 0}, {5, 0, 0}), contact(1, 2, {0.03, 0, 0}, {5, 0, 0})});
  const double volume = world.mass[1] / 1000;
  CHECK(sums.stress[1](0, 0) == Approx(5 * 0.02 / volume).epsilon(1e-14));
  CHECK(sums.stress[1](1, 1) == 0);
  CHECK(sums.stress[0](0, 0) == Approx(5 * 0.01 / volume).epsilon(1e-14));
  CHECK(sums.stress[3].isZero(0));  // a wall has no mass
  CHECK(pressure_of(sums.stress[1], 2) == Approx(5 * 0.01 / volume).epsilon(1e-14));
  CHECK(sums.coordination == std::vector<std::uint32_t>{1, 2, 1, 0});
}

TEST_CASE("the first index of the stress is that of the force, and without torque it is symmetric") {
  const Blobs blobs;
  const World& world = blobs.world;
  const double volume = world.mass[1] / 1000;
  // A couple of shear forces, held by another couple.
  const ContactSums one = contact_sums(world, {contact(1, 2, {0.03, 0, 0}, {0, 4, 0})});
  CHECK(one.stress[1](1, 0) == Approx(4 * 0.01 / volume).epsilon(1e-14));
  CHECK(one.stress[1](0, 1) == 0);
  const ContactSums held =
      contact_sums(world, {contact(1, 2, {0.03, 0, 0}, {0, 4, 0}), contact(1, 3, {0.02, 0.01, 0}, {4, 0, 0})});
  CHECK(held.stress[1](1, 0) == Approx(held.stress[1](0, 1)).epsilon(1e-14));
}

TEST_CASE("several contacts of a pair count as one body touched, images and what only pulls as others, gaps as none") {
  Blobs blobs;
  World& world = blobs.world;
  world.cell = {{0, -1, 0}, {0.06, 0, 0}};
  ContactRecord gap = contact(0, 1, {0.01, 0, 0}, Vec3::Zero(), 2), pull = contact(1, 2, {0.03, 0, 0}, {-1, 0, 0});
  gap.overlap = pull.overlap = -0.001;
  ContactRecord around = contact(0, 2, {-0.01, 0, 0}, {-3, 0, 0});
  around.image = packed({-1, 0, 0});
  const ContactSums sums = contact_sums(world, {contact(0, 1, {0.01, 0, 0}, {1, 0, 0}),
                                                contact(0, 1, {0.01, 0.001, 0}, {1, 0, 0}, 1), gap, around, pull});
  CHECK(sums.coordination == std::vector<std::uint32_t>{2, 2, 2, 0});
  // The image of body 2 stands at -0.02 m: its point is 0.01 m to the right of it, and the force pushes it to the left.
  const double volume = world.mass[2] / 1000;
  CHECK(sums.stress[2](0, 0) == Approx((3 * 0.01 - 1 * 0.01) / volume).epsilon(1e-13));
}

}  // namespace scree::vtk
