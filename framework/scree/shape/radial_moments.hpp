#pragma once
/// \file Volume, centre and inertia of a body given by its radius in every direction.

#include <functional>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// At density 1, lengths in the unit of the radius.
struct RadialMoments {
  double volume = 0;
  Vec3 centre = Vec3::Zero();
  Mat3 inertia = Mat3::Zero();  ///< about that centre
};

/// V = 1/3 oint r^3, V C = 1/4 oint r^4 w, second moments 1/5 oint r^5 w w^T over all directions w. The rule is that of
/// Gauss and Legendre along z times the trapezoid rule about it, which converge faster than any power for smooth
/// bodies. The number of samples doubles until nothing changes by more than 1e-12, or 500,000 were taken.
SCREE_API RadialMoments radial_moments(const std::function<double(const Vec3&)>& radius);

}  // namespace scree
