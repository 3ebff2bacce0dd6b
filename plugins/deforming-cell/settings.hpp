#pragma once
/// \file Options of `deforming-cell`.

#include <optional>
#include <string>
#include <vector>

#include "scree/scene/options.hpp"

namespace scree::deforming_cell {

/// Component of the velocity gradient of a cell: d v[row] / d x[column].
struct Component {
  const char* name;
  int row, column;
};

/// Components in 2D: the first three; in 3D: all. Those below the diagonal would turn the cell.
inline constexpr Component kComponents[] = {{"xx", 0, 0}, {"yy", 1, 1}, {"xy", 0, 1},
                                            {"zz", 2, 2}, {"xz", 0, 2}, {"yz", 1, 2}};
inline std::span<const Component> components(int dimension) { return {kComponents, dimension == 2 ? 3u : 6u}; }

/// A component and its strain rate [1/s], or its stress [Pa].
struct Wanted {
  Component component;
  double value;
};

struct Settings {
  std::string name;
  std::vector<Wanted> rates, stresses;
  std::optional<double> viscosity;  ///< [Pa s]
  std::optional<double> max_rate;   ///< [1/s]
  double thickness = 1;             ///< in 2D [m]
  bool affine = true;
  double start = 0, interval = 0, stop = 1e300;  ///< [s]
};

/// \throws OptionError
Settings read_settings(const Options& options);

}  // namespace scree::deforming_cell
