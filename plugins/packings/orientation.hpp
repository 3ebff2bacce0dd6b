#pragma once
/// \file Orientations as users write them.

#include <fmt/format.h>

#include <cmath>
#include <string>

#include "scree/base/types.hpp"

namespace scree::packings {

/// \param angle  about z [rad]
inline Quat about_z(double angle) { return Quat(std::cos(angle / 2), 0, 0, std::sin(angle / 2)); }

/// The unit quaternion along (w, x, y, z). \param error  makes the exception to throw when it has no direction
template <class MakeError>
Quat unit_quaternion(double w, double x, double y, double z, const MakeError& error) {
  const Quat q(w, x, y, z);
  if (!(q.norm() > 1e-3))
    throw error(
        fmt::format("quaternion [{}, {}, {}, {}] has length {:.3g}; an orientation has length 1. Give [1, 0, 0, 0] "
                    "for none.",
                    w, x, y, z, q.norm()));
  return q.normalized();
}

}  // namespace scree::packings
