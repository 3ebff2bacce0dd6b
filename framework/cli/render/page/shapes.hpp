#pragma once
/// \file Shapes of bodies, which a page holds once.

#include <vtkBoundingBox.h>

#include <filesystem>
#include <map>
#include <nlohmann/json.hpp>

#include "page/parts.hpp"

class vtkPolyData;

namespace scree::render {

class PageShapes {
 public:
  /// \param out  output folder of the run
  explicit PageShapes(std::filesystem::path out);

  /// Checks whether the run wrote no outlines, so that bodies are balls with a `radius`.
  bool are_balls() const { return balls_; }
  /// Checks whether a shape that was added is one ball or disc about its centre.
  bool is_round(int shape) const;
  /// Adds the shapes of these bodies. \return box around the bodies [m] \throws IoError
  vtkBoundingBox add(vtkPolyData& points, Parts& parts);
  /// Returns the median of twice the reach of bodies whose shapes were added [m].
  double diameter(vtkPolyData& points) const;
  /// Returns the shapes by number: `balls` in 3D or discs in a plane, each x, y, z and radius in the shape's own axes;
  /// numbers of corners and triangles, and the part that has both (32-bit floats, 32-bit whole numbers).
  const nlohmann::json& told() const { return told_; }

 private:
  struct Size {
    double reach, height;  ///< farthest corner from the centre, and along z [m]
  };
  const Size& size_of(int shape, Parts& parts);

  std::filesystem::path out_;
  bool balls_;
  std::map<int, Size> sizes_;
  nlohmann::json told_ = nlohmann::json::object();
};

}  // namespace scree::render
