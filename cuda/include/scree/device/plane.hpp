#pragma once
/// \file Vectors of the plane, for formulas that hold in space too: what is zero there is not worked out.

#include <cstdint>

#include "scree/device/vector.hpp"

namespace scree::device {

/// Within the plane.
struct VectorWithin {
  double x, y;
};
/// Across the plane.
struct VectorAcross {
  double z;
};
/// What is zero of either kind, and its products.
struct NoVector {};

SCREE_HD inline VectorWithin operator+(VectorWithin v, VectorWithin w) { return {v.x + w.x, v.y + w.y}; }
SCREE_HD inline VectorWithin operator-(VectorWithin v, VectorWithin w) { return {v.x - w.x, v.y - w.y}; }
SCREE_HD inline VectorWithin operator*(double s, VectorWithin v) { return {s * v.x, s * v.y}; }
SCREE_HD inline VectorAcross operator+(VectorAcross v, VectorAcross w) { return {v.z + w.z}; }
SCREE_HD inline VectorAcross operator-(VectorAcross v, VectorAcross w) { return {v.z - w.z}; }
SCREE_HD inline VectorAcross operator*(double s, VectorAcross v) { return {s * v.z}; }
SCREE_HD inline VectorAcross operator+(VectorAcross v, NoVector) { return v; }
SCREE_HD inline NoVector operator*(double, NoVector) { return {}; }
SCREE_HD inline NoVector operator*(NoVector, VectorWithin) { return {}; }

SCREE_HD inline NoVector dot(VectorWithin, VectorAcross) { return {}; }
SCREE_HD inline NoVector cross(VectorAcross, VectorAcross) { return {}; }
SCREE_HD inline VectorAcross cross(VectorWithin v, VectorWithin w) { return {v.x * w.y - v.y * w.x}; }
SCREE_HD inline VectorWithin cross(VectorAcross v, VectorWithin w) { return {-(v.z * w.y), v.z * w.x}; }
SCREE_HD inline VectorWithin cross(VectorWithin v, VectorAcross w) { return {v.y * w.z, -(v.x * w.z)}; }

/// Which vectors a kernel works with: those of space.
struct InSpace {
  static constexpr bool kPlanar = false;
  using Columns = double* const[3];
  static SCREE_HD Vector3d within(const Vector3d& v) { return v; }
  static SCREE_HD Vector3d across(const Vector3d& v) { return v; }
  static SCREE_HD Vector3d within(Columns& c, std::uint32_t at) { return {c[0][at], c[1][at], c[2][at]}; }
  static SCREE_HD Vector3d across(Columns& c, std::uint32_t at) { return within(c, at); }
};
/// Or those of the plane, where all bodies are in it.
struct InPlane {
  static constexpr bool kPlanar = true;
  using Columns = double* const[3];
  static SCREE_HD VectorWithin within(const Vector3d& v) { return {v.x, v.y}; }
  static SCREE_HD VectorAcross across(const Vector3d& v) { return {v.z}; }
  static SCREE_HD VectorWithin within(Columns& c, std::uint32_t at) { return {c[0][at], c[1][at]}; }
  static SCREE_HD VectorAcross across(Columns& c, std::uint32_t at) { return {c[2][at]}; }
};
SCREE_HD inline Vector3d spatial(const Vector3d& v) { return v; }
SCREE_HD inline Vector3d spatial(VectorWithin v) { return {v.x, v.y, 0}; }
SCREE_HD inline Vector3d spatial(VectorAcross v) { return {0, 0, v.z}; }

}  // namespace scree::device
