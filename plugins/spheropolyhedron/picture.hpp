#pragma once
/// \file Surface of a swept polyhedron for pictures.

#include "polyhedron.hpp"
#include "scree/shape/surface.hpp"

namespace scree::spheropolyhedron {

/// Faces moved out by the radius, strips around edges and caps on vertices: a closed surface. At hollow edges faces
/// pass through each other, and the strip between them lies within the body.
Surface rounded_surface(const Polyhedron& body, double radius);

}  // namespace scree::spheropolyhedron
