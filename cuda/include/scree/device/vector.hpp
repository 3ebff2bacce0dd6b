#pragma once
/// \file Vectors and quaternions of kernels: plain data, with the operations that formulas of the core ask for.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree::device {

template <class Real>
struct Vector {
  Real x, y, z;
};

template <class Real>
SCREE_HD inline Vector<Real> operator+(const Vector<Real>& v, const Vector<Real>& w) {
  return {v.x + w.x, v.y + w.y, v.z + w.z};
}
template <class Real>
SCREE_HD inline Vector<Real> operator-(const Vector<Real>& v, const Vector<Real>& w) {
  return {v.x - w.x, v.y - w.y, v.z - w.z};
}
template <class Real>
SCREE_HD inline Vector<Real> operator*(Real s, const Vector<Real>& v) {
  return {s * v.x, s * v.y, s * v.z};
}
template <class Real>
SCREE_HD inline Real dot(const Vector<Real>& v, const Vector<Real>& w) {
  return v.x * w.x + v.y * w.y + v.z * w.z;
}
template <class Real>
SCREE_HD inline Vector<Real> cross(const Vector<Real>& v, const Vector<Real>& w) {
  return {v.y * w.z - v.z * w.y, v.z * w.x - v.x * w.z, v.x * w.y - v.y * w.x};
}
template <class Real>
SCREE_HD inline Real length(const Vector<Real>& v) {
  return std::sqrt(dot(v, v));
}

/// In memory as the core's Quat: x, y, z, w.
template <class Real>
struct Quaternion {
  Real x, y, z, w;
};

/// v turned by the unit quaternion q: v + 2 w (u x v) + 2 u x (u x v).
template <class Real>
SCREE_HD inline Vector<Real> turned(const Quaternion<Real>& q, const Vector<Real>& v) {
  const Vector<Real> u{q.x, q.y, q.z}, once = Real(2) * cross(u, v);
  return v + q.w * once + cross(u, once);
}
template <class Real>
SCREE_HD inline Quaternion<Real> inverse(const Quaternion<Real>& q) {
  return {-q.x, -q.y, -q.z, q.w};
}

using Vector3d = Vector<double>;
using Quaterniond = Quaternion<double>;

}  // namespace scree::device
