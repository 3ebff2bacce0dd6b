#pragma once
/// \file Shares of the corners of outlines in contacts: a finer outline is not a stiffer one.

#include <vector>

#include "scree/base/api.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

/// Returns the factor on energy and force of each corner of a polygon, in (0, 1], by vertex. Empty if all are 1, as for
/// open chains.
///
/// Each corner that touches is a spring. An outline of many corners would be as many times as stiff as one of few, and
/// its overlaps would fall as it is refined. A corner has the share
///
///   v = min(1, max(l/(0.1 R), turn/0.5 rad))
///
/// with half the length l of its two edges, the bounding radius R and the angle by which it turns. Coarse and sharp
/// corners have 1. On a fine outline the shares of the corners that touch add up to a number that does not depend on
/// how fine it is. Shares are constants of the shape, so the sum of energies stays one whose gradient is the force.
/// Weights that depend on overlaps would lose or gain energy, and the deepest corner alone would jump.
/// \source specification of the time step, eq. (3)
SCREE_API std::vector<double> corner_shares(const SweptPolygon& polygon, double bounding_radius);

}  // namespace scree
