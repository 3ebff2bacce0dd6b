#pragma once
/// \file Polar formulas of the detector: pseudo-angle, lookup of r and r', a node inside an outline. Pure, host and
/// device, templated on the scalar; no branches, so that loops over them vectorise.

#include <cmath>

#include "scree/base/api.hpp"
#include "scree/shape/radial_distance.hpp"

namespace scree::star {

/// Pseudo-angle ("diamond angle") of a direction: grows with the polar angle from 0 to 4 over a turn, 1 per quadrant,
/// and costs one division. The origin gives 1.
/// \return q in [0, 4]; 0 and 4 are the same direction
template <class Real>
SCREE_HD inline Real pseudo_angle(Real x, Real y) {
  using std::abs;
  const Real length = abs(x) + abs(y);
  const Real u = x / (length > Real(1e-30) ? length : Real(1e-30));
  return y < 0 ? Real(3) + u : Real(1) - u;
}

/// The polar angle [rad] of a pseudo-angle in [0, 4].
inline double polar_angle(double q) {
  const double u = q <= 2 ? 1 - q : q - 3;
  const double y = 1 - std::abs(u);
  return std::atan2(q <= 2 ? y : -y, u);
}

/// r [m] and dr/dtheta [m/rad] in one direction.
template <class Real>
struct alignas(2 * sizeof(Real)) RadialSample {
  Real r, slope;
};

/// Linear interpolation in a table over pseudo-angle. Error r'' h^2/8 with h = 4/cells.
/// \param table           cells + 2 samples at q = 4 i / cells, the last two repeating the first two
/// \param cells_per_unit  cells / 4
template <class Real>
SCREE_HD inline RadialSample<Real> lookup(const RadialSample<Real>* table, Real cells_per_unit, Real q) {
  const Real position = q * cells_per_unit;
  const int cell = static_cast<int>(position);
  const Real t = position - static_cast<Real>(cell);
  const RadialSample<Real> low = table[cell], high = table[cell + 1];
  return {low.r + t * (high.r - low.r), low.slope + t * (high.slope - low.slope)};
}

/// Cells of single-precision tables, over all directions.
inline constexpr int kFloatCells = 4096;
inline constexpr float kFloatCellsPerUnit = kFloatCells / 4.0f;

/// One cell of such a table: r = value + slope t, t in [0, 1) over the cell.
struct alignas(8) FloatCell {
  float value, slope;

  SCREE_HD float radius(float t) const { return value + t * slope; }
  /// r'/rho in a direction. \param inverse  of |x| + |y|
  SCREE_HD float steepness(float, float rho, float inverse, float) const {
    return slope * kFloatCellsPerUnit * rho * inverse * inverse;
  }
};
/// With the table's own slope: twice as large, and of corners it tells much better how steep they are.
struct alignas(16) SteepCell {
  float value, rise;  ///< r = value + rise t [m]
  float slope, bend;  ///< r' = slope + bend t [m/rad]

  SCREE_HD float radius(float t) const { return value + t * rise; }
  SCREE_HD float steepness(float t, float, float, float inverse_rho) const { return (slope + t * bend) * inverse_rho; }
};

/// 1/x and 1/sqrt(x), x > 0: on devices by instructions that are off by two units in the last place at most.
SCREE_HD inline float coarse_inverse(float x) {
#if defined(__CUDA_ARCH__)
  return __fdividef(1.0f, x);
#else
  return 1.0f / x;
#endif
}
SCREE_HD inline float coarse_inverse_root(float x) {
#if defined(__CUDA_ARCH__)
  return rsqrtf(x);
#else
  return 1.0f / std::sqrt(x);
#endif
}

/// A point against an outline in single precision, without Taubin's guard.
struct CoarseHit {
  float r, rho;  ///< radius of the outline in the point's direction; distance of the point [m]
  float depth;   ///< [m]
};

/// \param cells  kFloatCells + 1
template <class Cell>
SCREE_HD inline CoarseHit coarse_hit(const Cell* cells, float x, float y) {
  const float length = std::abs(x) + std::abs(y), inverse = coarse_inverse(length > 1e-30f ? length : 1e-30f);
  const float u = x * inverse, q = y < 0 ? 3.0f + u : 1.0f - u;
  const float position = q * kFloatCellsPerUnit;
  const int cell = static_cast<int>(position);
  const float t = position - static_cast<float>(cell);
  const Cell c = cells[cell];
  const float r = c.radius(t);
  const float square = x * x + y * y, inverse_rho = coarse_inverse_root(square > 1e-30f ? square : 1e-30f);
  const float rho = square * inverse_rho, s = c.steepness(t, rho, inverse, inverse_rho);
  return {r, rho, (r - rho) * coarse_inverse_root(1.0f + s * s)};
}

/// Centre of an outline and rotation from its frame to the world.
struct PlanarPose {
  double x, y, c, s;
};

/// Pose of the outline of a body in the plane: rotation from the z part of its quaternion.
/// \param x, y  position of the body [m]
/// \param w, z  components of its quaternion
/// \param centre_x, centre_y  centre of the outline in the body frame [m]
SCREE_HD inline PlanarPose planar_pose(double x, double y, double w, double z, double centre_x, double centre_y) {
  const double c = w * w - z * z, s = 2 * (w * z);
  return {x + (c * centre_x - s * centre_y), y + (s * centre_x + c * centre_y), c, s};
}

/// Pose of body o's outline in the frame of body p's: point = (x, y) + rotation (c, s) * node.
struct RelativePose {
  double x, y, c, s;
};

/// Exchanging o and p gives exactly the inverse rotation, bit by bit.
SCREE_HD inline RelativePose relative_pose(const PlanarPose& o, const PlanarPose& p) {
  const double dx = o.x - p.x, dy = o.y - p.y;
  return {p.c * dx + p.s * dy, p.c * dy - p.s * dx, o.c * p.c + o.s * p.s, o.s * p.c - o.c * p.s};
}

template <class Real>
struct alignas(2 * sizeof(Real)) PlanarPoint {
  Real x, y;
};

SCREE_HD inline PlanarPoint<double> transform(const RelativePose& pose, double x, double y) {
  return {pose.x + (pose.c * x - pose.s * y), pose.y + (pose.s * x + pose.c * y)};
}

/// Sizes of the body that a point belongs to and of the one that it is seen from, relative to their shapes.
struct Sizes {
  double own = 1, other = 1;
};

/// Transforms a point of one shape into the other's frame: bodies have their sizes, shapes and their tables keep
/// theirs.
/// \param pose  pose of the point's body in the frame of the other [m]
/// \param x, y  point of the shape [m]
SCREE_HD inline PlanarPoint<double> transform(const RelativePose& pose, const Sizes& size, double x, double y) {
  const PlanarPoint<double> p = transform(pose, size.own * x, size.own * y);
  return {p.x / size.other, p.y / size.other};
}

/// A point against an outline, in the outline's frame.
struct PointHit {
  double depth;   ///< [m], > 0 inside
  double nx, ny;  ///< unit outward normal of the outline
  double rho;     ///< distance from the outline's centre [m]
};

SCREE_HD inline PointHit point_hit(double x, double y, const RadialSample<double>& sample) {
  using std::sqrt;
  const double rho = sqrt(x * x + y * y);
  const RadialDistance<double> d = taubin_distance(rho, sample.r, sample.slope);
  const double inverse = 1 / (rho > 1e-30 ? rho : 1e-30);
  const double ex = x * inverse, ey = y * inverse;
  return {-d.distance, d.along_e_r * ex - d.along_e_th * ey, d.along_e_r * ey + d.along_e_th * ex, rho};
}

}  // namespace scree::star
