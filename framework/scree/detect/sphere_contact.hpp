#pragma once
/// \file Contacts of spheres with each other and with faces of obstacles. Pure formulas, host and device, templated on
/// the scalar, without branches: loops over pairs vectorise. Lengths in metres; in 2D a sphere is a disc and z = 0.

#include <cmath>

#include "scree/base/api.hpp"

namespace scree {

/// Contact by components. Overlap d > 0 if the two touch; unit normal n from a to b. The point is in the middle of the
/// overlap. R* is the radius of curvature of the gap between the two.
template <class Real>
struct SphereContact {
  Real overlap, nx, ny, nz, px, py, pz, effective_radius;
};

/// Squared distance of the centres up to which two spheres are in contact: (r_a + r_b + margin)^2 [m^2].
template <class Real>
SCREE_HD inline Real squared_reach(Real ra, Real rb, Real margin) {
  const Real reach = ra + rb + margin;
  return reach * reach;
}

/// Returns R* = r_a r_b / (r_a + r_b).
/// \source Hertz 1882; K. L. Johnson, Contact Mechanics (1985), eq. (4.1)
template <class Real>
SCREE_HD inline Real effective_radius(Real ra, Real rb) {
  return ra * rb / (ra + rb);
}

/// Returns the distance from a sphere's centre to the middle of the overlap: r - d/2.
template <class Real>
SCREE_HD inline Real lever_arm(Real r, Real overlap) {
  return r - overlap / 2;
}

/// Returns the contact of two spheres: d = r_a + r_b - |x_b - x_a|, n = (x_b - x_a)/|x_b - x_a|, point x_a + n (r_a -
/// d/2).
/// \param x, y, z  centre of a [m]  \param dx, dy, dz  from there to the centre of b [m], not all 0
template <class Real>
SCREE_HD inline SphereContact<Real> sphere_sphere(Real x, Real y, Real z, Real ra, Real dx, Real dy, Real dz, Real rb) {
  const Real distance = std::sqrt(dx * dx + dy * dy + dz * dz);
  const Real inverse = 1 / distance, overlap = ra + rb - distance;
  const Real nx = dx * inverse, ny = dy * inverse, nz = dz * inverse, arm = lever_arm(ra, overlap);
  return {overlap, nx, ny, nz, x + arm * nx, y + arm * ny, z + arm * nz, effective_radius(ra, rb)};
}

/// Returns R* of a sphere of radius r on a face of principal curvatures k1, k2: 1/R* = sqrt((1/r + k1)(1/r + k2)), the
/// geometric mean of the two relative curvatures. Exact on planes (R* = r) and on and in spheres (1/R* = 1/r + k). On
/// cylinders the contact is an ellipse, and this is its equivalent radius (R' R'')^(1/2). Its normal compliance is off
/// by 2.5 % for R'/R'' = 3, and less below.
/// \source K. L. Johnson, Contact Mechanics (1985), sec. 4.2, "equivalent radius" R_e
/// \return r if the face is curved more tightly than the sphere (1/r + k <= 0), so that the two touch along a ring
template <class Real>
SCREE_HD inline Real effective_radius_on_face(Real r, Real k1, Real k2) {
  const Real c1 = 1 / r + k1, c2 = 1 / r + k2;
  const bool fits = c1 > 0 && c2 > 0;
  return fits ? 1 / std::sqrt((fits ? c1 : 1) * (fits ? c2 : 1)) : r;
}

/// Returns the contact of a sphere with a face: d = r - distance, n = -g (into the matter), point x + n (r - d/2). The
/// sphere of radius r is at x, at the signed distance `distance` from a face whose outward normal is g.
template <class Real>
SCREE_HD inline SphereContact<Real> sphere_face(Real x, Real y, Real z, Real r, Real distance, Real gx, Real gy,
                                                Real gz, Real k1, Real k2) {
  const Real overlap = r - distance, arm = lever_arm(r, overlap);
  return {overlap, -gx, -gy, -gz, x - arm * gx, y - arm * gy, z - arm * gz, effective_radius_on_face(r, k1, k2)};
}

}  // namespace scree
