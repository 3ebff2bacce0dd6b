#pragma once
/// \file What the detector keeps of each shape: nodes, tables, and a coarse map for quick rejection.

#include <cstdint>
#include <vector>

#include "radial_lookup.hpp"
#include "scree/shape/facets.hpp"

namespace scree::star {

/// Nodes of one side that are handled as one bit mask.
inline constexpr int kWindow = 128;
/// Lanes of the widest sweep: node columns are padded so that whole groups may be loaded.
inline constexpr int kLanes = 16;

/// Bits over a square about the outline's centre: set wherever a cell comes within `dilation` of the shape, never
/// missing one. A node that falls on a clear bit is outside and stays so until it has moved by `dilation`.
struct InsideMap {
  static constexpr int kCells = 256;
  std::vector<std::uint32_t> bits;  ///< row-major, 32 cells to a word
  float origin = 0;                 ///< of both axes [m]
  float cells_per_metre = 0;
  float dilation = 0;  ///< [m]

  bool test(float x, float y) const;
};

/// One cell of the single-precision table: r = value + slope t, t in [0, 1) over the cell.
struct FloatCell {
  float value, slope;
};

/// An outline as the detector uses it. Coordinates are about the outline's centre, axes of the body frame. Immutable.
struct Outline {
  static constexpr int kFloatCells = 4096;

  explicit Outline(const RadialFunction& function);

  /// r and r' towards (x, y): from the table, or from the function itself when there is none.
  RadialSample<double> sample(double x, double y) const;

  const RadialFunction* function;
  Vec2 centre;  ///< in the body frame [m]
  double r_max, r_min;
  int nodes;

  std::vector<double> x, y;  ///< (nodes) [m]
  /// (nodes) [m] the part of the outline between node i and the next lies within edge[i] of either of them.
  std::vector<double> edge;
  std::vector<RadialSample<double>> table;  ///< empty: none
  double cells_per_unit = 0;

  // Single precision, for the sweep. Node columns run on cyclically: any window of kWindow nodes is contiguous.
  std::vector<float> fx, fy;
  std::vector<FloatCell> float_table;
  float sign_error = 0;   ///< [m] bound of the error of r - rho in single precision
  float depth_error = 0;  ///< relative bound of the error of the depth beyond that
  InsideMap map;

 private:
  void place_nodes();
  void fill_table();
  void fill_float_table();
  void fill_map();
};

}  // namespace scree::star
