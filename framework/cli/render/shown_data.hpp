#pragma once
/// \file Data in the form in which pictures show them, and how large they are.

#include <vtkSmartPointer.h>

class vtkDataArray;
class vtkPolyData;

namespace scree::render {

/// Share of speeds and forces by which scales are set: the strongest hundredth is beyond them.
inline constexpr double kNearlyAll = 0.99;

/// The value below which a share `part` of the values lies; 0 of none.
double quantile(vtkDataArray* values, double part);

/// Median of the diagonals of the bodies' boxes over sqrt(2): the diameter of a round particle [m]. A body is one cell
/// or several that follow each other and share points with none of another body.
double typical_diameter(vtkPolyData& particles);

/// The borders of the bodies: edges that belong to one polygon once. Those between the parts of an outline that is
/// not convex, which the writer gives as a fan or as triangles, occur twice. Of solids all edges.
vtkSmartPointer<vtkPolyData> outlines(vtkPolyData& data, bool flat);

/// With normals at the points, so that triangles of a round surface do not show; edges above 60 degrees stay sharp.
vtkSmartPointer<vtkPolyData> smooth(vtkPolyData& data);

/// The lines with a radius [m] at each end, in proportion to the force; the strongest hundredth shares the largest.
vtkSmartPointer<vtkPolyData> with_radii(vtkPolyData& contacts, double largest);

/// Rods as round tubes of the radius at each point [m], with all point data.
vtkSmartPointer<vtkPolyData> tubes(vtkPolyData& rods);

}  // namespace scree::render
