#pragma once
/// \file Draws one frame to PNG.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "cut.hpp"

class vtkPolyData;

namespace scree::render {

/// What a frame shows; all but the particles may be null.
struct Subject {
  vtkSmartPointer<vtkPolyData> particles, walls, contacts;
  vtkSmartPointer<vtkPolyData> rods;  ///< lines with a radius at each point; their segments are none of the particles
  vtkSmartPointer<vtkPolyData> grains = nullptr;  ///< in points of a continuum: points with a radius
  vtkSmartPointer<vtkPolyData> stored;  ///< granules in a ledger; where they are given, colours tell states, not speed
  vtkSmartPointer<vtkPolyData> interface;  ///< the mesh about those; as for them
  double time = 0;                         ///< [s]
  bool tells_states() const { return stored != nullptr || interface != nullptr; }
};

/// In place of a column: each rod in a shade of brown, so that strands of hair can be told apart.
inline constexpr std::string_view kStrands = "strands";

/// What all frames of a film share.
struct View {
  vtkBoundingBox particles, walls;  ///< [m]
  double diameter = 0;              ///< of a typical particle [m]
  std::string column = "speed";     ///< what the colours tell
  bool as_sand = true;              ///< where there are grains, they have colours of sand instead
  std::string unit;                 ///< of it, where that is known
  double lowest =
      std::numeric_limits<double>::infinity();  ///< least and largest value; of speed nearly the largest [m/s]
  double highest = -std::numeric_limits<double>::infinity();
  std::optional<Cut> cut;  ///< in 3D the viewer stands before it

  /// Makes room for one more frame.
  void include(const Subject& subject);
};

/// The picture as the bytes of a PNG file.
/// \param width  of the picture [pixels]; its height follows from what is shown
std::string draw(const Subject& subject, const View& view, int width);

}  // namespace scree::render
