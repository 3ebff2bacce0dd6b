#pragma once
/// \file Number of places in which a body may touch another at once.

#include "scree/shape/shape.hpp"

namespace scree::detail {

/// Returns the number of places of the shape that a plane may touch together; 1 for shapes without one of these facets.
/// - SphereSet/1: spheres whose tops lie within 1 % of the largest radius of the plane.
/// - SweptPolygon/1: corners within 1 % of the bounding radius.
std::size_t contacts_at_once(const Shape& shape);

}  // namespace scree::detail
