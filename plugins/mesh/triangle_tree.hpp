#pragma once
/// \file Bounding-volume tree of the triangles of a mesh.

#include <cstdint>
#include <span>
#include <vector>

#include "triangle_mesh.hpp"

namespace scree::mesh {

/// Boxes in single precision, rounded outward, split at the median of the longest side: 32 bytes per node, four
/// triangles per leaf at most.
class TriangleTree {
 public:
  explicit TriangleTree(const TriangleMesh& mesh);
  /// Makes a tree of some triangles. \pre there is one
  TriangleTree(const TriangleMesh& mesh, std::vector<std::uint32_t> triangles);

  /// Appends the triangles whose box comes within `reach` [m] of a point: all that are so near, and some others.
  void find(const Vec3& point, double reach, std::vector<std::uint32_t>& found) const;
  /// Appends the triangles whose box meets this one: all that meet it, and some others.
  void find(const Eigen::AlignedBox3d& box, std::vector<std::uint32_t>& found) const;
  /// Returns the nearest point of the mesh; of equally near ones that of the lowest part number.
  Foot nearest(const TriangleMesh& mesh, const Vec3& point) const;

 private:
  struct Node {
    float lower[3], upper[3];
    std::uint32_t begin;  ///< first triangle of a leaf; of others the second child. The first one follows.
    std::uint32_t count;  ///< triangles of a leaf; 0: not a leaf
  };
  /// A triangle while the tree is made.
  struct Item {
    float centre[3];
    std::uint32_t triangle;
  };
  void build(const TriangleMesh& mesh, std::vector<Item>& items, std::uint32_t begin, std::uint32_t end);
  void make_leaf(const TriangleMesh& mesh, std::span<const Item> items, std::uint32_t begin, Node& node);
  /// Appends the triangles of all leaves that can be reached through nodes for which enters(node) is true.
  template <class Enters>
  void collect(const Enters& enters, std::vector<std::uint32_t>& found) const;
  static double squared_distance(const Node& node, const Vec3& point);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> order_;
};

}  // namespace scree::mesh
