#pragma once
/// \file The surface between what is stored and what is not.

#include "field/solid_field.hpp"
#include "ledger/ledger.hpp"

namespace scree::culling {

/// The closed surface of the stored granules of an aggregate, in world axes: of the union of their spheres, with gaps
/// narrower than a granule closed and cavities filled.
/// \param diameter  diameter of the largest granule [m]
Triangles interface_surface(const World& world, const Aggregate& aggregate, double diameter);

}  // namespace scree::culling
