#pragma once
/// \file Data of each shape for the detector: nodes, tables, and a coarse map for quick rejection.

#include <cstdint>
#include <vector>

#include "outline/radial_lookup.hpp"
#include "scree/detect/node_runs.hpp"
#include "scree/shape/facets.hpp"

namespace scree::star {

/// Most nodes of one side from its first to its last candidate that the fast path takes: one bit mask.
inline constexpr int kWindow = 64;
/// Nodes tested at a time: columns are padded so that whole groups may be loaded.
inline constexpr int kLanes = 16;

/// Bits over a square about the outline's centre: set wherever a cell comes within `dilation` of the shape, never
/// missing one. A node that falls on a clear bit is outside and stays so until it has moved by `dilation`.
struct InsideMap {
  static constexpr int kCells = 256;
  std::vector<std::uint32_t> bits;  ///< row-major, 32 cells to a word
  float origin = 0;                 ///< origin of both axes [m]
  float cells_per_metre = 0;
  float dilation = 0;  ///< [m]
};

/// An outline as the detector uses it. Coordinates are about the outline's centre, axes of the body frame. Immutable.
struct Outline {
  explicit Outline(const RadialFunction& function);

  /// r and r' towards (x, y): from the table, or from the function itself when there is none.
  RadialSample<double> sample(double x, double y) const;

  /// ring_interval() of a run, packed, by tables.
  std::uint64_t ring_interval_of(NodeRun run) const {
    return std::uint64_t{ring_first[run.first]} | std::uint64_t{ring_length[run.count]} << 16;
  }

  const RadialFunction* function;
  Vec2 centre;  ///< in the body frame [m]
  double r_max, r_min;
  float centre_reach2;  ///< [m^2] a point farther off than its root is outside
  int nodes;

  std::vector<PlanarPoint<double>> points;  ///< nodes [m], and cyclically kLanes more
  /// (nodes) [m] the part of the outline between node i and the next lies within edge[i] of either of them.
  std::vector<double> edge;
  std::vector<RadialSample<double>> table;  ///< empty: none
  double cells_per_unit = 0;

  // Single precision, for the sweep. Columns over nodes run on cyclically: what begins at any node is contiguous.
  std::vector<float> fx, fy;
  std::vector<float> edge_after, edge_before;  ///< lengths of the edges to the next and from the last node
  std::vector<FloatCell> float_table;
  float sign_error = 0;                                ///< [m] bound of the error of r - rho in single precision
  float depth_error = 0;                               ///< relative bound of the error of the depth beyond that
  std::vector<std::uint16_t> ring_first, ring_length;  ///< parts of ring_interval() by first node and by count
  InsideMap map;

 private:
  void place_nodes();
  void pad_columns();
  void fill_table();
  void fill_float_table();
  void fill_map();
};

}  // namespace scree::star
