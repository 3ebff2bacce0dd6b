#include "scree/setup/fast_bodies.hpp"

#include <cmath>

namespace scree {

std::optional<FastBody> find_fast_body(const World& world, double dt) {
  const auto v = world.velocity.read();
  const auto r = world.radius.read();
  double fastest = 1;  // displacement per diameter, squared
  std::optional<std::size_t> found;
  const auto id = world.id.read(), owner = world.owner.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (owner[i] != id[i] || std::isinf(r[i]) || r[i] == 0) continue;  // members; walls; frames
    const double ratio = v[i].squaredNorm() * dt * dt / (4 * r[i] * r[i]);
    if (ratio > fastest) fastest = ratio, found = i;
  }
  if (!found) return std::nullopt;
  return FastBody{id[*found], v[*found].norm() * dt, 2 * r[*found]};
}

}  // namespace scree
