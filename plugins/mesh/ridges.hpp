#pragma once
/// \file Edges and corners of a surface that stand out, where bodies touch it between their own corners.

#include <cstdint>
#include <span>
#include <vector>

#include "triangle_mesh.hpp"

namespace scree::mesh {

/// Ridges at a corner of the surface, seen from some side.
struct CornerCount {
  int ridges = 0;         ///< edges there that stand out
  bool straight = false;  ///< two of them that are one line: no corner
  /// Returns whether a flat face can touch the corner alone.
  bool tip() const { return ridges >= 2 && !straight; }
  /// Returns how many of its ridges an edge that crosses them at the corner must leave out.
  int joined() const { return ridges - (straight ? 1 : 0); }
};

/// Edges of a mesh by the side from which they stand out. Ridges of matter and rims of sheets always do, folds of
/// sheets on one side. Flat edges do not: those that turn by less than 1.4e-4 rad, or whose triangles leave the other
/// one's plane by less than 4e-7 of the mesh's diagonal, as files of single precision have it.
class Ridges {
 public:
  /// \param solid  true where the surface bounds matter  \pre the mesh outlives this
  Ridges(const TriangleMesh& mesh, bool solid);

  /// Returns whether an edge stands out on some side.
  bool stands_out(std::uint32_t edge) const { return kind_[edge] != Kind::none; }
  /// Returns whether it stands out towards a point. \param way  from the edge to the point [m]
  bool stands_out(std::uint32_t edge, const Vec3& way) const;
  /// Returns the edges at a vertex that stand out on some side.
  std::span<const std::uint32_t> at(std::uint32_t vertex) const {
    return {edges_.data() + first_[vertex], edges_.data() + first_[vertex + 1]};
  }
  /// Counts the edges at a vertex that stand out towards a point. \param way  from the vertex to the point [m]
  CornerCount count(std::uint32_t vertex, const Vec3& way) const;

 private:
  enum class Kind : std::uint8_t { none, always, one_side };
  Kind kind_of(std::uint32_t edge, bool solid) const;
  Vec3 inward(std::uint32_t edge, std::uint32_t triangle) const;
  bool in_line(std::uint32_t vertex, std::uint32_t e, std::uint32_t f) const;

  const TriangleMesh& mesh_;
  double tolerance_;  ///< [m]
  std::vector<Kind> kind_;
  std::vector<std::uint32_t> first_, edges_;  ///< edges at vertex v: edges_[first_[v]] and on
};

}  // namespace scree::mesh
