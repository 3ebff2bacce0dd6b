#include "solid/solid_test.hpp"

#include "scree/base/parallel.hpp"
#include "solid/rigid_fit.hpp"

namespace scree::culling {

namespace {

/// The mean motion without rotation: what a test that compares velocities alone would take.
RigidMotion mean_motion(std::span<const MovingPoint> points) {
  RigidMotion mean;
  for (const MovingPoint& p : points) mean.twist.velocity += p.velocity / static_cast<double>(points.size());
  return mean;
}

}  // namespace

std::vector<char> solid_now(const World& world, const Granules& granules, const Touching& touching,
                            const Touching& near, const SolidCriterion& criterion) {
  const auto x = world.position.read(), v = world.velocity.read(), w = world.angular_velocity.read();
  const auto radius = world.radius.read();
  std::vector<char> solid(granules.size(), 0);
  parallel_for(static_cast<std::ptrdiff_t>(granules.size()), [&](std::ptrdiff_t at) {
    const auto k = static_cast<std::size_t>(at);
    const auto enough = [&](std::span<const std::uint32_t> of) {
      return static_cast<int>(of.size()) >= criterion.least_neighbours;
    };
    const auto neighbours = enough(touching.of(k)) ? touching.of(k) : near.of(k);
    if (!granules.free(k)) solid[k] = 1;
    if (solid[k] || !enough(neighbours)) return;
    const std::size_t i = granules.row[k];
    thread_local std::vector<MovingPoint> points;
    points.assign(1, {x[i], v[i]});
    for (const std::uint32_t n : neighbours) points.push_back({x[granules.row[n]], v[granules.row[n]]});
    const RigidMotion fit = criterion.mean_motion ? mean_motion(points) : rigid_fit(points);
    const double slip = (v[i] - fit.at(x[i])).norm();
    const double spin = (w[i] - fit.twist.angular_velocity).norm() * radius[i];
    solid[k] = slip <= criterion.speed && spin <= criterion.speed && misfit(fit, points) <= criterion.speed;
  });
  return solid;
}

std::vector<std::uint64_t> neighbour_hashes(const Granules& granules, const Touching& touching) {
  std::vector<std::uint64_t> hashes(granules.size());
  for (std::size_t k = 0; k < granules.size(); ++k) {
    std::uint64_t hash = 0xcbf29ce484222325ull;  // FNV-1a over ids
    for (const std::uint32_t n : touching.of(k)) hash = (hash ^ granules.id[n]) * 0x100000001b3ull;
    hashes[k] = hash | 1;
  }
  return hashes;
}

}  // namespace scree::culling
