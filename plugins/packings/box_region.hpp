#pragma once
/// \file The box a packing fills, as given in the scene.

#include <cstdint>
#include <string>

#include "scree/base/types.hpp"
#include "scree/scene/options.hpp"

namespace scree::packings {

/// More places than this are taken for a mistyped unit.
inline constexpr double kMostPlaces = 1e8;

/// \param what  "a spacing of 0.001 m makes"
/// \param cure  "Widen the spacing or shrink the box."
/// \throws OptionError for more than kMostPlaces, or than the memory can hold
void check_places(const char* pointer, const std::string& what, double places, const char* cure);

/// Lower and upper corner [m]; in two dimensions both lie in z = 0.
struct BoxRegion {
  Vec3 lower = Vec3::Zero(), upper = Vec3::Zero();
};

/// A corner, one number per dimension. \throws OptionError
Vec3 read_corner(const Options& options, const char* key, int dimension);

/// `lower` and `upper`. \throws OptionError where upper is below lower
BoxRegion read_region(const Options& options, int dimension);

}  // namespace scree::packings
