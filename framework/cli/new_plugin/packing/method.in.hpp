#pragma once

#include <scree/plugin/plugin.hpp>

namespace @name@ {

/// Places in a ring.
/// \param radius  [m]
scree::Packed ring(const scree::Vec3& centre, double radius, std::int64_t count);

}  // namespace @name@
