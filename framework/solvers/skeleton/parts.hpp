#pragma once
/// \file Parts of a shape as the detectors know them: its vertices, edges and faces, and how often each counts.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "scree/shape/shape.hpp"
#include "solvers/skeleton/feature_distance.hpp"

namespace scree::skeleton {

/// An edge of the shape.
struct EdgePart {
  EdgeLine line;
  std::uint32_t begin, end;
  bool flat;  ///< between coplanar faces
  /// Faces that are no more than this edge: 1 for the segment of a capsule, which has no faces of its own, else 0.
  int sheets;
};

/// A convex flat face. Its corners are in Parts::corners.
struct FacePart {
  Vec3 normal;    ///< unit, outward
  double offset;  ///< normal . x of its plane [m]
  std::uint32_t first, count;
};

/// A corner of a face, and the edge that begins there.
struct CornerPart {
  std::uint32_t vertex, edge;
  Vec3 outward;   ///< unit, in the plane of the face, across the edge
  double offset;  ///< outward . x on the edge [m]
};

/// Round vertices alone, an edge between two of them, or all of a swept polyhedron; nothing for other shapes.
struct Parts {
  std::vector<Vec3> vertices;         ///< [m]
  std::vector<double> vertex_radius;  ///< [m]
  std::vector<int> degree;            ///< edges at the vertex that are not flat
  std::vector<EdgePart> edges;
  std::vector<FacePart> faces;
  std::vector<CornerPart> corners;
  double radius = 0;                                               ///< radius of edges and faces [m]
  double largest_radius = 0;                                       ///< largest radius of any part [m]
  double bounding_radius = 0;                                      ///< [m]
  double reach = 0;                                                ///< farthest vertex from the origin [m]
  double shortest_edge = std::numeric_limits<double>::infinity();  ///< shortest edge that is not flat [m]

  bool any() const { return !vertices.empty(); }
  std::span<const CornerPart> corners_of(const FacePart& face) const {
    return {corners.data() + face.first, face.count};
  }
};

/// Makes parts by the facets SweptPolyhedron/1, Segment/1 with RoundVertices/1, or RoundVertices/1.
Parts make_parts(const Shape& shape);

/// Makes the parts of a polyhedron. \param face_begin, face_vertices  as in SweptPolyhedron/1
Parts polyhedron_parts(std::span<const Vec3> vertices, std::span<const std::uint32_t> face_begin,
                       std::span<const std::uint32_t> face_vertices, double radius);

/// Nearest point of a face to a point.
struct FaceFoot {
  const CornerPart* corner;  ///< corner whose edge holds the foot; null where the foot lies within the face
  double t;                  ///< on that edge
  double d2;                 ///< squared distance
};

inline FaceFoot foot_on_face(const Vec3& p, const Parts& parts, const FacePart& face) {
  const double height = face.normal.dot(p) - face.offset;
  const double rim = kRim * parts.reach;
  FaceFoot foot{nullptr, 0, height * height};
  double least = std::numeric_limits<double>::infinity();
  for (const CornerPart& corner : parts.corners_of(face)) {
    if (corner.outward.dot(p) < corner.offset - rim) continue;
    const EdgeFoot on = foot_on_edge(p, parts.edges[corner.edge].line);
    if (on.d2 < least) least = on.d2, foot = {&corner, on.t, on.d2};
  }
  return foot;
}

/// Tells whether a point lies within the closed surface, by how often that winds around it. \pre there are faces
bool encloses(const Parts& parts, const Vec3& p);

}  // namespace scree::skeleton
