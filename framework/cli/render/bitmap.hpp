#pragma once
/// \file Pictures in memory.

#include <cstddef>
#include <string>
#include <vector>

class vtkRenderWindow;

namespace scree::render {

/// Rows of pixels, the lowest first. Colours are from 0 to 1, and already multiplied by the opacity.
struct Bitmap {
  int width = 0, height = 0;
  std::vector<float> rgba;

  Bitmap() = default;
  Bitmap(int w, int h) : width(w), height(h), rgba(4 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h), 0) {}
  float* at(int x, int y) { return rgba.data() + index(x, y); }
  const float* at(int x, int y) const { return rgba.data() + index(x, y); }

 private:
  std::size_t index(int x, int y) const {
    return 4 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x));
  }
};

/// Renders a window and returns what it shows, with opacity. \param depth  if given, gets the window's depths, 0 to 1
Bitmap grabbed(vtkRenderWindow& window, std::vector<float>* depth = nullptr);

/// Lays one picture over another. \param left, bottom  place of its lower left corner [pixels]
void lay_over(Bitmap& below, const Bitmap& above, int left, int bottom);

/// Returns a smaller picture, whose pixels are the means of squares.
Bitmap shrunk(const Bitmap& picture, int times);

/// Returns rows of 8-bit pixels, the highest first. \param channels  3, or 4 with opacity
std::vector<unsigned char> bytes_of(const Bitmap& picture, int channels);

/// Returns the bytes of a PNG file. \param transparent  whether it has opacity
std::string png_of(const Bitmap& picture, bool transparent);

}  // namespace scree::render
