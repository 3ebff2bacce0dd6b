#pragma once
/// \file Check of a mesh from a file: whether it can be made of bonded elements, and its faults.

#include <string>

#include "packing/tetrahedral_mesh.hpp"

namespace scree::bonded {

/// A mesh and how its file calls the tetrahedra.
struct NamedMesh {
  std::string file;  ///< for messages
  TetrahedralMesh mesh;
  std::vector<std::uint64_t> label;  ///< (tetrahedra) number in the file
  std::vector<std::string> notes;    ///< notes for the user, whole sentences
};

struct MeshLimits {
  double min_quality = 0.05;  ///< mean ratio, see mean_ratio() [-]
  bool allow_pieces = false;  ///< parts that share no face with each other
};

/// A tetrahedron of less quality than this has no volume to speak of, whatever the limit.
inline constexpr double kFlat = 1e-5;

/// Turns inverted tetrahedra the right way round, with a note, and looks for what cannot be used.
/// \throws InputError  for coordinates that are not finite, no tetrahedra, flat ones, ones of less quality than the
/// limit, faces of more than two tetrahedra, several pieces where one is wanted; names the tetrahedra and the remedy
void check_mesh(NamedMesh& mesh, const MeshLimits& limits);

/// The note of readers that took the corners of tetrahedra of second order.
std::string second_order_note(const std::string& file, std::size_t count);

}  // namespace scree::bonded
