#pragma once
/// \file The spheres of a chunk's bodies in world axes: what both detectors loop over.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "scree/world/body_view.hpp"

namespace scree::spheres {

/// Data of a shape for the detectors; without spheres for shapes that have none.
struct Set {
  std::span<const Vec3> centres;
  std::span<const double> radii;
  bool is_sphere = false;  ///< one sphere about the origin
};

Set make_set(const Shape& shape);
/// Makes the data from spheres that a shape offers under another name. \param spheres  may be null
Set make_set(const SphereSet* spheres);

/// A sphere in world axes: one group of four numbers (scree/base/lanes.hpp).
struct alignas(32) PlacedSphere {
  Vec3 centre;    ///< [m]
  double radius;  ///< [m]
};
static_assert(sizeof(PlacedSphere) == 32);

/// One thread's working memory.
struct SphereTile {
  std::vector<PlacedSphere> spheres;
  std::vector<std::uint32_t> first;  ///< (bodies + 1) the spheres of row i are first[i] .. first[i + 1]

  void fill(const BodyView& bodies, std::span<const Set> sets);
};

/// Features tell the contacts of a pair apart, and are all there is to tell: the payload, which lets the core see at a
/// glance that nothing changed, is the feature again, from 1 on.
inline std::uint64_t payload_of(std::uint32_t feature) { return std::uint64_t{feature} + 1; }

}  // namespace scree::spheres
