#include "solid/granules.hpp"

#include <algorithm>
#include <limits>

#include "scree/base/parallel.hpp"
#include "scree/grid/neighbour_query.hpp"

namespace scree::culling {

namespace {

/// The spheres of all granules; of granule k from start[k] on.
struct Spheres {
  std::vector<std::uint32_t> start;
  std::vector<Vec3> centre;
  std::vector<double> radius;
};

Spheres spheres_of(const World& world, const Granules& granules) {
  Spheres all;
  for (std::size_t k = 0; k < granules.size(); ++k) {
    const std::size_t i = granules.row[k];
    all.start.push_back(static_cast<std::uint32_t>(all.centre.size()));
    for_each_ball(*world.shapes()[world.shape.read()[i]].shape, world.scale.read()[i],
                  {world.position.read()[i], world.orientation.read()[i]}, [&](const Vec3& x, double r) {
                    all.centre.push_back(x);
                    all.radius.push_back(r);
                  });
  }
  all.start.push_back(static_cast<std::uint32_t>(all.centre.size()));
  return all;
}

/// Smallest distance between the surfaces of two granules [m].
double gap_between(const Spheres& all, std::uint32_t a, std::uint32_t b) {
  double gap = std::numeric_limits<double>::infinity();
  for (std::uint32_t s = all.start[a]; s < all.start[a + 1]; ++s)
    for (std::uint32_t t = all.start[b]; t < all.start[b + 1]; ++t)
      gap = std::min(gap, (all.centre[s] - all.centre[t]).norm() - all.radius[s] - all.radius[t]);
  return gap;
}

/// Both ways, from the neighbours of each granule that have a larger number, in ascending order.
Touching both_ways(const std::vector<std::vector<std::uint32_t>>& larger) {
  Touching touching;
  touching.start.assign(larger.size() + 1, 0);
  touching.wall.assign(larger.size(), 0);
  for (std::size_t k = 0; k < larger.size(); ++k) {
    touching.start[k + 1] += static_cast<std::uint32_t>(larger[k].size());
    for (const std::uint32_t n : larger[k]) ++touching.start[n + 1];
  }
  for (std::size_t k = 0; k < larger.size(); ++k) touching.start[k + 1] += touching.start[k];
  touching.neighbour.resize(touching.start.back());
  std::vector<std::uint32_t> next(touching.start.begin(), touching.start.end() - 1);
  for (std::uint32_t k = 0; k < larger.size(); ++k)  // smaller numbers come to a granule before its own larger ones
    for (const std::uint32_t n : larger[k]) touching.neighbour[next[k]++] = n, touching.neighbour[next[n]++] = k;
  return touching;
}

/// (granules) Smallest distance to a wall [m].
std::vector<double> wall_gaps(const World& world, const Spheres& all, std::span<const Wall> walls) {
  std::vector<double> distance(all.centre.size()), gaps(all.start.size() - 1, std::numeric_limits<double>::infinity());
  for (const Wall& wall : walls) {
    wall_distances(world, wall, all.centre, distance);
    for (std::size_t k = 0; k < gaps.size(); ++k)
      for (std::uint32_t s = all.start[k]; s < all.start[k + 1]; ++s)
        gaps[k] = std::min(gaps[k], distance[s] - all.radius[s]);
  }
  return gaps;
}

}  // namespace

std::size_t Granules::number(Id wanted) const {
  const auto at = std::lower_bound(id.begin(), id.end(), wanted);
  return at != id.end() && *at == wanted ? static_cast<std::size_t>(at - id.begin()) : size();
}

void Touching::add(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs) {
  std::vector<std::vector<std::uint32_t>> larger(wall.size());
  for (std::uint32_t k = 0; k < larger.size(); ++k)
    for (const std::uint32_t n : of(k))
      if (n > k) larger[k].push_back(n);
  for (const auto& [a, b] : pairs) larger[std::min(a, b)].push_back(std::max(a, b));
  for (auto& of_one : larger) {
    std::ranges::sort(of_one);
    of_one.erase(std::unique(of_one.begin(), of_one.end()), of_one.end());
  }
  std::vector<char> kept = std::move(wall);
  *this = both_ways(larger);
  wall = std::move(kept);
}

Neighbourhood find_neighbours(const World& world, const Granules& granules, std::span<const Wall> walls, double contact,
                              double cage) {
  const Spheres all = spheres_of(world, granules);
  const NeighbourQuery query(world);
  std::vector<std::vector<std::uint32_t>> touching(granules.size()), near(granules.size());
  parallel_for(static_cast<std::ptrdiff_t>(granules.size()), [&](std::ptrdiff_t at) {
    const auto k = static_cast<std::uint32_t>(at);
    const std::size_t i = granules.row[k];
    for (const Id id : query.near_sphere(world.position.read()[i], world.radius.read()[i] + cage)) {  // ascending
      if (id <= granules.id[k]) continue;
      const std::size_t n = granules.number(id);
      if (n == granules.size()) continue;
      const auto number = static_cast<std::uint32_t>(n);
      const double gap = gap_between(all, k, number);
      if (gap < cage) near[k].push_back(number);
      if (gap < contact) touching[k].push_back(number);
    }
  });
  Neighbourhood neighbours{both_ways(touching), both_ways(near)};
  const std::vector<double> gaps = wall_gaps(world, all, walls);
  for (std::size_t k = 0; k < granules.size(); ++k) {
    neighbours.touching.wall[k] = gaps[k] < contact;
    neighbours.near.wall[k] = gaps[k] < cage;
  }
  return neighbours;
}

void wall_distances(const World& world, const Wall& wall, std::span<const Vec3> points, std::span<double> distance) {
  const double scale = world.scale.read()[wall.row];
  const Vec3 x = world.position.read()[wall.row];
  const Quat back = world.orientation.read()[wall.row].conjugate();
  constexpr std::size_t kBatch = 4096;
  const std::size_t batches = (points.size() + kBatch - 1) / kBatch;
  parallel_for(
      static_cast<std::ptrdiff_t>(batches),
      [&](std::ptrdiff_t batch) {
        const std::size_t first = static_cast<std::size_t>(batch) * kBatch;
        const std::size_t size = std::min(kBatch, points.size() - first);
        std::vector<Vec3> body(size), gradient(size);
        for (std::size_t k = 0; k < size; ++k) body[k] = back * (points[first + k] - x) / scale;
        wall.distance->distance(body, distance.subspan(first, size), gradient);
        for (std::size_t k = 0; k < size; ++k) distance[first + k] *= scale;
      },
      2);
}

}  // namespace scree::culling
