#pragma once
/// \file Area and volume moments of unions of discs and of balls: what overlaps is counted once.

#include <span>

#include "scree/base/types.hpp"

namespace scree::spheres {

struct Disc {
  Vec2 centre{0, 0};  ///< [m]
  double radius = 0;  ///< [m]
};

/// Integrals over a plane figure of 1, x, y, x^2, y^2, x y [m^2, m^3, m^4].
struct PlaneMoments {
  double area = 0, x = 0, y = 0, xx = 0, yy = 0, xy = 0;
  PlaneMoments& operator+=(const PlaneMoments& other);
};

/// Exact to rounding: by Green's theorem along the arcs of the union's boundary, which are found circle by circle.
PlaneMoments disc_union(std::span<const Disc> discs);

struct Ball {
  Vec3 centre{0, 0, 0};  ///< [m]
  double radius = 0;     ///< [m]
};

/// Volume [m^3], centre [m] and inertia tensor about it, at density 1 [m^5].
struct VolumeMoments {
  double volume = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();
};

/// Cut into slices across z, each an exact union of discs, and integrated over z between the heights at which a ball,
/// the rim of two or the corner of three begins or ends: relative error below 1e-9 for up to kMostCorners balls, below
/// 1e-6 for more (their corners are not looked for).
VolumeMoments ball_union(std::span<const Ball> balls);

inline constexpr std::size_t kMostCorners = 40;

/// The union of discs times a thickness, centred on the plane z = 0.
VolumeMoments slab(std::span<const Disc> discs, double thickness);

}  // namespace scree::spheres
