#pragma once
/// \file Viewer: where it stands, and what it sees.

#include <vtkBoundingBox.h>

#include <optional>
#include <string>

#include "cut.hpp"
#include "scree/base/types.hpp"

class vtkCamera;
class vtkPolyData;

namespace scree::render {

/// Viewer's axes, of length 1: right, up, and out of the picture.
struct Axes {
  Vec3 right, up, out;

  /// Returns coordinates in these axes [m].
  Vec3 of(const Vec3& x) const { return {right.dot(x), up.dot(x), out.dot(x)}; }
  /// Returns a place in the scene [m].
  Vec3 back(const Vec3& x) const { return x[0] * right + x[1] * up + x[2] * out; }
};

/// Reads the direction of a view: from the subject to the viewer.
/// \param text  "front", "back", "left", "right", "top", "bottom", or three numbers "x,y,z"
/// \throws InputError
Vec3 parse_view(const std::string& text);

/// Returns the axes of a viewer that looks along the direction given, or else stands 27 degrees beside the normal of
/// the cut and somewhat above it; without a cut like that of one across y.
Axes viewer_axes(const std::optional<Vec3>& direction, const std::optional<Cut>& cut);

/// Returns the box around all points of cells in the viewer's axes. \param more  added on all sides [m]
vtkBoundingBox box_in(const Axes& axes, vtkPolyData& data, double more = 0);

/// Place and angle of a viewer that sees all of a box, or with a zoom its middle.
struct Lens {
  static constexpr double kHalfAngle = 0.17;  ///< half the angle of the height that is seen without a zoom [rad]

  Vec3 middle;        ///< point that the viewer looks at
  double distance;    ///< distance of the viewer from there [m]
  double half_angle;  ///< half the angle of the height that is seen [rad]

  /// \param box    in the viewer's axes
  /// \param shape  width over height of the picture
  Lens(const Axes& axes, const vtkBoundingBox& box, double shape, double zoom);
  void aim(vtkCamera& camera, const Axes& axes) const;
  /// Returns the height that is seen at the middle [m].
  double height() const;
};

}  // namespace scree::render
