#pragma once
/// \file Volume and moments of rods and capsules of length 2h and radius r, at density 1. Pure formulas.

#include <numbers>

#include "scree/base/api.hpp"

namespace scree::rods {

/// Moments of one body: volume [m^3], moments [m^5] about the axis and about lines across it through the middle.
struct SlenderMoments {
  double volume, about_axis, across;
};

/// A cylinder.
SCREE_HD inline SlenderMoments cylinder_moments(double h, double r) {
  const double v = 2 * std::numbers::pi * r * r * h;
  return {v, v * r * r / 2, v * (r * r / 4 + h * h / 3)};
}

/// A cylinder between two half-spheres.
SCREE_HD inline SlenderMoments capsule_moments(double h, double r) {
  const SlenderMoments middle = cylinder_moments(h, r);
  const double v = 4 * std::numbers::pi / 3 * r * r * r;
  return {middle.volume + v, middle.about_axis + 0.4 * v * r * r,
          middle.across + v * (0.4 * r * r + h * h + 0.75 * h * r)};
}

/// In the plane: area [m^2], and second moments [m^4] of y^2 and x^2, with the length along x.
struct PlaneMoments {
  double area, yy, xx;
};

SCREE_HD inline PlaneMoments rectangle_moments(double h, double r) {
  const double area = 4 * h * r;
  return {area, area * r * r / 3, area * h * h / 3};
}

/// A rectangle between two half-discs, whose centroids lie 4r/(3 pi) from their straight sides.
SCREE_HD inline PlaneMoments stadium_moments(double h, double r) {
  const PlaneMoments middle = rectangle_moments(h, r);
  const double area = std::numbers::pi * r * r;
  return {middle.area + area, middle.yy + area * r * r / 4,
          middle.xx + area * (r * r / 4 + h * h) + 8.0 / 3 * h * r * r * r};
}

}  // namespace scree::rods
