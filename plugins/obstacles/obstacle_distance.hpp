#pragma once
/// \file Exact signed distances of plane obstacles in their body frame. Pure, host and device, templated on the scalar,
/// without branches: loops over points vectorise. Lengths in metres; < 0 inside the matter.

#include <cmath>
#include <limits>

#include "scree/base/api.hpp"

namespace scree::obstacles {

/// Distance [m] and its gradient: the unit vector along which the distance grows fastest.
template <class Real>
struct Distance {
  Real d, gx, gy;
};

/// The point (x, y) and the half-plane below the origin along the unit normal (nx, ny): d = n.x.
template <class Real>
SCREE_HD inline Distance<Real> half_plane_distance(Real x, Real y, Real nx, Real ny) {
  return {x * nx + y * ny, nx, ny};
}

/// The point and the solid circle of radius r about the origin: d = |x| - r. At the centre the gradient is e_x.
template <class Real>
SCREE_HD inline Distance<Real> circle_distance(Real x, Real y, Real r) {
  const Real rho = std::sqrt(x * x + y * y);
  const bool centre = !(rho > 0);
  const Real inverse = 1 / (centre ? Real(1) : rho);
  return {rho - r, centre ? Real(1) : x * inverse, y * inverse};
}

/// The point and the solid box of half sizes (hx, hy) about the origin. With q = |x| - h: outside the length of the
/// positive part of q, inside the larger component of q. Ties and the centre go to the x side.
/// \source Hart, The Visual Computer 12 (1996) 527, appendix (box)
template <class Real>
SCREE_HD inline Distance<Real> box_distance(Real x, Real y, Real hx, Real hy) {
  const Real qx = std::abs(x) - hx, qy = std::abs(y) - hy;
  const Real sx = x < 0 ? Real(-1) : Real(1), sy = y < 0 ? Real(-1) : Real(1);
  const Real px = qx > 0 ? qx : Real(0), py = qy > 0 ? qy : Real(0);
  const Real out = std::sqrt(px * px + py * py);
  const bool outside = out > 0, x_side = qx >= qy;
  const Real inverse = 1 / (outside ? out : Real(1));
  const Real ix = x_side ? Real(1) : Real(0), iy = x_side ? Real(0) : Real(1);
  return {outside ? out : (x_side ? qx : qy), sx * (outside ? px * inverse : ix), sy * (outside ? py * inverse : iy)};
}

/// The complement: what was matter is free, and the reverse.
template <class Real>
SCREE_HD inline Distance<Real> complement(Distance<Real> s) {
  return {-s.d, -s.gx, -s.gy};
}

}  // namespace scree::obstacles
