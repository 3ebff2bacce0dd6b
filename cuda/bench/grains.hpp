#pragma once
/// \file Spheres and clumps of them.

#include "bench/packing.hpp"

namespace scree::device {

inline constexpr double kGrainRadius = 1e-3, kGrainDensity = 2500;  ///< [m, kg/m3]
/// As in tests/bench/peers: soft grains [Pa, -], their time step [s], and a speed that takes 30 steps to half a skin of
/// 0.3 radii [m/s].
inline constexpr double kSoftModulus = 5e6, kSoftRatio = 0.3, kGrainStep = 1e-5, kGrainSpeed = 0.5;

/// By `sphere-sphere` and `hertz-mindlin`, a restitution of 0.5 and a friction of 0.5. Last, since it counts bodies.
/// \param modulus, ratio  Young's and Poisson's [Pa, -]
void meet_as_grains(Packing& p, double modulus, double ratio);

}  // namespace scree::device
