#pragma once
/// \file Subject of a picture, and settings that all frames of a film have in common.

#include <vtkBoundingBox.h>
#include <vtkSmartPointer.h>

#include <limits>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "camera.hpp"
#include "colouring.hpp"

class vtkDataArray;
class vtkDataSetAttributes;
class vtkPolyData;

namespace scree::render {

/// Content of a frame; all except the particles may be null.
struct Subject {
  vtkSmartPointer<vtkPolyData> particles, walls, contacts;
  vtkSmartPointer<vtkPolyData> rods =
      nullptr;  ///< lines with a radius at each point; their segments are not among the particles
  vtkSmartPointer<vtkPolyData> grains = nullptr;     ///< grains in points of a continuum: points with a radius
  vtkSmartPointer<vtkPolyData> stored = nullptr;     ///< granules in a ledger; if given, colours show states, not speed
  vtkSmartPointer<vtkPolyData> interface = nullptr;  ///< mesh around these; colours likewise show states
  double time = 0;                                   ///< [s]
  bool tells_states() const { return stored != nullptr || interface != nullptr; }
};

/// Names in place of a column: each rod in a shade of brown; each body in a colour of its own; diameter of each body.
inline constexpr std::string_view kStrands = "strands", kPebbles = "pebbles", kSize = "size";

/// Choices of the user.
struct Style {
  std::optional<std::string> column;               ///< column or range of the colours
  std::optional<std::string> map;                  ///< colour map
  std::optional<std::pair<double, double>> range;  ///< column or range of the colours
  std::optional<Vec3> direction;                   ///< from the subject to the viewer, in 3D
  std::optional<Cut> cut;                          ///< in 3D the viewer stands in front of it
  double zoom = 1;                                 ///< the middle so many times larger
  bool legend = true;                              ///< time, scale and meaning of the colours
  bool transparent = false;                        ///< no background
};

/// Values that a column takes in all frames.
struct Values {
  double lowest = std::numeric_limits<double>::infinity(), highest = -std::numeric_limits<double>::infinity();
  double nearly_highest = 0;    ///< the largest of each frame's quantile kNearlyAll
  std::set<std::size_t> kinds;  ///< whole numbers, up to some dozens
  std::string unit;
};

/// Common settings of all frames of a film.
class View {
 public:
  explicit View(Style chosen) : style(std::move(chosen)), axes(viewer_axes(style.direction, style.cut)) {}

  /// Extends the view for one more frame.
  void include(const Subject& subject);
  /// Chooses colours after all frames are included. \throws InputError
  void choose_colours();

  bool is_flat() const { return flat_; }
  /// Returns what is to be seen, in the viewer's axes.
  vtkBoundingBox frame() const;
  bool is_empty() const { return !particles_.IsValid(); }

  Style style;
  Axes axes;
  double diameter = 0;  ///< diameter of a typical particle [m]
  Colouring colouring;

 private:
  void take(vtkDataSetAttributes& data);
  void take_names(vtkPolyData& data);
  std::string chosen_column() const;
  /// Checks whether a column parts the bodies into a few kinds that have names.
  bool tells_kinds(const std::string& column) const;
  bool varies(const std::string& column) const;

  bool flat_ = true, grains_ = false, states_ = false, solid_ = false;
  vtkBoundingBox particles_, walls_;  ///< in the scene [m]
  vtkBoundingBox box_;                ///< box of the particles, in the viewer's axes [m]
  std::map<std::string, Values> values_;
  std::map<std::string, std::vector<std::string>> names_;  ///< by column
  bool contacts_ = false;
};

/// Checks whether the numbers of a column are no amounts: group, material, shape.
bool is_kind(const std::string& column);

/// Checks whether grains move by more than a thirtieth of the speed that gravity gives them over their diameter.
/// \param speed  [m/s]   \param diameter  [m]
bool flows(double speed, double diameter);

/// Returns the diameter of the particles, or of the rods if there are only rods [m].
double diameter_of(const Subject& subject);

}  // namespace scree::render
