#pragma once
/// \file Two bodies, and the vertices of each in the frame of the other.

#include <cstdint>
#include <span>
#include <vector>

#include "solvers/skeleton/parts.hpp"

namespace scree::spheropolyhedron {

using namespace skeleton;

/// A pair of bodies: side 0 is a, side 1 is b.
struct Encounter {
  const Parts* parts[2];
  Vec3 position[2];  ///< [m]
  Quat orientation[2];
  double size[2] = {1, 1};  ///< relative to the shape [-]

  double bounding_radius(int side) const { return size[side] * parts[side]->bounding_radius; }
  double largest_radius(int side) const { return size[side] * parts[side]->largest_radius; }
  double radius(int side) const { return size[side] * parts[side]->radius; }
  double vertex_radius(int side, std::uint32_t v) const { return size[side] * parts[side]->vertex_radius[v]; }
};

/// Kinds of two features: that of a, then that of b. In a FeaturePair the vertex comes first, and its edge or face is
/// the other side's.
enum Kind : std::uint8_t { kVertexFace, kFaceVertex, kEdgeEdge, kVertexEdge, kEdgeVertex, kVertexVertex, kKinds };

/// Vertices of side s as they are seen from the other side: in the axes of that body, in lengths of its shape. What is
/// near does not depend on where in the world the two are.
class PairView {
 public:
  /// For another pair. No vertex is placed yet.
  void look_at(const Encounter& pair);
  void place_all();
  void place(int side, std::span<const std::uint32_t> vertices);

  const Encounter& pair() const { return *pair_; }
  const Parts& parts(int side) const { return *pair_->parts[side]; }
  const std::vector<Vec3>& seen(int side) const { return seen_[side]; }
  /// A vertex of side s as the other one sees it, whether or not it was placed.
  Vec3 place_of(int side, std::uint32_t v) const {
    return seen_turn_[side] * parts(side).vertices[v] + seen_shift_[side];
  }
  /// Returns the rotation of a side's body, from its axes to world axes.
  const Mat3& turn(int of_side) const { return turn_[of_side]; }

  /// An edge of side s as the other one sees it.
  EdgeLine edge(int side, std::uint32_t e) const {
    const EdgePart& part = parts(side).edges[e];
    return EdgeLine::between(seen_[side][part.begin], seen_[side][part.end]);
  }
  FaceFoot vertex_face(int side, std::uint32_t v, std::uint32_t face) const {
    const Parts& other = parts(1 - side);
    return foot_on_face(seen_[side][v], other, other.faces[face]);
  }
  EdgeFoot vertex_edge(int side, std::uint32_t v, std::uint32_t e) const {
    return foot_on_edge(seen_[side][v], parts(1 - side).edges[e].line);
  }
  /// Returns the nearest points of an edge of a and one of b, in b's frame.
  EdgePair edge_edge(std::uint32_t a, std::uint32_t b) const {
    return nearest_on_edges(edge(0, a), parts(1).edges[b].line);
  }
  /// From a vertex of b to one of a, in b's frame.
  Vec3 vertex_vertex(std::uint32_t a, std::uint32_t b) const { return place_of(0, a) - parts(1).vertices[b]; }

 private:
  const Encounter* pair_ = nullptr;
  Mat3 turn_[2];       ///< by side: body to world
  Mat3 seen_turn_[2];  ///< by the side that is seen: its shape's lengths to the other's
  Vec3 seen_shift_[2];
  std::vector<Vec3> seen_[2];
};

}  // namespace scree::spheropolyhedron
