#pragma once
/// \file Seams between flush obstacles, such as the tiles of a floor.
///
/// A body that slides or rolls over tiles is close to the edge of the next one. The linear bound on the gap to this
/// edge, u_N >= -gap/dt, forbids motion that the true gap allows: a ball of radius R at a distance d < 2 v dt from the
/// edge is slowed down and hops. As the edge lies in the plane of the tile under the body, the gap closes only as fast
/// as the body approaches this plane.

#include <span>
#include <vector>

#include "scree/integrate/impulse_problem.hpp"

namespace scree {
class World;
}

namespace scree::nonsmooth {

/// A contact k with an obstacle that the body approaches is flush where another contact j of the same body with an
/// obstacle is closer, the normals n_k and n_j differ by less than 84 degrees, and the obstacle's point of k lies in
/// the tangent plane of j, to 1 % of k's gap. Obstacles are bodies that do not move freely.
/// \param slant  (contacts) out: of flush contacts max(-u (n_k - n_j), 0), else 0 [m/s]; u is the velocity of the
/// body's
///               centre relative to the obstacle
void find_flush(const World& world, std::span<const ConeContact> contacts, std::vector<double>& slant);

}  // namespace scree::nonsmooth
