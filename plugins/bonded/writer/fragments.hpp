#pragma once
/// \file Fragments of a solid of bonded tetrahedra: visible faces, places of corners, connected pieces. Geometry only,
/// independent of the owner of bodies and bonds.

#include <span>

#include "packing/tetrahedral_mesh.hpp"

namespace scree::bonded {

/// Elements by ascending id, so that the smallest index is the smallest id.
struct SolidState {
  std::span<const Vec3> position;       ///< (elements) of the centroid [m]
  std::span<const Quat> orientation;    ///< (elements) body to world
  std::span<const double> tetrahedron;  ///< (12 elements) corners less centroid, body frame [m]

  std::size_t size() const { return position.size(); }
  Vec3 corner_in_body(std::size_t element, std::size_t corner) const {
    const double* x = &tetrahedron[12 * element + 3 * corner];
    return {x[0], x[1], x[2]};
  }
  /// p + R(q) x [m]
  Vec3 corner(std::size_t element, std::size_t k) const {
    return position[element] + orientation[element] * corner_in_body(element, k);
  }
};

/// A bond between two elements.
struct Joint {
  std::uint32_t a = 0, b = 0;
  Vec3 branch = Vec3::Zero();  ///< from centroid a to centroid b when the bond was made, world axes [m]
  Quat made_a = Quat::Identity(), made_b = Quat::Identity();  ///< orientations of the bodies then
  bool live = true;
};

/// Seam of the two elements of a joint: corner a[k] of one was corner b[k] of the other.
struct Seam {
  static constexpr std::uint8_t kNone = 255;
  std::uint8_t face_a = kNone, face_b = kNone;  ///< kNone: they share no face
  std::array<std::uint8_t, 3> a{}, b{};

  bool exists() const { return face_a != kNone; }
};

/// The seams of joints, from the rest shapes: corners that coincide to a millionth of the branch.
std::vector<Seam> seams(const SolidState& solid, std::span<const Joint> joints);

/// Pieces connected by live joints.
struct Pieces {
  std::vector<std::uint32_t> fragment;  ///< (elements) its smallest element
  std::vector<double> damage;           ///< (elements) share of its joints that are not live, lost ones included [-]
};
/// \param lost  (elements) how many joints each had with elements that are gone
Pieces pieces(std::span<const Joint> joints, std::span<const std::uint32_t> lost);

/// Visible faces inside the solid.
enum class CrackFaces {
  broken,    ///< both sides of every joint that is not live, although the sides may hang together elsewhere
  fragments  ///< only faces where two fragments met: the paper's reading, in which a crack that ends inside is not seen
};

/// A face that is seen; its element and which of its faces.
struct ShownFace {
  Side side;
  bool crack = false;  ///< it was inside the solid
};

/// Faces without a joint, and those that `which` adds; by ascending element and face. Spec. sec. 8 (d)
std::vector<ShownFace> shown_faces(std::size_t elements, std::span<const Joint> joints, std::span<const Seam> seams,
                                   const Pieces& pieces, CrackFaces which);

/// Points of the corners in the world.
struct SolidPoints {
  std::vector<Vec3> position;            ///< [m]
  std::vector<std::uint32_t> of_corner;  ///< (4 elements)
};

/// \param watertight  corners that were one and hang together by live joints are one point, their mean; otherwise every
/// element has its own four. Spec. sec. 8 (e)
SolidPoints points_of(const SolidState& solid, std::span<const Joint> joints, std::span<const Seam> seams,
                      bool watertight);

}  // namespace scree::bonded
