#pragma once
/// \file Places in which a sphere touches a mesh: lasting minima of the distance, with weights.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh_surface.hpp"

namespace scree::mesh {

/// A minimum of the distance from the sphere's centre to the mesh.
struct Minimum {
  Foot foot;
  double weight = 1;         ///< weight of its force [-]
  bool of_a_patch = false;   ///< true if it shares its force with another one
  std::uint64_t number = 0;  ///< TriangleMesh::number() of the part where it lies
};

/// Finds where a sphere touches a mesh. Not reentrant: each thread has its own.
///
/// A triangle's part within some distance t of the centre is convex. So the pieces of the whole surface within t are
/// found by joining triangles across the edges that are within t, in the order of the edges' distances. A piece whose
/// nearest point lies on the edge at which it joins another one has no minimum of its own: flat neighbours, shared
/// edges and shared corners thus count once, without an angle of tolerance.
///
///     distance
///        ^      \      /  \      /        two minima i and j, joined at their saddle s.
///        |       \    / s  \    /         The persistence of i is s - d_i: it fades as i comes up to the saddle.
///        |        \  /      \  /
///        |       d_i        d_j
///
/// Where two minima have nearly the same normal, as on the facets of a drum, they share the force: their weights
/// w_i = a_i / (a_i + sum of a_j K_ij) follow their persistences a, and K fades as normals turn apart or the saddle
/// rises to the radius. So a force never jumps when a minimum is born or dies, and two walls of a corner carry one
/// each.
///
/// Alternatives:
/// - The nearest point alone: a sphere cannot rest in a corner, and the force turns abruptly from wall to wall.
/// - One contact per triangle: flat neighbours count twice, and a fine mesh is stiffer than a coarse one.
/// - Edges and corners switched off by an angle of tolerance: forces jump by their whole size at shallow edges.
class SpherePatch {
 public:
  /// \param centre  in the body frame of the mesh [m]
  /// \param reach   radius and margin: minima up to so far away are found [m]
  /// \param radius  radius of the sphere, for the weights [m]
  /// \return the minima by number of their parts; valid until the next call
  std::span<const Minimum> find(const MeshSurface& surface, const Vec3& centre, double radius, double reach);
  /// Does the same among these triangles, ascending: all that are in reach, and others.
  std::span<const Minimum> find_among(std::span<const std::uint32_t> near, const MeshSurface& surface,
                                      const Vec3& centre, double radius, double reach);

 private:
  struct Piece {
    Foot foot;
    Vec3 normal;           ///< from the surface to the centre
    std::uint64_t number;  ///< number of its part
    std::uint32_t triangle;
    double merged;  ///< distance of the saddle to its first neighbour [m]; no less than `reach`: none
    bool minimum;
  };
  struct Arc {
    double level;              ///< distance of the edge [m]
    std::uint32_t edge, a, b;  ///< indices of pieces
  };
  struct Saddle {
    std::uint32_t i, j;
    double level;  ///< [m]
  };

  void gather(std::span<const std::uint32_t> near, const TriangleMesh& mesh, const Vec3& centre, double reach);
  bool in_matter(const TriangleMesh& mesh) const;
  void list_arcs(const TriangleMesh& mesh, const Vec3& centre, double reach);
  void join(double rounding);
  void weigh(double radius);
  std::uint32_t root(std::uint32_t piece);

  std::vector<std::uint32_t> near_;
  std::vector<Piece> pieces_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;  ///< edge, piece
  std::vector<Arc> arcs_;
  std::vector<std::uint32_t> parent_;
  std::vector<Saddle> saddles_;
  std::vector<double> shared_;  ///< by piece: persistences of others that share its force
  std::vector<Minimum> minima_;
};

}  // namespace scree::mesh
