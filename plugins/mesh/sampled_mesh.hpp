#pragma once
/// \file Samples of the depth of a mesh in a body: the mesh cut finer where it may be deep.

#include <cstdint>
#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "critical_point.hpp"

namespace scree::mesh {

/// Table from pairs of nodes to a node, without memory of its own per entry.
class NodePairs {
 public:
  void clear();
  /// Returns where the value of a pair stands, and whether it is new. Valid until the next call.
  std::pair<std::uint32_t*, bool> at(std::uint32_t low, std::uint32_t high);

 private:
  struct Entry {
    std::uint64_t key;
    std::uint32_t value, stamp;  ///< empty where the stamp is not the present one
  };
  std::vector<Entry> entries_;
  std::size_t used_ = 0;
  std::uint32_t stamp_ = 0;
};

/// Cuts triangles in two until edges that may be deep are short. Whether an edge is cut depends on the edge alone, so
/// that the pieces of neighbours fit together.
class SampledMesh {
 public:
  /// A corner of the pieces, in the frame of the body's shape.
  struct Node {
    Vec3 at;  ///< [m]
    double depth;
    Feature feature;     ///< part of the mesh that the node lies within
    std::uint32_t part;  ///< number of that triangle, edge or vertex
  };
  struct Limits {
    double reach;    ///< radius about the body's origin beyond which nothing is deep [m]
    double spacing;  ///< length of edges that are not cut [m]
    double least;    ///< depth of what counts as deep [m]
  };

  void sample(const PlacedMesh& surface, const SmoothField& field, const Limits& limits);

  std::span<const Node> nodes() const { return nodes_; }
  /// Edges of the pieces whose both ends are deep. Some come twice.
  std::span<const std::pair<std::uint32_t, std::uint32_t>> edges() const { return edges_; }

 private:
  /// An edge of a piece, or the side of a triangle that it lies in.
  struct Side {
    Feature feature;
    std::uint32_t part;
    std::uint32_t middle;  ///< node in its middle, or kWhole if it is not cut
  };
  static constexpr std::uint32_t kWhole = std::numeric_limits<std::uint32_t>::max();

  double look(const Vec3& at) const;
  std::uint32_t vertex(std::uint32_t number);
  Side side(std::uint32_t a, std::uint32_t b, Feature feature, std::uint32_t part);
  bool may_be_deep(const Node& middle, double length) const;
  void cut(const std::uint32_t (&corner)[3], const Side (&side)[3], std::uint32_t face);

  const PlacedMesh* surface_ = nullptr;
  const SmoothField* field_ = nullptr;
  Limits limits_{};
  std::vector<Node> nodes_;
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges_;
  NodePairs of_vertex_;  ///< node of each vertex of the mesh, by its number twice
  NodePairs middle_;     ///< node in the middle of each edge, or kWhole, by its nodes
};

}  // namespace scree::mesh
