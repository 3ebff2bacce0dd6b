#pragma once
/// \file Exact signed distances of solid obstacles in their body frame, and how their faces are curved. Pure, host and
/// device, templated on the scalar, without branches. Lengths in metres; < 0 inside the matter.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree::obstacles {

/// Distance [m], its gradient (unit), and the principal curvatures of the face at the nearest point [1/m], 0 on planes,
/// edges and corners.
template <class Real>
struct SolidDistance {
  Real d, gx, gy, gz, k1, k2;
};

/// By value, unlike std::max.
template <class Real>
SCREE_HD inline Real positive_part(Real q) {
  return q > 0 ? q : Real(0);
}

/// The point and the half-space below the origin along the unit normal n: d = n.x.
template <class Real>
SCREE_HD inline SolidDistance<Real> half_space_distance(Real x, Real y, Real z, Real nx, Real ny, Real nz) {
  return {x * nx + y * ny + z * nz, nx, ny, nz, Real(0), Real(0)};
}

/// The point and the ball of radius r about the origin: d = |x| - r. At the centre the gradient is e_x.
template <class Real>
SCREE_HD inline SolidDistance<Real> ball_distance(Real x, Real y, Real z, Real r) {
  const Real rho = std::sqrt(x * x + y * y + z * z);
  const bool centre = !(rho > 0);
  const Real inverse = 1 / (centre ? Real(1) : rho), k = 1 / r;
  return {rho - r, centre ? Real(1) : x * inverse, y * inverse, z * inverse, k, k};
}

/// The point and the solid box of half sizes h about the origin. With q = |x| - h: outside the length of the positive
/// part of q, which is the distance to a face, an edge or a corner; inside the largest component of q. Ties and the
/// centre go to x before y before z.
/// \source Hart, The Visual Computer 12 (1996) 527, appendix (box)
template <class Real>
SCREE_HD inline SolidDistance<Real> cuboid_distance(Real x, Real y, Real z, Real hx, Real hy, Real hz) {
  const Real qx = std::abs(x) - hx, qy = std::abs(y) - hy, qz = std::abs(z) - hz;
  const Real sx = x < 0 ? Real(-1) : Real(1), sy = y < 0 ? Real(-1) : Real(1), sz = z < 0 ? Real(-1) : Real(1);
  const Real px = positive_part(qx), py = positive_part(qy), pz = positive_part(qz);
  const Real out = std::sqrt(px * px + py * py + pz * pz);
  const bool outside = out > 0, x_side = qx >= qy && qx >= qz, y_side = !x_side && qy >= qz;
  const Real inverse = 1 / (outside ? out : Real(1));
  const Real ix = x_side ? Real(1) : Real(0), iy = y_side ? Real(1) : Real(0),
             iz = x_side || y_side ? Real(0) : Real(1);
  const Real inner = x_side ? qx : y_side ? qy : qz;
  return {outside ? out : inner,
          sx * (outside ? px * inverse : ix),
          sy * (outside ? py * inverse : iy),
          sz * (outside ? pz * inverse : iz),
          Real(0),
          Real(0)};
}

/// The point and the solid cylinder of radius r about the z axis, |z| <= h (h may be infinite). With q = (rho - r,
/// |z| - h): outside the length of the positive part of q: side, end or rim; inside the larger component. On the axis
/// the radial direction is e_x.
template <class Real>
SCREE_HD inline SolidDistance<Real> cylinder_distance(Real x, Real y, Real z, Real r, Real h) {
  const Real rho = std::sqrt(x * x + y * y);
  const bool axis = !(rho > 0);
  const Real inverse = 1 / (axis ? Real(1) : rho), ex = axis ? Real(1) : x * inverse, ey = axis ? Real(0) : y * inverse;
  const Real qr = rho - r, qz = std::abs(z) - h, sz = z < 0 ? Real(-1) : Real(1);
  const Real pr = positive_part(qr), pz = positive_part(qz);
  const Real out = std::sqrt(pr * pr + pz * pz);
  const bool outside = out > 0, side = qr >= qz;
  const Real scale = 1 / (outside ? out : Real(1));
  const Real along_r = outside ? pr * scale : side ? Real(1) : Real(0);
  const Real along_z = outside ? pz * scale : side ? Real(0) : Real(1);
  return {outside ? out : side ? qr : qz,      ex * along_r, ey * along_r, sz * along_z,
          side && !(pz > 0) ? 1 / r : Real(0), Real(0)};
}

/// The wall of a box container across one axis, at +half (side = 1) or -half (side = -1): d = half - side x.
template <class Real>
SCREE_HD inline Real container_wall_distance(Real x, Real half, Real side) {
  return half - side * x;
}

/// The complement: what was matter is free, and the reverse.
template <class Real>
SCREE_HD inline SolidDistance<Real> complement(SolidDistance<Real> s) {
  return {-s.d, -s.gx, -s.gy, -s.gz, -s.k1, -s.k2};
}

}  // namespace scree::obstacles
