#pragma once
/// \file Frames that give one point per body: the page itself draws each body's outline there.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>
#include <string>

#include "page/packed.hpp"

class vtkPolyData;

namespace scree::render {

/// The outlines of all shapes that frames show, for the page.
class Outlines {
 public:
  explicit Outlines(std::filesystem::path out);

  /// About the points and, for each, its outline.
  vtkBoundingBox box_of(vtkPolyData& bodies);
  /// Shape (16 bits), centre (3 of 16 bits, between the sides of the box), quaternion w x y z (4 of 16 bits, signed),
  /// size (32-bit float) and colour (8 bits) of all bodies, one column after another; as as_text() writes them.
  std::string pack(vtkPolyData& bodies, const vtkBoundingBox& box, const ColourRange& range);
  /// By shape, what has been packed so far: corners, triangles, edges.
  nlohmann::json told(bool flat);

 private:
  struct Outline {
    vtkSmartPointer<vtkPolyData> data;
    double reach;  ///< of its farthest corner [m]
  };
  /// Balls of radius 1 where the run wrote no outlines.
  const Outline& outline(int shape);
  double size_of(vtkPolyData& bodies, vtkIdType body) const;

  std::filesystem::path out_;
  bool balls_;
  std::map<int, Outline> outlines_;
};

}  // namespace scree::render
