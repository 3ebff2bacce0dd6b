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

/// Returns the median of the diagonals of the bodies' boxes over sqrt(2): the diameter of a round particle [m]. A body
/// is one cell, or several consecutive ones that share points with none of another body.
double typical_diameter(vtkPolyData& particles);

/// Returns the borders of the bodies: edges that belong to one polygon once. Edges between the parts of an outline that
/// is not convex, which the writer gives as a fan or as triangles, occur twice. For solids it returns all edges.
vtkSmartPointer<vtkPolyData> outlines(vtkPolyData& data, bool flat);

/// Returns the data with normals at the points, so that triangles of a round surface do not show; edges above 60
/// degrees stay sharp.
vtkSmartPointer<vtkPolyData> smooth(vtkPolyData& data);

/// Returns the lines with a radius [m] at each end, in proportion to the force; the strongest hundredth has the
/// largest.
vtkSmartPointer<vtkPolyData> with_radii(vtkPolyData& contacts, double largest);

/// Returns rods as round tubes of the radius at each point [m], with all point data.
vtkSmartPointer<vtkPolyData> tubes(vtkPolyData& rods);

}  // namespace scree::render
