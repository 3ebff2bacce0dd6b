#pragma once
/// \file Shapes for kernels: vertices, edges and the tree of boxes as plain data without pointers. Host and device.
/// Lengths of the shape [m], in its body frame.

#include <cstddef>
#include <cstdint>

#include "segment.hpp"

namespace scree::spheropolygon {

/// A rectangle along the axes.
struct FlatBox {
  double low_x, low_y, high_x, high_y;

  SCREE_HD FlatBox grown(double by) const { return {low_x - by, low_y - by, high_x + by, high_y + by}; }
  SCREE_HD bool meets(const FlatBox& o) const {
    return low_x <= o.high_x && o.low_x <= high_x && low_y <= o.high_y && o.low_y <= high_y;
  }
  SCREE_HD bool holds(Point p) const { return low_x <= p.x && p.x <= high_x && low_y <= p.y && p.y <= high_y; }
};

SCREE_HD inline FlatBox flat_box_of(const Segment& e) {
  const double wx = e.hx < 0 ? -e.hx : e.hx, wy = e.hy < 0 ? -e.hy : e.hy;
  return {e.mx - wx, e.my - wy, e.mx + wx, e.my + wy};
}

struct alignas(16) FlatVertex {
  double x, y, radius;
  double share;          ///< see corner_shares()
  std::uint32_t degree;  ///< edges that begin or end there
};

struct alignas(16) FlatEdge {
  double mx, my, hx, hy;  ///< middle and half vector, like Segment
};

/// A box of the tree, in the order in which a walk meets them: what lies in a box follows it.
struct alignas(16) FlatNode {
  FlatBox box;
  std::uint32_t next;          ///< after all that lies in this one
  std::uint32_t first, count;  ///< edges of a run, of a body without edges vertices; count 0: an inner box
};

struct alignas(16) FlatShape {
  std::uint32_t vertex, edge, node;  ///< offsets from the begin of the tables [bytes]
  std::uint32_t vertices, edges, nodes;
  std::uint32_t closed;  ///< 1: its edges are a polygon
  double edge_radius, largest_vertex_radius;
  double reach;  ///< largest distance of a vertex from the origin
  FlatBox box;   ///< box of the vertices
};

/// A shape in the tables.
class TableShape {
 public:
  /// \param tables  begin with one FlatShape for each number of a shape
  SCREE_HD TableShape(const std::byte* tables, std::uint32_t number)
      : tables_(tables), row_(reinterpret_cast<const FlatShape*>(tables)[number]) {}

  SCREE_HD const FlatShape& row() const { return row_; }
  SCREE_HD const FlatVertex& vertex(std::uint32_t k) const {
    return reinterpret_cast<const FlatVertex*>(tables_ + row_.vertex)[k];
  }
  SCREE_HD const FlatEdge& edge(std::uint32_t k) const {
    return reinterpret_cast<const FlatEdge*>(tables_ + row_.edge)[k];
  }
  SCREE_HD Point point(std::uint32_t k) const { return {vertex(k).x, vertex(k).y}; }
  SCREE_HD std::uint32_t end_of(std::uint32_t edge) const { return edge + 1 == row_.vertices ? 0 : edge + 1; }

  /// Edges and vertices of a run: an open chain's last vertex belongs to its last edge.
  SCREE_HD std::uint32_t edges_end(const FlatNode& run) const { return row_.edges ? run.first + run.count : run.first; }
  SCREE_HD std::uint32_t vertices_end(const FlatNode& run) const {
    const std::uint32_t end = run.first + run.count;
    return row_.edges && end == row_.edges ? row_.vertices : end;
  }

  /// Calls visit(run) for the runs that lie in boxes for which enter(box) holds.
  template <class Enter, class Visit>
  SCREE_HD void walk(const Enter& enter, const Visit& visit) const {
    const FlatNode* const node = reinterpret_cast<const FlatNode*>(tables_ + row_.node);
    for (std::uint32_t k = 0; k < row_.nodes;) {
      const bool in = enter(node[k].box);
      if (in && node[k].count > 0) visit(node[k]);
      k = in ? k + 1 : node[k].next;
    }
  }

 private:
  const std::byte* tables_;
  const FlatShape& row_;
};

}  // namespace scree::spheropolygon
