#pragma once
/// \file What contact methods see of the World: a small contiguous copy of the bodies of one chunk.

#include <cstddef>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree {

/// Rows of bodies, structure of arrays. Rows 0..owned-1 belong to the chunk, the others are halo; both are read only.
struct BodyView {
  std::size_t size = 0;
  std::size_t owned = 0;
  const Vec3* position = nullptr;          ///< (size) centre of mass, world [m]
  const Quat* orientation = nullptr;       ///< (size) body to world
  const Vec3* velocity = nullptr;          ///< (size) of the centre of mass [m/s]
  const Vec3* angular_velocity = nullptr;  ///< (size) world axes [rad/s]
  const std::uint32_t* shape = nullptr;    ///< (size) index into the shapes the detector was bound to
  const Id* id = nullptr;                  ///< (size)
};

}  // namespace scree
