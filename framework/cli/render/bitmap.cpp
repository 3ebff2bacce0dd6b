#include "bitmap.hpp"

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGWriter.h>
#include <vtkRenderWindow.h>
#include <vtkUnsignedCharArray.h>

#include <algorithm>
#include <cmath>

namespace scree::render {

Bitmap grabbed(vtkRenderWindow& window, std::vector<float>* depth) {
  window.Render();
  const int *size = window.GetSize(), width = size[0], height = size[1];
  Bitmap picture(width, height);
  vtkNew<vtkUnsignedCharArray> pixels;
  window.GetRGBACharPixelData(0, 0, width - 1, height - 1, 0, pixels);
  const unsigned char* const from = pixels->GetPointer(0);
  for (std::size_t k = 0; k < picture.rgba.size(); ++k) picture.rgba[k] = static_cast<float>(from[k]) / 255;
  if (depth == nullptr) return picture;
  depth->resize(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
  window.GetZbufferData(0, 0, width - 1, height - 1, depth->data());
  return picture;
}

void lay_over(Bitmap& below, const Bitmap& above, int left, int bottom) {
  for (int y = std::max(0, -bottom); y < std::min(above.height, below.height - bottom); ++y)
    for (int x = std::max(0, -left); x < std::min(above.width, below.width - left); ++x) {
      const float* const over = above.at(x, y);
      float* const pixel = below.at(x + left, y + bottom);
      for (int c = 0; c < 4; ++c) pixel[c] = over[c] + (1 - over[3]) * pixel[c];
    }
}

Bitmap shrunk(const Bitmap& picture, int times) {
  Bitmap small(picture.width / times, picture.height / times);
  const float part = 1.0f / static_cast<float>(times * times);
  for (int y = 0; y < small.height * times; ++y)
    for (int x = 0; x < small.width * times; ++x)
      for (int c = 0; c < 4; ++c) small.at(x / times, y / times)[c] += part * picture.at(x, y)[c];
  return small;
}

std::vector<unsigned char> bytes_of(const Bitmap& picture, int channels) {
  std::vector<unsigned char> bytes;
  bytes.reserve(static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(picture.height) *
                static_cast<std::size_t>(channels));
  for (int y = picture.height - 1; y >= 0; --y)
    for (int x = 0; x < picture.width; ++x) {
      const float* const pixel = picture.at(x, y);
      const float opacity = channels == 4 && pixel[3] > 0 ? pixel[3] : 1;
      for (int c = 0; c < channels; ++c) {
        const float value = c < 3 ? pixel[c] / opacity : pixel[3];
        bytes.push_back(static_cast<unsigned char>(std::lround(255 * std::clamp(value, 0.0f, 1.0f))));
      }
    }
  return bytes;
}

std::string png_of(const Bitmap& picture, bool transparent) {
  const int channels = transparent ? 4 : 3;
  const auto bytes = bytes_of(picture, channels);
  vtkNew<vtkImageData> image;
  image->SetDimensions(picture.width, picture.height, 1);
  image->AllocateScalars(VTK_UNSIGNED_CHAR, channels);
  const std::size_t row = static_cast<std::size_t>(picture.width) * static_cast<std::size_t>(channels);
  auto* const to = static_cast<unsigned char*>(image->GetScalarPointer());
  for (std::size_t y = 0; y < static_cast<std::size_t>(picture.height); ++y)
    std::copy_n(bytes.data() + y * row, row, to + (static_cast<std::size_t>(picture.height) - 1 - y) * row);
  vtkNew<vtkPNGWriter> writer;
  writer->SetInputData(image);
  writer->WriteToMemoryOn();
  writer->Write();
  vtkUnsignedCharArray& file = *writer->GetResult();
  return {reinterpret_cast<const char*>(file.GetPointer(0)), static_cast<std::size_t>(file.GetNumberOfValues())};
}

}  // namespace scree::render
