#include "solid/granules.hpp"

#include <algorithm>
#include <iterator>
#include <limits>
#include <utility>

#include "scree/base/parallel.hpp"
#include "scree/grid/pair_finder.hpp"

namespace scree::culling {

namespace {

SphereList spheres_of(const World& world, const Granules& granules) {
  SphereList all;
  for (const std::uint32_t i : granules.row)
    all.add(*world.shapes()[world.shape.read()[i]].shape, world.scale.read()[i],
            {world.position.read()[i], world.orientation.read()[i]});
  return all;
}

/// Two numbers of granules.
using NumberPair = std::pair<std::uint32_t, std::uint32_t>;

/// Both ways, each pair once. \param pairs  in any order
Touching both_ways(std::size_t granules, std::span<const NumberPair> pairs) {
  Touching touching;
  touching.wall.assign(granules, 0);
  std::vector<std::uint32_t> start(granules + 1, 0);
  for (const auto& [a, b] : pairs) ++start[a + 1], ++start[b + 1];
  for (std::size_t k = 0; k < granules; ++k) start[k + 1] += start[k];
  std::vector<std::uint32_t> found(start.back()), next(start.begin(), start.end() - 1);
  for (const auto& [a, b] : pairs) found[next[a]++] = b, found[next[b]++] = a;
  parallel_for(static_cast<std::ptrdiff_t>(granules), [&](std::ptrdiff_t k) {
    std::sort(found.begin() + start[static_cast<std::size_t>(k)],
              found.begin() + start[static_cast<std::size_t>(k) + 1]);
  });
  touching.neighbour.reserve(found.size());
  touching.start.reserve(granules + 1);
  for (std::size_t k = 0; k < granules; ++k) {
    touching.start.push_back(static_cast<std::uint32_t>(touching.neighbour.size()));
    std::unique_copy(found.begin() + start[k], found.begin() + start[k + 1], std::back_inserter(touching.neighbour));
  }
  touching.start.push_back(static_cast<std::uint32_t>(touching.neighbour.size()));
  return touching;
}

/// Pairs of granules whose bounding spheres are nearer than `reach` [m].
std::vector<NumberPair> pairs_within(const World& world, const Granules& granules, double reach) {
  std::vector<RowPair> rows;
  PairFinder().find(world.position.read(), world.radius.read(), granules.row, reach, rows);
  std::vector<std::uint32_t> number(world.size());
  for (std::uint32_t k = 0; k < granules.size(); ++k) number[granules.row[k]] = k;
  std::vector<NumberPair> pairs(rows.size());
  parallel_for(static_cast<std::ptrdiff_t>(rows.size()), [&](std::ptrdiff_t at) {
    const RowPair& pair = rows[static_cast<std::size_t>(at)];
    pairs[static_cast<std::size_t>(at)] = {number[pair.i], number[pair.j]};
  });
  return pairs;
}

/// (granules) Smallest distance to a wall [m].
std::vector<double> wall_gaps(const World& world, const SphereList& all, std::span<const Wall> walls) {
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

void SphereList::add(const Shape& shape, double scale, const Pose& pose) {
  for_each_ball(shape, scale, pose, [&](const Vec3& x, double r) { centre.push_back(x), radius.push_back(r); });
  start.push_back(static_cast<std::uint32_t>(centre.size()));
}

double SphereList::gap(std::size_t a, std::size_t b) const {
  double least = std::numeric_limits<double>::infinity();
  for (std::uint32_t s = start[a]; s < start[a + 1]; ++s)
    for (std::uint32_t t = start[b]; t < start[b + 1]; ++t)
      least = std::min(least, (centre[s] - centre[t]).norm() - radius[s] - radius[t]);
  return least;
}

std::size_t Granules::number(Id wanted) const {
  const auto at = std::lower_bound(id.begin(), id.end(), wanted);
  return at != id.end() && *at == wanted ? static_cast<std::size_t>(at - id.begin()) : size();
}

void Touching::add(std::span<const std::pair<std::uint32_t, std::uint32_t>> pairs) {
  std::vector<NumberPair> all(pairs.begin(), pairs.end());
  for (std::uint32_t k = 0; k < wall.size(); ++k)
    for (const std::uint32_t n : of(k))
      if (n > k) all.emplace_back(k, n);
  std::vector<char> kept = std::move(wall);
  *this = both_ways(kept.size(), all);
  wall = std::move(kept);
}

Neighbourhood find_neighbours(const World& world, const Granules& granules, std::span<const Wall> walls, double contact,
                              double cage) {
  const SphereList all = spheres_of(world, granules);
  std::vector<NumberPair> near = pairs_within(world, granules, cage), touching;
  std::vector<double> gap(near.size());
  parallel_for(static_cast<std::ptrdiff_t>(near.size()), [&](std::ptrdiff_t at) {
    const auto k = static_cast<std::size_t>(at);
    gap[k] = all.gap(near[k].first, near[k].second);
  });
  std::size_t kept = 0;
  for (std::size_t k = 0; k < near.size(); ++k) {
    if (gap[k] < contact) touching.push_back(near[k]);
    if (gap[k] < cage) near[kept++] = near[k];
  }
  near.resize(kept);
  Neighbourhood neighbours{both_ways(granules.size(), touching), both_ways(granules.size(), near)};
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
