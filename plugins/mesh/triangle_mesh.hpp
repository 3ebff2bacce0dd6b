#pragma once
/// \file A surface of triangles, put right: welded, without doubles, with edges and orientation.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "scree/base/types.hpp"
#include "scree/plugin/surface_file.hpp"

namespace scree::mesh {

struct Triangle {
  std::uint32_t vertex[3];  ///< counter-clockwise from outside the matter
  std::uint32_t edge[3];    ///< edge k leads from vertex k to vertex k + 1
};

/// Numbers of what was found in a file, and put right.
struct MeshReport {
  std::size_t given = 0;       ///< triangles in the file
  std::size_t degenerate = 0;  ///< triangles without area, dropped
  std::size_t doubles = 0;     ///< triangles that were there already, dropped
  std::size_t split = 0;       ///< corners that lie within an edge of another triangle, which was cut there
  std::size_t turned = 0;      ///< triangles whose corners ran the other way round
  std::size_t open_edges = 0;  ///< edges of one triangle
  std::size_t branches = 0;    ///< edges of more than two triangles
  bool oriented = true;        ///< false if some neighbours cannot agree on a side
};

/// Part of the surface where its nearest point to some point lies.
enum class Feature : std::uint8_t { face, edge, vertex };

/// Nearest point of a triangle to the origin of the points given.
struct Foot {
  Vec3 point;          ///< relative to the point asked about [m]
  double distance;     ///< [m]
  Feature feature;     ///< kind of part where it lies
  std::uint32_t part;  ///< index of that triangle, edge or vertex
};

/// Triangles with their edges. Places are kept as given; the shape moves them into its frame.
class TriangleMesh {
 public:
  /// Welds vertices within 1e-7 of the diagonal, drops triangles without area and doubles, cuts triangles at
  /// corners of others that lie so near to one of their open edges, and turns triangles so that neighbours agree. A
  /// closed surface then faces outward; all of it is turned round where `hollow`. \param hollow   true for a container:
  /// matter is outside \param pointer  JSON pointer for messages \throws OptionError for a file without triangles, or
  /// places that are no numbers
  TriangleMesh(const SurfaceMesh& surface, bool hollow, const std::string& pointer);

  std::span<const Vec3> vertices() const { return vertices_; }
  std::span<const Triangle> triangles() const { return triangles_; }
  std::size_t edge_count() const { return edges_.size(); }
  const std::array<std::uint32_t, 2>& edge(std::uint32_t e) const { return edges_[e]; }
  /// Returns the triangles of an edge, ascending.
  std::span<const std::uint32_t> triangles_of(std::uint32_t e) const {
    return {of_edge_.data() + first_of_edge_[e], of_edge_.data() + first_of_edge_[e + 1]};
  }
  const MeshReport& report() const { return report_; }
  /// Checks whether each edge belongs to two triangles that agree on a side.
  bool closed() const { return report_.open_edges == 0 && report_.branches == 0 && report_.oriented; }
  double volume() const;  ///< volume that a closed surface encloses; below 0 for a container [m^3]
  double area() const;    ///< [m^2]
  Vec3 lower() const { return lower_; }
  Vec3 upper() const { return upper_; }

  /// Moves all places.
  void shift(const Vec3& by);

  /// Unit normal of a triangle.
  Vec3 normal(std::uint32_t triangle) const;
  /// Direction out of the matter at a part of a closed surface: the normal, the sum of two, or the sum by angle.
  /// \source J. A. Baerentzen and H. Aanaes, IEEE Trans. Vis. Comput. Graph. 11 (2005) 243
  Vec3 outward(Feature feature, std::uint32_t part) const;
  /// Nearest point of a triangle. Parts that triangles share give the same bits from each of them.
  Foot foot(std::uint32_t triangle, const Vec3& from) const;
  /// Nearest point of an edge [m], relative to `from`.
  Vec3 foot_on_edge(std::uint32_t edge, const Vec3& from) const;
  /// Number of a part among all: triangles first, then edges, then vertices.
  std::uint64_t number(Feature feature, std::uint32_t part) const {
    return feature == Feature::face   ? part
           : feature == Feature::edge ? triangles_.size() + part
                                      : triangles_.size() + edges_.size() + part;
  }

 private:
  void weld(const SurfaceMesh& surface, const std::string& pointer);
  void join_edges();
  using Seams = std::array<std::vector<std::uint32_t>, 3>;  ///< vertices within each edge of a triangle
  void split_seams();
  void split(std::uint32_t triangle, Seams& seams);
  void orient(bool hollow);
  void turn(Triangle& t);
  void find_pseudonormals();

  std::vector<Vec3> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<std::array<std::uint32_t, 2>> edges_;     ///< ends, the smaller index first
  std::vector<std::uint32_t> first_of_edge_, of_edge_;  ///< triangles of edge e: of_edge_[first_of_edge_[e]] and on
  std::vector<Vec3> edge_outward_, vertex_outward_;
  Vec3 lower_ = Vec3::Zero(), upper_ = Vec3::Zero();
  MeshReport report_;
};

}  // namespace scree::mesh
