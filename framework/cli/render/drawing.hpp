#pragma once
/// \file Drawing of one frame to PNG.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "cut.hpp"

class vtkPolyData;

namespace scree::render {

/// Content of a frame; all except the particles may be null.
struct Subject {
  vtkSmartPointer<vtkPolyData> particles, walls, contacts;
  vtkSmartPointer<vtkPolyData> rods;  ///< lines with a radius at each point; their segments are not among the particles
  vtkSmartPointer<vtkPolyData> grains = nullptr;  ///< grains in points of a continuum: points with a radius
  vtkSmartPointer<vtkPolyData> stored;            ///< granules in a ledger; if given, colours show states, not speed
  vtkSmartPointer<vtkPolyData> interface;         ///< mesh around these; colours likewise show states
  double time = 0;                                ///< [s]
  bool tells_states() const { return stored != nullptr || interface != nullptr; }
};

/// Name in place of a column: each rod in a shade of brown, so that strands of hair can be distinguished.
inline constexpr std::string_view kStrands = "strands";

/// Common settings of all frames of a film.
struct View {
  vtkBoundingBox particles, walls;  ///< [m]
  double diameter = 0;              ///< diameter of a typical particle [m]
  std::string column = "speed";     ///< column of the colours
  bool as_sand = true;              ///< true to colour grains like sand instead, if there are any
  std::string unit;                 ///< unit of the column, if known
  double lowest =
      std::numeric_limits<double>::infinity();  ///< smallest and largest value; for speed nearly the largest [m/s]
  double highest = -std::numeric_limits<double>::infinity();
  std::optional<Cut> cut;  ///< in 3D the viewer stands in front of it

  /// Extends the view for one more frame.
  void include(const Subject& subject);
};

/// Draws the picture as the bytes of a PNG file.
/// \param width  width of the picture [pixels]; its height follows from the content
std::string draw(const Subject& subject, const View& view, int width);

}  // namespace scree::render
