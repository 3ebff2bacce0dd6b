#pragma once
/// \file The spheres of a chunk's bodies in world axes, as columns: what both detectors loop over.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/shape/shape.hpp"
#include "scree/world/body_view.hpp"

namespace scree::spheres {

/// What the detectors know of a shape; without spheres for shapes that are none.
struct Set {
  std::span<const Vec3> centres;
  std::span<const double> radii;
  double reach = 0;        ///< bounding radius [m]
  bool is_sphere = false;  ///< one sphere about the origin
};

Set make_set(const Shape& shape);

/// One thread's working memory.
struct SphereTile {
  std::vector<double> x, y, z, r;    ///< world [m]
  std::vector<std::uint32_t> first;  ///< (bodies + 1) the spheres of row i are first[i] .. first[i + 1]
  bool only_spheres = false;         ///< every row is one sphere: row i is sphere i

  void fill(const BodyView& bodies, std::span<const Set> sets);
};

}  // namespace scree::spheres
