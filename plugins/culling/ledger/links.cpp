#include "ledger/links.hpp"

#include <algorithm>
#include <numeric>

#include "scree/grid/pair_finder.hpp"
#include "solid/granules.hpp"

namespace scree::culling {

namespace {

/// Granules of an aggregate in its frame: first those that are stored, then members.
struct Inside {
  std::vector<Id> id;
  std::vector<Vec3> centre;
  std::vector<double> radius;
  SphereList spheres;

  void add(const World& world, Id of, std::uint32_t shape, double scale, const Pose& pose) {
    const Shape& s = *world.shapes()[shape].shape;
    id.push_back(of), centre.push_back(pose.position), radius.push_back(scale * s.bounding_radius());
    spheres.add(s, scale, pose);
  }
};

Inside inside(const World& world, const Aggregate& a) {
  Inside all;
  for (const StoredGranule& g : a.stored) all.add(world, g.id, g.shape, g.scale, g.pose);
  const Pose frame = world_frame(world, a);
  for (const Id id : a.members) {
    const std::size_t i = *world.row(id);
    all.add(world, id, world.shape.read()[i], world.scale.read()[i],
            relative(frame, {world.position.read()[i], world.orientation.read()[i]}));
  }
  return all;
}

}  // namespace

std::vector<Link> links_of(const World& world, const Aggregate& a, double gap) {
  const Inside all = inside(world, a);
  const std::size_t stored = a.stored.size();
  std::vector<std::uint32_t> numbers(all.id.size());
  std::iota(numbers.begin(), numbers.end(), 0u);
  std::vector<RowPair> pairs;
  PairFinder().find(all.centre, all.radius, numbers, gap, pairs);
  std::vector<Link> links;
  for (const RowPair& p : pairs)
    if (std::min(p.i, p.j) < stored && all.spheres.gap(p.i, p.j) < gap)
      links.emplace_back(std::minmax(all.id[p.i], all.id[p.j]));
  const auto ids = std::span(all.id).first(stored);
  const auto is_stored = [&](Id id) { return std::ranges::binary_search(ids, id); };
  for (const HistoryRecord& r : a.history.unpacked())
    if (is_stored(r.a) || is_stored(r.b)) links.emplace_back(r.a, r.b);
  std::sort(links.begin(), links.end());
  links.erase(std::unique(links.begin(), links.end()), links.end());
  return links;
}

}  // namespace scree::culling
