#pragma once
/// \file Grids of an integrator as VTK data.

#include <vtkSmartPointer.h>

#include "scree/base/grid_image.hpp"

class vtkImageData;

namespace scree::vtk {

/// One array of the points per field, in single precision.
vtkSmartPointer<vtkImageData> grid_picture(const GridImage& image);

}  // namespace scree::vtk
