#pragma once
/// \file Up to where numbers can be computed with.

namespace scree {

/// Of lengths [m] and velocities [m/s]. Beyond it, squares and products that are taken of them may overflow.
inline constexpr double kLargestComputable = 1e30;

}  // namespace scree
