#pragma once
/// \file Picture of a window as a PNG file.

#include <string>

class vtkRenderWindow;

namespace scree::render {

/// Returns the bytes of a PNG of the window; each pixel is the mean of supersampling^2 pixels of the window.
std::string png_of(vtkRenderWindow& window, int supersampling);

}  // namespace scree::render
