#pragma once
/// \file Lucy's kernel: how a grain's mass is spread about its centre.

namespace scree::fields {

/// Returns Lucy's kernel up to its factor: (1 + 3 r/c)(1 - r/c)^3 within the radius c, 0 beyond [-]. Its first and
/// second derivatives go to 0 at c.
/// \param r  distance over the radius of the kernel, 0 to 1 [-]
/// \source L. B. Lucy, Astronomical Journal 82 (1977) 1013
inline double lucy(double r) {
  const double rest = 1 - r;
  return (1 + 3 * r) * rest * rest * rest;
}

/// Returns the radius of Lucy's kernel over its width, which is its standard deviation along an axis [-]: the variance
/// is c^2/12 in 3D, 5 c^2/56 in 2D.
inline double radius_over_width(int dimension) {
  return dimension == 2 ? 3.3466401061363023 : 3.4641016151377544;  // sqrt(56/5), sqrt(12)
}

}  // namespace scree::fields
