#pragma once
/// \file A pair of bodies in the plane, as outlines that stand somewhere.

#include "outline/outline.hpp"
#include "scree/detect/pair.hpp"
#include "scree/world/body_view.hpp"

namespace scree::star {

/// One pair as a detector sees it; index 0 is body a, 1 is body b.
template <class AnyOutline>
struct OutlinePair {
  const AnyOutline* outline[2];
  PlanarPose pose[2];
  Id id[2];
  std::uint32_t index = 0;   ///< in the span of pairs
  double scale[2] = {1, 1};  ///< size of either body relative to its shape, of which the outline is

  /// Returns the sizes of side `own` and of the other one.
  Sizes sizes(int own) const { return {scale[own], scale[1 - own]}; }
};
using StarPair = OutlinePair<Outline>;

/// Returns the pose of a body's outline. \param centre  centre of the outline in the frame of a body of its shape's
/// size [m]
inline PlanarPose planar_pose(const BodyView& bodies, std::uint32_t row, const Vec2& centre) {
  const Quat& q = bodies.row[row].orientation;
  const Vec3& x = bodies.row[row].position;
  const double scale = bodies.scale_of(row);
  return planar_pose(x.x(), x.y(), q.w(), q.z(), scale * centre.x(), scale * centre.y());
}

/// \param outline_of  shape -> its outline  \param index  of the pair in the span of pairs
template <class AnyOutline, class OutlineOf>
OutlinePair<AnyOutline> outline_pair(const OutlineOf& outline_of, const BodyView& bodies, const Pair& pair,
                                     std::uint32_t index) {
  OutlinePair<AnyOutline> result;
  result.index = index;
  const std::uint32_t rows[2] = {pair.a, pair.b};
  for (int side = 0; side < 2; ++side) {
    result.outline[side] = outline_of(bodies.shape[rows[side]]);
    result.pose[side] = planar_pose(bodies, rows[side], result.outline[side]->centre);
    result.id[side] = bodies.row[rows[side]].id;
    result.scale[side] = bodies.scale_of(rows[side]);
  }
  return result;
}

}  // namespace scree::star
