#pragma once
/// \file What an integrator tells of a grid as VTK data.

#include <vtkSmartPointer.h>

#include "scree/base/grid_image.hpp"

class vtkImageData;

namespace scree::vtk {

/// One array of the points per field, in single precision.
vtkSmartPointer<vtkImageData> grid_picture(const GridImage& image);

}  // namespace scree::vtk
