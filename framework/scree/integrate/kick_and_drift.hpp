#pragma once
/// \file Kick and drift of all bodies of a World: loops that apply the formulas of scree/integrate/rigid_body.hpp.

#include <span>

#include "scree/integrate/mechanics.hpp"

namespace scree {

/// Velocities += dt accelerations, which are those of the wrenches at the World's present orientations. \param dt  [s]
SCREE_API void kick(World& world, const Wrenches& wrenches, double dt);
/// Kicks some rows.
SCREE_API void kick(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double dt);

/// kick(), then drift: positions += dt velocities, orientations turn in the same way, members follow their owners. Only
/// free bodies move. \param kick, drift  [s]
SCREE_API void kick_and_drift(World& world, const Wrenches& wrenches, double kick, double drift);
/// Kicks and drifts some rows. Members are where their owners are, moved or not.
SCREE_API void kick_and_drift(World& world, std::span<const RowRange> rows, const Wrenches& wrenches, double kick,
                              double drift);

}  // namespace scree
