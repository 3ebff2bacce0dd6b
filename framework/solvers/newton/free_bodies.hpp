#pragma once
/// \file What a step needs to know of the bodies of a World.

#include <cstdint>
#include <vector>

#include "solvers/newton/time_step.hpp"
#include "scree/world/world.hpp"

namespace scree::solvers {

/// Principal moments of bodies that are not driven and in which they differ, zero for others; empty where there are
/// none. \param driven  (bodies) nonzero: not an unknown
std::vector<Vec3> moments_that_differ(const World& world, std::span<const std::uint8_t> driven);

/// The columns behind BodyColumns. Driven bodies have masses, moments and radii of 1.
struct FreeBodies {
  FreeBodies(const World& world, std::span<const std::uint8_t> driven);
  BodyColumns columns() const { return {mass, moment, radius, moments}; }

  std::vector<double> mass, moment, radius;
  std::vector<Vec3> moments;
};

}  // namespace scree::solvers
