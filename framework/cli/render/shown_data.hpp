#pragma once
/// \file Data in the form for pictures, and their sizes.

#include <vtkSmartPointer.h>

class vtkDataArray;
class vtkPolyData;

namespace scree::render {

/// Share of speeds and forces that sets scales: the strongest hundredth is beyond them.
inline constexpr double kNearlyAll = 0.99;

/// Returns the value below which a share `part` of the values lies; 0 if there are none.
double quantile(vtkDataArray* values, double part);

/// Returns the median of the bodies' diameters: of their boxes' diagonals over that of a round body's box [m]. A body
/// is the consecutive cells of one `id`; without that, cells that share points.
double typical_diameter(vtkPolyData& particles);

/// Adds the cell array `size`: the diameter of each body [m], twice its `radius` where there is one.
void add_sizes(vtkPolyData& particles);

/// Returns the borders of flat bodies: edges that belong to one polygon once. Edges between the parts of an outline
/// that is not convex, which the writer gives as a fan or as triangles, occur twice.
vtkSmartPointer<vtkPolyData> outlines(vtkPolyData& data);

/// Returns edges where a surface turns by more than 30 degrees, and its borders.
vtkSmartPointer<vtkPolyData> sharp_edges(vtkPolyData& surfaces);

/// Returns the data with normals at the points, so that triangles of a round surface do not show; edges above 60
/// degrees stay sharp.
vtkSmartPointer<vtkPolyData> smooth(vtkPolyData& data);

/// Returns the lines with a radius [m] at each end, in proportion to the force; the strongest hundredth has the
/// largest.
vtkSmartPointer<vtkPolyData> with_radii(vtkPolyData& contacts, double largest);

/// Adds the cell array `name`: the number of each line.
void number_lines(vtkPolyData& lines, const char* name);

/// Returns rods as round tubes of the radius at each point [m], with all point data.
vtkSmartPointer<vtkPolyData> tubes(vtkPolyData& rods);

}  // namespace scree::render
