#pragma once
/// \file Bodies that no integrator may move by forces: fixed, prescribed, and members of an owner.

#include <cmath>

#include "catch.hpp"
#include "force_field.hpp"

namespace scree::test {

/// A second of 100 steps: the fixed body stays, the prescribed one is where its motion says, the member follows its
/// owner, whatever pushes them.
inline void check_bodies_that_are_not_free(Integrator& integrator) {
  Stage stage(2);
  BodySpec fixed;
  fixed.kind = BodyKind::fixed;
  BodySpec mover;
  mover.kind = BodyKind::prescribed;
  mover.position = {1, 0, 0};
  mover.motions = {Motion{}};
  mover.motions[0].angular_velocity = {0, 0, 2};
  stage.add(fixed);
  stage.add(mover);
  BodySpec rider;
  rider.owner = stage.add(moving({1, 0, 0}));
  rider.position = {0, 1, 0};
  stage.add(rider);
  Field field(stage.world, [](const World&, std::size_t i) { return Wrench{{i < 2 ? 5.0 : 0.0, 0, 0}, {0, 0, 1}}; });
  stage.run(integrator, field, 0.01, 100);
  const auto x = stage.world.position.read();
  CHECK(x[0] == Vec3::Zero());
  CHECK((x[1] - Vec3(std::cos(2.0), std::sin(2.0), 0)).norm() < 1e-14);  // rounding
  CHECK((stage.world.velocity.read()[1] - 2 * Vec3(-std::sin(2.0), std::cos(2.0), 0)).norm() < 1e-14);
  const Quat q = stage.world.orientation.read()[2];
  CHECK((x[3] - (x[2] + q * Vec3(0, 1, 0))).norm() < 1e-14);
  CHECK(stage.world.angular_velocity.read()[3] == stage.world.angular_velocity.read()[2]);
}

}  // namespace scree::test
