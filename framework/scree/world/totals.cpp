/// \file Totals over all bodies of a World. No sum depends on the order of rows.

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <vector>

#include "scree/base/exact_vector.hpp"
#include "scree/world/world.hpp"

namespace scree {

namespace {

/// Mixes 64-bit words of one body: each bit of the result depends on everything that was mixed in.
class Mixer {
 public:
  explicit Mixer(std::uint64_t start) { mix(start); }
  void mix(std::uint64_t bits) {
    hash_ ^= bits;
    hash_ *= 0x9e3779b97f4a7c15ull;
    hash_ ^= hash_ >> 32;
  }
  void mix(double value) { mix(std::bit_cast<std::uint64_t>(value)); }
  std::uint64_t hash() const { return hash_; }

 private:
  std::uint64_t hash_ = 0xcbf29ce484222325ull;
};

/// Returns the hash of all columns of a table, independent of the order of rows.
std::uint64_t hash_of(const Table& table) {
  std::vector<Mixer> rows;
  const auto ids = table.id.read();
  for (std::size_t i = 0; i < table.owned(); ++i) rows.emplace_back(ids[i]);
  for (const auto& column : table.columns()) {
    const std::size_t bytes = column->row_bytes(), words = (bytes + 7) / 8;
    const std::byte* at = column->read();
    for (Mixer& row : rows) {
      for (std::size_t k = 0; k < words; ++k) {
        std::uint64_t word = 0;
        std::memcpy(&word, at + 8 * k, std::min<std::size_t>(8, bytes - 8 * k));
        row.mix(word);
      }
      at += bytes;
    }
  }
  std::uint64_t sum = 0;
  for (const Mixer& row : rows) sum += row.hash();
  return sum;
}

/// Momentum of spin and kinetic energy of each body, by row.
struct Motions {
  explicit Motions(const World& world)
      : v(world.velocity.read()),
        w(world.angular_velocity.read()),
        q(world.orientation.read()),
        mass(world.mass.read()),
        inertia(world.inertia.read()) {}
  Vec3 spin_momentum(std::size_t i) const {
    const Vec3 spin_body = q[i].conjugate() * w[i];
    return q[i] * inertia[i].cwiseProduct(spin_body).eval();
  }
  double translation(std::size_t i) const { return 0.5 * mass[i] * v[i].squaredNorm(); }
  double rotation(std::size_t i, const Vec3& spin_momentum) const { return 0.5 * spin_momentum.dot(w[i]); }
  double kinetic(std::size_t i) const { return translation(i) + rotation(i, spin_momentum(i)); }
  std::span<const Vec3> v, w;
  std::span<const Quat> q;
  std::span<const double> mass;
  std::span<const Vec3> inertia;
};

}  // namespace

double kinetic_energy(const World& world, std::span<const Id> ids) {
  const Motions motion(world);
  const auto inverse_mass = world.inverse_mass.read();
  const auto all = world.id.read();
  ExactSum sum;
  for (std::size_t k = 0; k < ids.size(); ++k) {
    // Calls for all bodies pass their ids in the order of rows.
    const auto row = k < all.size() && all[k] == ids[k] ? std::optional(k) : world.row(ids[k]);
    if (row && inverse_mass[*row] > 0) sum.add(motion.kinetic(*row));
  }
  return sum.value();
}

Totals totals(const World& world, const Vec3& gravity) {
  const Motions motion(world);
  const auto x = world.position.read();
  const auto im = world.inverse_mass.read(), m = motion.mass;
  const ColumnStorage* const crossed = world.cell.any() ? world.find_column("cell_crossings") : nullptr;
  const std::span<const Vec3> crossings = crossed ? crossed->as<Vec3>() : std::span<const Vec3>();
  ExactSum translation, rotation, potential, mass;
  ExactVector momentum, angular_momentum;
  Totals sum;
  for (std::size_t i = 0; i < world.owned(); ++i) {
    if (im[i] == 0) continue;
    const Vec3 spin_momentum = motion.spin_momentum(i);
    translation.add(motion.translation(i));
    rotation.add(motion.rotation(i, spin_momentum));
    // Place of the body had it not been wrapped: a fall through a periodic cell gains energy all the way.
    Vec3 height = x[i];
    if (crossed) height += world.cell.edges * crossings[i];
    potential.add(-m[i] * gravity.dot(height));
    momentum.add(m[i] * motion.v[i]);
    angular_momentum.add(m[i] * x[i].cross(motion.v[i]) + spin_momentum);
    mass.add(m[i]);
    ++sum.dynamic_bodies;
  }
  sum.kinetic_translation = translation.value();
  sum.kinetic_rotation = rotation.value();
  sum.potential = potential.value();
  sum.momentum = momentum.value();
  sum.angular_momentum = angular_momentum.value();
  sum.mass = mass.value();
  return sum;
}

std::uint64_t state_hash(const World& world) {
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto q = world.orientation.read();
  const auto ids = world.id.read();
  std::uint64_t sum = 0;
  for (std::size_t i = 0; i < world.owned(); ++i) {
    Mixer body(ids[i]);
    for (int k = 0; k < 3; ++k) body.mix(x[i][k]), body.mix(v[i][k]), body.mix(w[i][k]);
    for (int k = 0; k < 4; ++k) body.mix(q[i].coeffs()[k]);
    sum += body.hash();
  }
  for (const auto& table : world.further_tables()) sum += hash_of(*table);
  return sum;
}

}  // namespace scree
