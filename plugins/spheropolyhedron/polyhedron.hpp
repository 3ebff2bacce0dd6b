#pragma once
/// \file A polyhedron as vertices and faces, its edges, and what is wrong with it.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/plugin/surface_file.hpp"

namespace scree::spheropolyhedron {

using Polyhedron = SurfaceMesh;

/// An edge leads from `begin` to `end` in the first of its faces, and back in the second.
struct PolyhedronEdge {
  std::uint32_t begin, end;
  std::uint32_t face[2];
};

/// A length that bounds the polyhedron: the diagonal of its box [m].
double size_of(const Polyhedron& body);

/// Tolerance of places, as a part of size_of(): files hold single precision.
inline constexpr double kSamePlace = 1e-6;

/// Twice the area of a face along its normal [m^2]. \source Newell's method
Vec3 area_vector(const Polyhedron& body, const std::vector<std::uint32_t>& face);

/// Returns the volume of the space enclosed [m^3]; below 0 where faces see inward.
double volume_of(const Polyhedron& body);

/// The edges, in order of the faces that begin them. Names the place where the surface is not closed or not oriented.
/// \param pointer  JSON pointer of the option that gave the surface  \throws OptionError
std::vector<PolyhedronEdge> edges_of(const Polyhedron& body, const std::string& pointer);

/// Checks coordinates, and that faces name vertices there are, each once. \throws OptionError
void check_numbers(const Polyhedron& body, const std::string& pointer);

/// Checks the same, flat faces, and that the surface is closed, oriented and of one piece. Turns faces round where all
/// of them see inward. \return whether it did  \throws OptionError
bool check_and_orient(Polyhedron& body, const std::string& pointer);

/// Refuses a surface that crosses itself. \throws OptionError
void check_crossings(const Polyhedron& body, const std::string& pointer);

/// Joins vertices at one place, and drops faces that have fewer than three corners then.
void weld(Polyhedron& body);

}  // namespace scree::spheropolyhedron
