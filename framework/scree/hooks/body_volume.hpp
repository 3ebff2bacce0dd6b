#pragma once
/// \file Volumes of bodies, from their mass.

#include <cstdint>

#include "scree/hooks/stored_bodies.hpp"
#include "scree/world/world.hpp"

namespace scree {

/// Returns the volume of a mass of a material [m^3]; 0 where it has no density.
inline double volume_of(const World& world, std::uint32_t material, double mass) {
  const double density = world.materials()[material].density;
  return density > 0 ? mass / density : 0;
}

/// Returns the volume of a body [m^3]. In 2D it is that of a body 1 m thick.
inline double volume_of(const World& world, const BodyState& state) {
  return volume_of(world, state.material, state.rigid.mass);
}

}  // namespace scree
