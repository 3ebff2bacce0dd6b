#include "solvers/newton/free_bodies.hpp"

#include "solvers/newton/rotation_inertia.hpp"

namespace scree::solvers {

std::vector<Vec3> moments_that_differ(const World& world, std::span<const std::uint8_t> driven) {
  std::vector<Vec3> moments;
  if (world.dimension() == 2) return moments;
  const auto inertia = world.inertia.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (driven[i] || !unequal<double>(inertia[i])) continue;
    moments.resize(world.size(), Vec3::Zero());
    moments[i] = inertia[i];
  }
  return moments;
}

FreeBodies::FreeBodies(const World& world, std::span<const std::uint8_t> driven)
    : mass(world.size(), 1),
      moment(world.size(), 1),
      radius(world.size(), 1),
      moments(moments_that_differ(world, driven)) {
  const auto inertia = world.inertia.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (driven[i]) continue;
    mass[i] = world.mass.read()[i];
    moment[i] = inertia[i][2];
    radius[i] = world.radius.read()[i];
  }
}

}  // namespace scree::solvers
