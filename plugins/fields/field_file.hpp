#pragma once
/// \file Fields as VTK image data.

#include <vtkSmartPointer.h>

#include <span>

#include "grid.hpp"
#include "scree/base/grid_image.hpp"
#include "sums.hpp"

class vtkImageData;

namespace scree::fields {

/// Returns an image with a value per cell, in single precision. Field data has the number of samples, the width of the
/// kernel [m], and mass [kg] and momentum [kg m/s] beyond the ends of the grid, means over samples.
vtkSmartPointer<vtkImageData> field_image(const Grid& grid, std::span<const GridImage::Field> fields,
                                          const Outside& outside, double samples);

}  // namespace scree::fields
