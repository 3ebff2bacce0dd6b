#pragma once
/// \file Frames of bodies that a modifier has stored.

#include <set>

#include "scree/hooks/stored_bodies.hpp"

namespace scree {

/// Returns the frames that stored bodies move with. Contacts among such bodies, and the frame's members, are not
/// computed.
inline std::set<Id> frames_of_stored(const World& world) {
  std::set<Id> frames;
  for (const StoredBodies* const stored : stored_bodies(world))
    stored->each(world, [&](const BodyState& state) { frames.insert(state.owner); });
  return frames;
}

}  // namespace scree
