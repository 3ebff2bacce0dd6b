#pragma once
/// \file Options of granular-culling in SI units.

#include <string>
#include <vector>

#include "cull/impact.hpp"
#include "field/solid_field.hpp"
#include "scree/scene/options.hpp"

namespace scree::culling {

enum class WallsAsSolid { none, fixed, all };

/// Lengths in granule diameters d are multiplied by d when the World is known: see Lengths.
struct Settings {
  std::vector<std::string> bodies;                           ///< names of entries; empty: all that move
  double window = 0;                                         ///< [s]
  int cull_every = 10, expose_every = 4, restore_every = 0;  ///< [windows]
  double gravity = 9.81;                                     ///< [m/s^2]
  double velocity_tolerance = 0.02;                          ///< [sqrt(g d)]
  double hold_time = 5;                                      ///< [sqrt(d/g)]
  bool held_at_start = true, mean_motion = false;
  int least_neighbours = 3;
  double contact_gap = 0.02, cage_gap = 0.42;                                             ///< [d]
  double depth_in = 2, depth_out = 0.9, ball_radius = 1, closing = 0.5, voxel = 1.0 / 3;  ///< [d]
  FieldKind field = FieldKind::automatic;
  double band = 0;  ///< [d]
  WallsAsSolid walls = WallsAsSolid::fixed;
  std::size_t smallest_group = 50;
  double impact_height = 1;  ///< [d]
  double load_factor = 4;
  double mean_windows = 20;
  CarveSize carve;
};

/// The greatest depth that is compared, below the surface of the field, with a voxel for what lies between [d].
double deepest_compared(const Settings& settings);

/// \throws OptionError for values that do not fit together
Settings read_settings(const Options& options);

}  // namespace scree::culling
