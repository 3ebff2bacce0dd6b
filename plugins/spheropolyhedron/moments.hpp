#pragma once
/// \file Volume, centre and moments of polyhedra swept by a sphere.

#include <vector>

#include "polyhedron.hpp"

namespace scree::spheropolyhedron {

/// Integrals over a body of 1, x and x x^T [m^3, m^4, m^5].
struct VolumeIntegrals {
  double volume = 0;
  Vec3 first = Vec3::Zero();
  Mat3 second = Mat3::Zero();

  VolumeIntegrals& operator+=(const VolumeIntegrals& other);
};

/// Tells whether no edge is hollow.
bool is_convex(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges);

/// Integrates 1, x and x x^T over a convex polyhedron and all within the radius of it. Sums tetrahedra, prisms on
/// faces, wedges on edges and sectors at vertices; exact to rounding. \source V = V_P + r S + r^2 sum(l theta)/2 + 4/3
/// pi r^3 (Steiner 1840)
VolumeIntegrals convex_integrals(const Polyhedron& body, const std::vector<PolyhedronEdge>& edges, double radius);

/// Integrates 1, x and x x^T over the polyhedron itself, convex or not, by signed tetrahedra.
VolumeIntegrals solid_integrals(const Polyhedron& body);

/// Moments of inertia for these integrals, about their centre, at density 1 [m^5].
Mat3 inertia_of(const VolumeIntegrals& body);

}  // namespace scree::spheropolyhedron
