#pragma once
/// \file The box a packing fills, as given in the scene.

#include <cstdint>

#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree::packings {

/// More places than this are taken for a mistyped unit.
inline constexpr double kMostPlaces = 1e8;

/// Lower and upper corner [m]; in two dimensions both lie in z = 0.
struct BoxRegion {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

/// A corner, one number per dimension. \throws OptionError
Vec3 read_corner(const Options& options, const char* key, int dimension);

/// `lower` and `upper`. \throws OptionError where upper is below lower
BoxRegion read_region(const Options& options, int dimension);

}  // namespace scree::packings
