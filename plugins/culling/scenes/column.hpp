#pragma once
/// \file A column of grains at rest in a tube.

#include "scenes_of_granules.hpp"

namespace scree::culling::test {

inline constexpr double kSettled = 1;  // [s]

/// 8 d across and about 7 d high, brought to rest by stopping all grains again and again; the hook begins then.
/// \param culling  its options besides those that make it take what is solid now
inline Running settled_column(const std::string& culling, GranularScene scene = {}) {
  scene.packing =
      R"({"type": "random-close", "centre": [0, 0, 0.058], "semi_axes": [0.033, 0.033, 0.06], "floor": 0.006, "diameter": 0.01})";
  scene.more_bodies = R"(, {"name": "floor", "shape": "floor", "material": "w", "fixed": true},
         {"name": "tube", "shape": "tube", "material": "w", "fixed": true})";
  scene.culling =
      culling +
      fmt::format(
          R"(, "bodies": ["grains"], "start": {}, "smallest_group": 10, "held_at_start": false, "hold_time": 0)",
          kSettled);
  Running run(scene.text());
  run_for(run, kSettled / 2);
  for (int stop = 0; stop < 50; ++stop) {
    World& world = run.world();
    std::ranges::fill(world.velocity.write(), Vec3::Zero());
    std::ranges::fill(world.angular_velocity.write(), Vec3::Zero());
    run_for(run, kSettled / 100);
  }
  return run;
}

/// Centre of mass of all that moves [m].
inline Vec3 centre_of_mass(const World& world) {
  Vec3 sum = Vec3::Zero();
  double mass = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (world.inverse_mass.read()[i] == 0) continue;
    mass += world.mass.read()[i];
    sum += world.mass.read()[i] * world.position.read()[i];
  }
  return sum / mass;
}

/// A body that is no granule, just above the highest grain, with this velocity.
inline void throw_in(Running& run, const std::string& shape, double velocity) {
  World& world = run.world();
  double top = 0;
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group.read()[i] == 0) top = std::max(top, world.position.read()[i].z());
  BodySpec ball;
  for (std::uint32_t s = 0; s < world.shapes().size(); ++s)
    if (world.shapes()[s].name == shape) ball.shape = s;
  ball.group = 1;
  ball.position = {0, 0, top + 0.0001 + 0.005 + world.shapes()[ball.shape].shape->bounding_radius()};
  ball.velocity = {0, 0, velocity};
  world.add(std::vector{ball});
  run.prepared.methods.integrator->edited(world, world.take_edits());
  mechanics_of(run.prepared).refresh();
}

}  // namespace scree::culling::test
