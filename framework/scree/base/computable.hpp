#pragma once
/// \file Largest numbers that can be computed with.

namespace scree {

/// Largest length [m] and velocity [m/s]. Squares and products of larger ones may overflow.
inline constexpr double kLargestComputable = 1e30;

}  // namespace scree
