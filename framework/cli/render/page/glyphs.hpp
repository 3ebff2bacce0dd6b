#pragma once
/// \file Frames with one point per body: the page itself draws each body's outline there.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "page/packed.hpp"

class vtkPolyData;

namespace scree::render {

/// Outlines of all shapes in the frames, for the page.
class Outlines {
 public:
  explicit Outlines(std::filesystem::path out);

  /// Returns the box around the points and their outlines.
  vtkBoundingBox box_of(vtkPolyData& bodies);
  /// Packs all bodies, one column after another, in the form of as_text(): shape (16 bits), centre (3 of 16 bits,
  /// between the sides of the box), quaternion w x y z (4 of 16 bits, signed), size (32-bit float) and colour (8 bits).
  std::string pack(vtkPolyData& bodies, const vtkBoundingBox& box, const ColourRange& range);
  /// Returns the outlines packed so far, by shape: corners, triangles, edges.
  nlohmann::json told(bool flat);

 private:
  struct Outline {
    vtkSmartPointer<vtkPolyData> data;
    double reach;  ///< distance of its farthest corner [m]
  };
  /// Returns an outline: a ball of radius 1 if the run wrote no outlines.
  const Outline& outline(int shape);
  double size_of(vtkPolyData& bodies, vtkIdType body) const;

  std::filesystem::path out_;
  bool balls_;
  std::map<int, Outline> outlines_;
};

}  // namespace scree::render
