#pragma once
/// \file Polyhedra that are made from a few numbers.

#include <string>

#include "polyhedron.hpp"

namespace scree::spheropolyhedron {

/// With edges along the axes, about the origin. \param edges  lengths [m]
Polyhedron box(const Vec3& edges);

/// Regular, about the origin: "tetrahedron", "octahedron", "dodecahedron", "icosahedron". \param edge  length [m]
Polyhedron regular_solid(const std::string& name, double edge);

/// On a regular polygon, about the z axis and the origin. \param sides  >= 3  \param edge  of the polygon [m]
Polyhedron prism(int sides, double edge, double height);

/// With its apex on the z axis, its base below the origin by a quarter of the height: the centre of mass.
Polyhedron pyramid(int sides, double edge, double height);

}  // namespace scree::spheropolyhedron
