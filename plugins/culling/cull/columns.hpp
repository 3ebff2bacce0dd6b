#pragma once
/// \file Memory of granules between windows, as columns of the World.

#include "scree/world/world.hpp"

namespace scree::culling {

enum : std::uint32_t { kExterior = 0, kInterface = 1 };

struct Columns {
  explicit Columns(World& world)
      : state(world.column<std::uint32_t>("culling_state")),
        held(world.column<double>("culling_held", "s", false)),
        neighbours(world.column<std::uint64_t>("culling_neighbours", "", false)),
        impulse(world.column<Vec3>("culling_impulse", "N s", false)),
        mean(world.column<Vec3>("culling_mean_impulse", "N s", false)),
        seen(world.column<Vec3>("culling_seen", "m", false)),
        windows(world.column<std::uint32_t>("culling_windows", "", false)) {}
  Column<std::uint32_t> state;       ///< kExterior or kInterface
  Column<double> held;               ///< time for which it has been solid [s]
  Column<std::uint64_t> neighbours;  ///< hash of those it touched in the last test; 0: there was none
  Column<Vec3> impulse;              ///< impulse of contacts in this window, members [N s]
  Column<Vec3> mean;                 ///< low-pass of that [N s]
  Column<Vec3> seen;                 ///< place when exposure was last looked for, in the frame of an aggregate [m]
  Column<std::uint32_t> windows;     ///< in which impulses were summed since it became a member
};

}  // namespace scree::culling
