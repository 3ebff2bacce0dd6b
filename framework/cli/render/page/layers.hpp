#pragma once
/// \file Layers of a page as rows of tables: bodies, contact forces, rods and surfaces.

#include <cstdint>
#include <string>
#include <vector>

#include "page/table_block.hpp"

class vtkDataSetAttributes;
class vtkPolyData;

namespace scree::render {

class PageShapes;

/// Returns the bodies: `x`, `y`, `z` [m], `shape`, `size` (factor of the shape), the vector `turn_x`, `turn_y`,
/// `turn_z` of the rotation [rad], and all columns of one number. \param points  one per body \param balls   whether
/// shapes are balls of radius 1, and sizes their radii
PageRows body_rows(vtkPolyData& points, bool balls);

/// Returns the pairs in contact: `force`, the sum over their contacts [N], and `ends`. Lines run between the centres of
/// both bodies; with 1 in `ends` the first end is `ax`, `ay`, `az` in place of the first centre, with 2 the second end
/// `bx`, `by`, `bz`, with 3 both [m].
PageRows contact_rows(vtkPolyData& contacts, const PageRows& bodies);

/// Returns the points of rods: `x`, `y`, `z`, `radius` [m] and all columns of one number. Keys are the line's `strand`
/// and the place along it, so that neighbours follow each other.
PageRows rod_rows(vtkPolyData& rods);

/// Returns the corners of a surface: `x`, `y`, `z` [m].
PageRows corner_rows(vtkPolyData& surface);
/// Returns the cells of a surface, with all columns of one number.
PageRows cell_rows(vtkPolyData& surface);

/// Triangles of a surface, by numbers of its corners.
struct Topology {
  std::vector<std::uint32_t> triangles;  ///< (3 per triangle) corners
  std::vector<std::uint32_t> cells;      ///< (triangles) cell that each lies in
  std::vector<std::uint32_t> lines;      ///< (2 per line) corners
  bool operator==(const Topology&) const = default;
};
Topology topology_of(vtkPolyData& surface);

}  // namespace scree::render
