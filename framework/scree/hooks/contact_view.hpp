#pragma once
/// \file The contacts of the last step, for hooks that asked for them. Ordered by (id a, id b, image, feature).

#include <cstdint>
#include <vector>

#include "scree/base/types.hpp"

namespace scree {

struct ContactRecord {
  Id a, b;
  std::int32_t image;
  std::uint32_t feature;
  double overlap;  ///< [m]
  Vec3 normal;     ///< unit, from a to b
  Vec3 point;      ///< world [m]
  Vec3 force;      ///< on b [N]
};

using ContactView = std::vector<ContactRecord>;

}  // namespace scree
