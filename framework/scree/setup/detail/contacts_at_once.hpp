#pragma once
/// \file In how many places a body may touch another at once.

#include "scree/shape/shape.hpp"

namespace scree::detail {

/// Places of the shape that a plane may touch together: spheres of a SphereSet/1 whose tops lie within 1 % of the
/// largest radius of the plane, or corners of a SweptPolygon/1 within 1 % of the bounding radius. Shapes that have
/// neither facet: 1.
std::size_t contacts_at_once(const Shape& shape);

}  // namespace scree::detail
