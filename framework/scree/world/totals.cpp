/// \file What all bodies of a World amount to, in id order.

#include <bit>
#include <cstdint>

#include "scree/world/rows_by_id.hpp"
#include "scree/world/world.hpp"

namespace scree {

Totals totals(const World& world, const Vec3& gravity) {
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  const auto m = world.mass.read(), im = world.inverse_mass.read();
  const auto inertia = world.inertia.read();
  const ColumnStorage* const crossed = world.cell.any() ? world.find_column("cell_crossings") : nullptr;
  Totals sum;
  for (const std::uint32_t i : rows_by_id(world)) {
    if (im[i] == 0) continue;
    const Vec3 spin_body = q[i].conjugate() * w[i];
    const Vec3 spin_momentum = q[i] * inertia[i].cwiseProduct(spin_body).eval();
    sum.kinetic_translation += 0.5 * m[i] * v[i].squaredNorm();
    sum.kinetic_rotation += 0.5 * spin_momentum.dot(w[i]);
    // Where the body would be had it not been wrapped: a fall through a periodic cell gains energy all the way.
    Vec3 height = x[i];
    if (crossed) height += world.cell.length.cwiseProduct(Column<Vec3>(const_cast<ColumnStorage*>(crossed)).read()[i]);
    sum.potential -= m[i] * gravity.dot(height);
    sum.momentum += m[i] * v[i];
    sum.angular_momentum += m[i] * x[i].cross(v[i]) + spin_momentum;
    sum.mass += m[i];
    ++sum.dynamic_bodies;
  }
  return sum;
}

std::uint64_t state_hash(const World& world) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  const auto mix = [&hash](double value) {
    hash ^= std::bit_cast<std::uint64_t>(value);
    hash *= 0x100000001b3ull;
    hash ^= hash >> 29;
  };
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  const auto ids = world.id.read();
  for (const std::uint32_t i : rows_by_id(world)) {
    hash = (hash ^ ids[i]) * 0x100000001b3ull;
    for (int k = 0; k < 3; ++k) mix(x[i][k]), mix(v[i][k]), mix(w[i][k]);
    for (int k = 0; k < 4; ++k) mix(q[i].coeffs()[k]);
  }
  return hash;
}

}  // namespace scree
