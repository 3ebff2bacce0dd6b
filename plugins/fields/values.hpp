#pragma once
/// \file Fields of a grid, from the sums of its cells.

#include <span>
#include <string>
#include <vector>

#include "scree/base/grid_image.hpp"

namespace scree::fields {

/// Returns fields, a value per cell. Density rho, momentum density p, contact stress and boundary force are means over
/// samples. So is sum m v v, from which the kinetic stress is what rho u u with u = p/rho leaves. Stresses are positive
/// under compression; their first index is that of the force, the second that of the branch. Where there is no mass, no
/// contact or no body, fields that would be divided by it are 0.
/// \param sums  (cells, kSums), added over samples  \param wanted  names; none: all
std::vector<GridImage::Field> field_values(std::span<const double> sums, double samples, int dimension,
                                           std::span<const std::string> wanted);

}  // namespace scree::fields
