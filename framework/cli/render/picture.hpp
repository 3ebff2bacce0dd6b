#pragma once
/// \file A window's picture as a PNG file.

#include <string>

class vtkRenderWindow;

namespace scree::render {

/// Bytes of a PNG of what the window shows, each pixel the mean of supersampling^2 of the window's.
std::string png_of(vtkRenderWindow& window, int supersampling);

}  // namespace scree::render
