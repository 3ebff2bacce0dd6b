#pragma once
/// \file Options of servo-wall.

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "scree/scene/options.hpp"

namespace scree::servo {

struct Settings {
  /// The load at a time, as a factor of the target.
  struct Row {
    double time, factor;  ///< [s], [-]
  };
  std::string bodies;                             ///< name of an entry of the scene's bodies
  Vec3 direction = Vec3::UnitZ();                 ///< unit: the way in which the wall pushes
  double target = 0;                              ///< [N], or [Pa] where there is an area
  std::vector<Row> load;                          ///< linear between rows; none: 1 at all times
  std::optional<double> area;                     ///< [m^2]; with spans: thickness of the sample [m], or 1
  std::vector<std::array<std::string, 2>> spans;  ///< pairs of entries whose distances the area is the product of
  double max_speed = 0;                           ///< [m/s]
  std::optional<double> gain;                     ///< [m/(N s)]
  double interval = 0;                            ///< between calls [s]
  double shortest = -1e300, longest = 1e300;      ///< displacements [m]
};

/// \throws OptionError for values that do not fit together
Settings read_settings(const Options& options);

/// Factor of the target at time t [s].
double load_at(const Settings& settings, double t);

}  // namespace scree::servo
