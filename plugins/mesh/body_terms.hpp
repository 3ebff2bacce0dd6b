#pragma once
/// \file A body with edges and faces against a mesh: the terms of their energy, and the places they stand for.

#include <cstdint>
#include <vector>

#include "mesh_surface.hpp"
#include "solvers/skeleton/parts.hpp"

namespace scree::mesh {

/// A body of round vertices, edges and faces, seen from a mesh: in its axes, in lengths of its shape.
class SeenBody {
 public:
  /// \param turn, shift  from the body's axes and lengths to the mesh's: turn * (ratio * p) + shift
  void look_at(const skeleton::Parts& parts, const Mat3& turn, const Vec3& shift, double ratio);

  const skeleton::Parts& parts() const { return *parts_; }
  const std::vector<Vec3>& vertices() const { return seen_; }
  double radius() const { return ratio_ * parts_->largest_radius; }
  skeleton::EdgeLine edge(std::uint32_t e) const {
    const skeleton::EdgePart& part = parts_->edges[e];
    return skeleton::EdgeLine::between(seen_[part.begin], seen_[part.end]);
  }
  /// Returns a point of the mesh in the body's axes and lengths.
  Vec3 in_body(const Vec3& p) const { return turn_.transpose() * (p - shift_) / ratio_; }
  /// Returns the way from a point of the mesh to the plane of a face, in the mesh's axes and lengths.
  Vec3 way_to_plane(std::uint32_t face, const Vec3& p) const;
  double squared_distance_of_face(std::uint32_t face, const Vec3& p) const {
    return ratio_ * ratio_ * skeleton::foot_on_face(in_body(p), *parts_, parts_->faces[face]).d2;
  }

 private:
  const skeleton::Parts* parts_ = nullptr;
  Mat3 turn_;
  Vec3 shift_;
  double ratio_ = 1;
  std::vector<Vec3> seen_;
};

/// Kinds of nearest places: a part of the body, and one of the mesh.
enum class Kind : std::uint32_t { vertex_triangle, vertex_edge, vertex_vertex, edge_edge, edge_vertex, face_vertex };

/// Two nearest parts.
struct Term {
  Kind kind;
  std::uint32_t i, j;  ///< part of the body, part of the mesh
};

/// A closest pair of points, within two parts, and the sum of weights of the terms that meet there.
struct Touch {
  Term term;
  double weight;
  bool of_a_patch;
};

/// Closest points of two parts.
struct Place {
  Vec3 at;   ///< on the mesh
  Vec3 way;  ///< from there to the body's vertex, edge or face
};
Place place_of(const SeenBody& body, const TriangleMesh& mesh, const Term& term);

/// Sums up the terms of one energy, whose gradient is the force:
///
///     E = sum_V P(V) + sum_EE phi - sum_Ve k_V phi + sum_Fv s phi - sum_Ev u phi + sum_Vv (s + k_V (u - s)) phi
///
/// V, E and F are vertices, edges and faces of the body, e and v ridges and corners of the mesh that stand out on the
/// body's side. phi is the energy of the law, of the distance of the two. k_V is the number of edges at V. A corner has
/// s = 1 where a flat face can touch it alone, and u is the number of ridges there, less 1 where two are one line.
///
/// P(V) is the energy of a sphere on the mesh (SpherePatch), however that is cut into triangles. The other terms let
/// edges and faces touch what stands out. Where an edge's nearest place is its end, EE and -k_V Ve cancel: a vertex at
/// a ridge counts once, and a corner on a face too.
///
/// Edges between coplanar faces of the body enter by -s in Ev alone. The segment of a capsule counts as a face too.
class TermSum {
 public:
  /// \param reach  distance from which on nothing counts, in the mesh's lengths
  void begin(const SeenBody& body, const MeshSurface& surface, double reach);
  /// Adds a place where a vertex touches as a sphere does.
  void add_sphere(std::uint32_t vertex, Feature feature, std::uint32_t part, double weight, bool of_a_patch);
  void add(const Term& term);
  /// Returns closest pairs in the order in which they were met first; some have a weight of 0.
  const std::vector<Touch>& touches() const { return touches_; }

 private:
  bool near(double squared) const { return squared < reach_ * reach_; }
  void count(const Term& term, double weight, bool of_a_patch = false);
  void vertex_at_edge(std::uint32_t vertex, std::uint32_t edge, double weight);
  void edge_edge(std::uint32_t edge, std::uint32_t ridge);
  void parallel_edges(std::uint32_t edge, std::uint32_t ridge, const skeleton::EdgePair& at);
  void edge_vertex(std::uint32_t edge, std::uint32_t corner);
  void face_vertex(std::uint32_t face, std::uint32_t corner);

  const SeenBody* body_ = nullptr;
  const MeshSurface* surface_ = nullptr;
  double reach_ = 0;
  std::vector<Touch> touches_;
};

/// Returns an edge of a mesh as a line.
inline skeleton::EdgeLine line_of(const TriangleMesh& mesh, std::uint32_t edge) {
  return skeleton::EdgeLine::between(mesh.vertices()[mesh.edge(edge)[0]], mesh.vertices()[mesh.edge(edge)[1]]);
}

}  // namespace scree::mesh
