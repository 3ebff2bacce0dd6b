#pragma once
/// \file What contact methods see of the World: a small contiguous copy of the bodies of one chunk.

#include <cstddef>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree {

/// One body, as two cache lines in four groups of four numbers, so that loops over contacts load a group at a time
/// (scree/base/lanes.hpp) wherever the body may lie.
struct alignas(64) BodyRow {
  Vec3 position;          ///< centre of mass, world [m]
  double radius;          ///< bounding radius [m]
  Vec3 velocity;          ///< of the centre of mass [m/s]
  double inverse_mass;    ///< of the body that takes the forces: the owner's, for a member; 0 = does not move freely
                          ///< [1/kg]
  Vec3 angular_velocity;  ///< world axes [rad/s]
  Id id;
  Quat orientation;  ///< body to world
};
static_assert(sizeof(BodyRow) == 128);

/// Bodies of a chunk, read only.
struct BodyView {
  std::size_t size = 0;
  const BodyRow* row = nullptr;          ///< (size)
  const std::uint32_t* shape = nullptr;  ///< (size) index into the shapes the detector was bound to
  const double* scale = nullptr;         ///< (size) size relative to the shape; null where all are 1: see scale_of()

  double scale_of(std::size_t body) const { return scale ? scale[body] : 1; }
};

}  // namespace scree
