#pragma once
/// \file Bodies of one chunk as a small contiguous copy: the part of the World that contact methods read.

#include <cstddef>
#include <cstdint>

#include "scree/base/types.hpp"

namespace scree {

/// Row of one body: two cache lines in four groups of four numbers. Loops over contacts load a group at a time
/// (scree/base/lanes.hpp), wherever the body lies in memory.
struct alignas(64) BodyRow {
  Vec3 position;          ///< centre of mass, world [m]
  double radius;          ///< bounding radius [m]
  Vec3 velocity;          ///< velocity of the centre of mass [m/s]
  double inverse_mass;    ///< inverse mass of the body that takes the forces (the owner, for a member) [1/kg]; 0 = does
                          ///< not move freely
  Vec3 angular_velocity;  ///< angular velocity, world axes [rad/s]
  Id id;
  Quat orientation;  ///< rotation from body to world
};
static_assert(sizeof(BodyRow) == 128);

/// Bodies of a chunk, read only.
struct BodyView {
  std::size_t size = 0;
  const BodyRow* row = nullptr;          ///< (size)
  const std::uint32_t* shape = nullptr;  ///< (size) index into the shapes that were passed to ContactDetector::bind()
  const double* scale = nullptr;         ///< (size) size relative to the shape; null where all are 1: see scale_of()

  double scale_of(std::size_t body) const { return scale ? scale[body] : 1; }
};

}  // namespace scree
