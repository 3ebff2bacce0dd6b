#pragma once
/// \file Flat parts of a surface: faces in one plane become one face, and what is not convex is cut into pieces that
/// are.

#include <string>

#include "polyhedron.hpp"

namespace scree::spheropolyhedron {

/// Joins faces that share an edge and lie in one plane, leaves out vertices within flat parts and straight edges, and
/// cuts each part into convex faces between its own vertices. Parts with holes are cut open first. Vertices keep their
/// order. \pre check_and_orient()  \throws OptionError where a flat part touches itself at a vertex
void merge_flat_parts(Polyhedron& body, const std::string& pointer);

/// A face as few convex pieces between its own corners, which run counter-clockwise seen against the normal. Corners
/// may repeat where a hole was cut open.
std::vector<std::vector<std::uint32_t>> convex_pieces(const Polyhedron& body, const std::vector<std::uint32_t>& corners,
                                                      const Vec3& normal);

}  // namespace scree::spheropolyhedron
