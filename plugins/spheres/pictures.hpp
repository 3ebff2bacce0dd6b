#pragma once
/// \file Pictures of spheres and discs.

#include "scree/shape/surface.hpp"
#include "sphere_body.hpp"

namespace scree::spheres {

/// One polygon of 40 corners per disc.
Surface disc_outlines(const Spheres& discs);

/// Per sphere an icosahedron with every triangle cut into four, 80 of them, without those that lie within another
/// sphere.
Surface sphere_triangles(const Spheres& spheres);

}  // namespace scree::spheres
