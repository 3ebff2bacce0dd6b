#pragma once
/// \file The grid that fields are written on.

#include <array>
#include <cstddef>

#include "scree/scene/options.hpp"
#include "scree/world/world.hpp"

namespace scree::fields {

/// Box of cells, numbered with x first. Along periodic axes it spans the periodic cell, which may deform: the number of
/// cells stays. In 2D counts[2] is 1, and a cell is as thick as the bodies.
struct Grid {
  int dimension = 3;
  Vec3 lower = Vec3::Zero(), spacing = Vec3::Ones();  ///< [m]
  std::array<int, 3> counts = {1, 1, 1};
  std::array<bool, 3> periodic = {false, false, false};
  double width = 0;   ///< standard deviation of the kernel along an axis [m]
  double radius = 0;  ///< radius of the kernel [m]

  std::size_t cells() const {
    return static_cast<std::size_t>(counts[0]) * static_cast<std::size_t>(counts[1]) *
           static_cast<std::size_t>(counts[2]);
  }
  double cell_volume() const { return spacing[0] * spacing[1] * spacing[2]; }
  double upper(int axis) const { return lower[axis] + counts[static_cast<std::size_t>(axis)] * spacing[axis]; }
  /// Moves the grid with the periodic cell.
  void follow(const PeriodicCell& cell);
};

/// Makes the grid of options `lower`, `upper`, `spacing`, `width` and `thickness`.
/// \param diameter  mean diameter of the grains [m], for defaults; 0: there are none
/// \throws OptionError
Grid make_grid(const Options& options, const PeriodicCell& cell, int dimension, double diameter);

/// Memory that a grid takes for each cell [bytes]: sums of a window, their copy in a checkpoint, and a frame while it
/// is written.
inline constexpr double kBytesPerCell = 1000;

}  // namespace scree::fields
