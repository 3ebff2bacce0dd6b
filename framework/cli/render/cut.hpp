#pragma once
/// \file Plane that cuts a picture open: everything in front of it is left out.

#include <vtkSmartPointer.h>

#include <string>

#include "scree/base/types.hpp"

class vtkPolyData;

namespace scree::render {

/// Half-space that is left out: normal . x > offset.
struct Cut {
  Vec3 normal;    ///< normal of any length but zero [-]; the viewer stands on its side
  double offset;  ///< [m], times the length of the normal

  bool leaves_out(const Vec3& point) const { return normal.dot(point) > offset; }
};

/// Reads a cut.
/// \param text  "y=0.1": an axis and a place [m], of which the side towards the viewer is left out: x and z above it, y
///              below it; or a plane "nx,ny,nz,d"
/// \throws InputError
Cut parse_cut(const std::string& text);

/// Returns the bodies whose centre the cut does not leave out; no body is cut through. A body is a point, or the cells
/// of one `id`, with the centre of their box; a cell without `id` is a body of its own.
vtkSmartPointer<vtkPolyData> without_front(vtkPolyData& bodies, const Cut& cut);

/// Returns walls without the pieces of their surface that the cut leaves out whole: one sees into hoppers and pipes.
/// Pieces that reach through the plane, as a floor does, stay.
vtkSmartPointer<vtkPolyData> opened(vtkPolyData& walls, const Cut& cut);

}  // namespace scree::render
