#pragma once
/// \file The depth of a mesh in a smooth body: its critical points on the surface, which are the contacts.

#include <cstdint>
#include <span>
#include <vector>

#include "critical_point.hpp"

namespace scree::mesh {

/// Finds the contacts of a smooth convex body with a mesh.
///
/// With u the depth of a point of the mesh in the body, the energy is
///
///     E = int phi'(c) chi{u > c} dc = sum over critical points of weight phi(u)
///
/// with chi the Euler number of the part of the mesh deeper than c. It is continuous with its gradient while the body
/// slides over edges and corners, since the number only changes where u has a critical point. On a triangle u has one
/// top at most, as the body is convex; so has it on an edge. Weights:
///
/// - the top within a triangle: 1;
/// - the top within an edge: 1 less the number of its triangles into which u rises from there. A ridge has 1, a groove
///   -1, and an edge within a plane 0;
/// - a vertex: 1 less the number of its edges along which u rises, plus the number of its triangles between two of
/// these.
///
/// So a flat mesh has one contact, whatever its triangles.
class SmoothPatch {
 public:
  /// \param reach  radius about the body's origin beyond which no depth is above -margin [m]
  /// \param least  depths below this are left out [m]
  std::span<const CriticalPoint> find(const PlacedMesh& surface, const SmoothField& field, double reach, double least);

 private:
  struct Vertex {
    std::uint32_t number;
    Vec3 at;
    bool near;  ///< within reach
    DepthCurvature depth;
    int rising = 0;  ///< edges along which the depth rises, less triangles between two of them
  };
  struct Edge {
    std::uint32_t number, ends[2];  ///< indices of vertices_, the smaller number first
    bool up[2];                     ///< true if the depth rises from an end, or the end is out of reach
    bool top;                       ///< true if there is a top within
    Vec3 at;
    DepthCurvature depth;
    int rising = 0;  ///< triangles into which the depth rises from the top
  };
  std::uint32_t vertex(const PlacedMesh& surface, std::uint32_t number);
  std::uint32_t edge(const PlacedMesh& surface, std::uint32_t number);
  void find_top_of(Edge& edge);
  void look_into(const PlacedMesh& surface, std::uint32_t triangle);
  void climb(std::uint64_t part, const Vec3 (&corner)[3], const Vec3& normal, Vec3 from, bool must_be_within);
  void add(const Vec3& at, const DepthCurvature& depth, int weight, std::uint64_t part);

  const SmoothField* field_ = nullptr;
  double reach_ = 0, least_ = 0;
  std::vector<Vertex> vertices_;
  std::vector<Edge> edges_;
  std::vector<CriticalPoint> found_;
};

}  // namespace scree::mesh
