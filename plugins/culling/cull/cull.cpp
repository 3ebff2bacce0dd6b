/// \file Culling: which granules are solid and deep, and their way into the ledger.

#include <algorithm>
#include <cmath>
#include <utility>

#include "cull/columns.hpp"
#include "cull/culling.hpp"
#include "cull/sorted_ids.hpp"

namespace scree::culling {

namespace {

enum : std::uint64_t { kStored = 3, kLocked = 4 };

/// FNV-1a over the ids that are marked, never 0.
std::uint64_t hash_of(const Granules& granules, const std::vector<char>& marked) {
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (std::size_t k = 0; k < granules.size(); ++k)
    if (marked[k]) hash = (hash ^ granules.id[k]) * 0x100000001b3ull;
  return hash | 1;
}

}  // namespace

/// Calls f(row) for each granule in the World, in the order of rows.
template <class F>
void Culling::for_each_granule(const World& world, const F& f) const {
  const auto ids = world.id.read(), owners = world.owner.read();
  const auto kinds = world.kind.read(), groups = world.group.read(), shapes = world.shape.read();
  std::vector<char> of_spheres;
  for (const ShapeEntry& entry : world.shapes()) of_spheres.push_back(facet<SphereSet>(*entry.shape) != nullptr);
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (kinds[i] == static_cast<std::uint32_t>(BodyKind::dynamic) && is_granule_(groups[i]) && of_spheres[shapes[i]] &&
        (owners[i] == ids[i] || ledger_.aggregates.contains(owners[i])))
      f(i);
}

std::size_t Culling::count_granules(const World& world) const {
  std::size_t count = 0;
  for_each_granule(world, [&](std::uint32_t) { ++count; });
  return count;
}

Granules Culling::granules(const World& world) const {
  const auto ids = world.id.read(), owners = world.owner.read();
  std::vector<std::pair<Id, std::uint32_t>> found;
  for_each_granule(world, [&](std::uint32_t i) { found.emplace_back(ids[i], i); });
  std::sort(found.begin(), found.end());
  Granules granules;
  for (const auto& [id, i] : found) {
    granules.id.push_back(id);
    granules.row.push_back(i);
    granules.owner.push_back(owners[i]);
  }
  return granules;
}

/// Bodies that are no granules. \param as_solid  only those that count as matter when depth is measured
std::vector<Wall> Culling::walls(const World& world, bool as_solid) const {
  std::vector<Wall> walls;
  for (std::size_t i = 0; i < world.size(); ++i) {
    const auto kind = static_cast<BodyKind>(world.kind.read()[i]);
    if (kind == BodyKind::dynamic && (as_solid || is_granule_(world.group.read()[i]))) continue;
    if (as_solid &&
        (set_.walls == WallsAsSolid::none || (kind == BodyKind::prescribed && set_.walls == WallsAsSolid::fixed)))
      continue;
    if (const auto* distance = facet<SignedDistance>(*world.shapes()[world.shape.read()[i]].shape))
      walls.push_back({i, distance});
  }
  std::ranges::sort(walls, {}, [&](const Wall& w) { return world.id.read()[w.row]; });
  return walls;
}

/// Adds one test to how long granules have been solid. \return (granules) whether that is long enough
std::vector<char> Culling::frozen(World& world, const Granules& granules, const Touching& touching,
                                  const Touching& near) {
  const double scale = std::sqrt(set_.gravity * diameter_), passed = set_.cull_every * set_.window;
  const double needed = set_.hold_time * std::sqrt(diameter_ / set_.gravity);
  std::vector<char> solid = solid_now(world, granules, touching, near,
                                      {set_.velocity_tolerance * scale, set_.least_neighbours, set_.mean_motion});
  const std::vector<std::uint64_t> neighbours = neighbour_hashes(granules, touching);
  Columns columns(world);
  const auto held = columns.held.write();
  const auto touched = columns.neighbours.write();
  const bool first = !tested_ && set_.held_at_start;
  for (std::size_t k = 0; k < granules.size(); ++k) {
    if (!granules.free(k)) continue;
    const std::size_t i = granules.row[k];
    const bool same = touched[i] == neighbours[k];
    touched[i] = neighbours[k];
    held[i] = !solid[k] ? 0 : first ? needed : same ? held[i] + passed : 0;
    solid[k] = solid[k] && held[i] >= needed;
  }
  tested_ = true;
  return solid;
}

void Culling::add_stored_balls(const World& world, std::vector<Ball>& balls) const {
  for (const auto& [owner, a] : ledger_.aggregates) {
    const Pose frame = world_frame(world, a);
    for (const StoredGranule& g : a.stored)
      for_each_ball(*world.shapes()[g.shape].shape, g.scale, composed(frame, g.pose), [&](const Vec3& x, double r) {
        balls.push_back({x, r + wrap()});
      });
  }
}

/// Union of balls and walls with its cavities filled, all of it dilated by the radius of closing: the closed surface is
/// where the depth is that radius. (The distance from a dilated set is that from the set, less the radius, so that
/// nothing has to be eroded.)
/// \param balls  larger than granules by wrap()
std::unique_ptr<SolidField> Culling::outer_surface(const World& world, std::span<const Ball> balls,
                                                   const FieldBox& box) const {
  auto field = make_field(set_.field, box, set_.band * diameter_, balls.size());
  field->add(balls);
  for (const Wall& wall : walls(world, true))
    field->add_wall(
        [&](std::span<const Vec3> points, std::span<double> distance) {
          wall_distances(world, wall, points, distance);
          for (double& d : distance) d -= wrap();
        },
        facet<ExactDistance>(*world.shapes()[world.shape.read()[wall.row]].shape) != nullptr);
  field->fill_cavities();
  return field;
}

/// (granules) Solid, not near a wall, and among solid ones only; free or not.
std::vector<char> Culling::enclosed(const Granules& granules, const std::vector<char>& frozen, const Touching& near) {
  std::vector<char> may(granules.size(), 0);
  for (std::uint32_t k = 0; k < granules.size(); ++k)
    may[k] =
        frozen[k] && !near.wall[k] && std::ranges::all_of(near.of(k), [&](std::uint32_t n) { return frozen[n] != 0; });
  return may;
}

/// Returns the box this far around the places, no wider than the balls need. Drops balls that do not reach into it.
FieldBox Culling::box_about(std::span<const Vec3> places, std::vector<Ball>& balls, double far) const {
  FieldBox box{Vec3::Constant(1e300), Vec3::Constant(-1e300), set_.voxel * diameter_};
  for (const Vec3& x : places) box.lower = box.lower.cwiseMin(x), box.upper = box.upper.cwiseMax(x);
  box.lower -= Vec3::Constant(far), box.upper += Vec3::Constant(far);
  FieldBox all{Vec3::Constant(1e300), Vec3::Constant(-1e300), 0};
  std::erase_if(balls, [&](const Ball& ball) {
    return ((ball.centre - box.lower).array() < -ball.radius).any() ||
           ((box.upper - ball.centre).array() < -ball.radius).any();
  });
  for (const Ball& ball : balls) {
    const Vec3 wide = Vec3::Constant(ball.radius + diameter_);
    all.lower = all.lower.cwiseMin(ball.centre - wide), all.upper = all.upper.cwiseMax(ball.centre + wide);
  }
  box.lower = box.lower.cwiseMax(all.lower), box.upper = box.upper.cwiseMin(all.upper);
  return box;
}

/// (granules) Enclosed, and deep below the surface of all that is solid. Pairs with history count as near, however far
/// apart.
std::vector<char> Culling::candidates(const World& world, const Granules& granules, const std::vector<char>& frozen,
                                      Touching& near, HistoryStore& history) const {
  const std::vector<char> may = enclosed(granules, frozen, near);
  std::vector<char> deep(granules.size(), 0);
  const auto left = static_cast<std::size_t>(std::ranges::count_if(may, [](char c) { return c != 0; }));
  if (left == 0 || (ledger_.aggregates.empty() && left < static_cast<std::size_t>(set_.smallest_group))) return deep;

  std::vector<std::uint32_t> inner;
  std::vector<Vec3> places;
  std::vector<Ball> balls;
  for (std::uint32_t k = 0; k < granules.size(); ++k) {
    if (!frozen[k]) continue;
    const std::size_t i = granules.row[k];
    if (may[k]) inner.push_back(k), places.push_back(world.position.read()[i]);
    for_each_ball(*world.shapes()[world.shape.read()[i]].shape, world.scale.read()[i],
                  {world.position.read()[i], world.orientation.read()[i]}, [&](const Vec3& x, double r) {
                    balls.push_back({x, r + wrap()});
                  });
  }
  add_stored_balls(world, balls);
  const double needed = (set_.depth_in + 0.5) * diameter_;
  const FieldBox box = box_about(places, balls, needed + 1.5 * diameter_ + wrap());
  std::vector<double> depth(places.size());
  outer_surface(world, balls, box)->depth(places, depth);
  Ids ids;
  for (std::size_t n = 0; n < inner.size(); ++n)
    if (depth[n] - wrap() >= needed) {
      deep[inner[n]] = 1;
      ids.push_back(granules.id[inner[n]]);
    }
  if (ids.empty()) return deep;

  std::vector<std::pair<std::uint32_t, std::uint32_t>> pairs;
  for (const HistoryRecord& r : history.extract(ids)) {
    const std::size_t a = granules.number(r.a), b = granules.number(r.b);
    if (a == granules.size() || b == granules.size())
      deep[a < granules.size() ? a : b] = 0;
    else if (!std::ranges::binary_search(near.of(a), static_cast<std::uint32_t>(b)))
      pairs.emplace_back(static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(b));
  }
  if (pairs.empty()) return deep;
  near.add(pairs);
  const std::vector<char> still = enclosed(granules, frozen, near);
  for (std::uint32_t k = 0; k < granules.size(); ++k) deep[k] = deep[k] && still[k];
  return deep;
}

void Culling::cull(World& world, HistoryStore& history) {
  const Granules all = granules(world);
  const std::vector<Wall> others = walls(world, false);
  auto [touching, near] = find_neighbours(world, all, others, set_.contact_gap * diameter_, set_.cage_gap * diameter_);
  const std::vector<char> solid = frozen(world, all, touching, near);
  // The same solid again, of which nothing was deep enough.
  if (const std::uint64_t now = hash_of(all, solid); std::exchange(frozen_, now) == now) return;
  const std::vector<char> may = candidates(world, all, solid, near, history);
  if (std::ranges::none_of(may, [](char c) { return c != 0; })) return;
  const double tolerance = set_.velocity_tolerance * std::sqrt(set_.gravity * diameter_);
  const std::vector<Group> groups = form_groups(world, ledger_, all, near, may, {set_.smallest_group, tolerance});
  if (groups.empty()) return;
  ++counts_.culls;
  seen_from_ = kNewId;
  frozen_ = 0;
  Audit audit(world);
  const Sums before = sums(world, ledger_, all.row);
  for (const Group& group : groups) {
    const Exchanged done = exchange(world, history).lock(all, group);
    begin_anew(world, done);
    counts_.stored += done.stored.size();
    note(world, kStored, done.stored);
    note(world, kLocked, done.locked);
  }
  audit.compare(before, sums(world, ledger_, granules(world).row), diameter_);
}

}  // namespace scree::culling
