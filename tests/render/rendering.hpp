#pragma once
/// \file The program scree-render, what it is given, and the pictures it makes.

#include <vtkImageData.h>
#include <vtkNew.h>
#include <vtkPNGReader.h>
#include <vtkSmartPointer.h>

#include <array>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <string>

#include "catch.hpp"
#include "scree/shape/shape.hpp"
#include "skip.hpp"

namespace scree::test {

namespace fs = std::filesystem;

inline constexpr double kRadius = 0.01;  // [m]

class Octahedron final : public Shape {
 public:
  int dimension() const noexcept override { return 3; }
  MassProperties mass(double density) const override { return {density, Vec3::Constant(density)}; }
  double bounding_radius() const noexcept override { return kRadius; }
  const void* facet(std::string_view) const noexcept override { return nullptr; }
  Surface surface() const override {
    Surface s;
    for (int axis = 0; axis < 3; ++axis)
      for (const double side : {kRadius, -kRadius}) s.points.push_back(side * Vec3::Unit(axis));
    s.cells = {{0, 2, 4}, {2, 1, 4}, {1, 3, 4}, {3, 0, 4}, {2, 0, 5}, {1, 2, 5}, {3, 1, 5}, {0, 3, 5}};
    return s;
  }
};

struct Outcome {
  int status;
  std::string output;  ///< both streams
};

inline Outcome render(const std::string& arguments, const std::string& environment = "") {
  const std::string command = environment + " " + SCREE_RENDER + " " + arguments + " 2>&1";
  std::FILE* pipe = ::popen(command.c_str(), "r");
  std::string output;
  std::array<char, 4096> chunk;
  while (const std::size_t n = std::fread(chunk.data(), 1, chunk.size(), pipe)) output.append(chunk.data(), n);
  const int status = ::pclose(pipe);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, output};
}

/// Drawing needs a display, or a virtual one.
inline bool can_draw() {
  if (std::getenv("DISPLAY") || std::system("command -v xvfb-run xauth >/dev/null") == 0) return true;
  skip_for_want_of("a display, or xvfb-run and xauth");
  return false;
}

struct Picture {
  vtkSmartPointer<vtkImageData> image;
  int width = 0, height = 0;

  explicit Picture(const fs::path& file) {
    vtkNew<vtkPNGReader> reader;
    reader->SetFileName(file.c_str());
    reader->Update();
    image = reader->GetOutput();
    width = image->GetDimensions()[0];
    height = image->GetDimensions()[1];
  }
  /// Share of pixels whose colour satisfies `wanted(red, green, blue)` with values 0..255.
  template <class Wanted>
  double share(Wanted&& wanted) const {
    int found = 0;
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x) {
        const auto* p = static_cast<unsigned char*>(image->GetScalarPointer(x, y, 0));
        found += wanted(p[0], p[1], p[2]) ? 1 : 0;
      }
    return static_cast<double>(found) / (width * height);
  }
};

/// The colour of slow bodies in the map viridis.
inline bool is_violet(int r, int g, int b) { return r < 90 && g < 50 && b > 70; }

}  // namespace scree::test
