#pragma once
/// \file Elements of bonded bodies: one per tetrahedron or cell, and the faces along which they are bonded.

#include "packing/cuboid.hpp"

namespace scree::bonded {

/// Area of a bond's section.
enum class FaceArea {
  whole,     ///< the face's area: "surface between elements" of the paper
  projected  ///< the face's area as seen along the line between the centroids, |N . d0|
};

/// Two elements that share a face.
struct SharedSide {
  std::uint32_t a, b;  ///< a < b
  double area;         ///< [m^2]
};

/// Column of the World that holds Elements::tetrahedron, in the body frame; zeros for bodies that are none.
inline constexpr const char* kTetrahedronColumn = "tetrahedron";

struct Elements {
  std::vector<Vec3> centroid;            ///< [m]
  std::vector<double> volume;            ///< [m^3]
  std::vector<SharedSide> shared;        ///< by ascending a, then b
  std::vector<double> tetrahedron = {};  ///< 12 per element: corners less centroid [m]; empty for cells

  std::size_t size() const { return centroid.size(); }
};

/// Radius of the sphere of this volume: r = (3V/4 pi)^(1/3) [m].
double radius_of(double volume);

/// An element per tetrahedron.
/// \pre positive volumes, no face belongs to more than two tetrahedra
Elements elements_of(const TetrahedralMesh& mesh, FaceArea area);

/// An element per cell of the box, bonded to its six neighbours with the area of the face between them. Jitter has no
/// meaning here.
Elements cubic_lattice(const Cuboid& box);

}  // namespace scree::bonded
