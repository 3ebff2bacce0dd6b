/// \file Culling: impulses on interface granules, exposure, and what both take out of aggregates.

#include <map>

#include "cull/columns.hpp"
#include "cull/culling.hpp"
#include "cull/sorted_ids.hpp"

namespace scree::culling {

namespace {

enum : std::uint64_t { kCarved = 1, kRestored = 2 };

constexpr double kAsSeen = 0.05;  // [d]: a move that uncovers nobody, far less than a voxel

/// Members and stored granules with their centres in one of the balls.
Ids within(const World& world, const Aggregate& a, std::span<const Ball> balls) {
  const auto inside = [&](const Vec3& x) {
    return std::ranges::any_of(balls,
                               [&](const Ball& b) { return (x - b.centre).squaredNorm() <= b.radius * b.radius; });
  };
  Ids found;
  const Pose frame = world_frame(world, a);
  for (const StoredGranule& g : a.stored)
    if (inside(composed(frame, g.pose).position)) found.push_back(g.id);
  for (const Id id : a.members)
    if (inside(world.position.read()[*world.row(id)])) found.push_back(id);
  sort_unique(found);
  return found;
}

}  // namespace

/// Adds what contacts gave members since the last sample, at the force of now.
void Culling::sample(World& world) {
  const double passed = world.time - sampled_;
  sampled_ = world.time;
  if (ledger_.aggregates.empty() || !(passed > 0)) return;
  const auto impulse = Columns(world).impulse.write();
  const auto force = world.column<Vec3>("own_force", "N").read();
  for (const World::Member& m : world.members()) impulse[m.row] += passed * force[m.row];
}

double Culling::radius_of(const World& world, const Aggregate& a) const {
  const Pose frame = world_frame(world, a);
  const Vec3 centre = world.position.read()[*world.row(a.owner)];
  double square = 0;
  for (const StoredGranule& g : a.stored)
    square = std::max(square, (composed(frame, g.pose).position - centre).squaredNorm());
  return std::sqrt(square) + diameter_;
}

/// Balls to carve, by owner: members whose impulse in this window exceeds its running mean by more than the threshold.
/// The mean keeps static loads from being taken for impacts; the first window of a member tells it.
std::map<Id, Culling::Balls> Culling::impacts(World& world) {
  std::map<Id, Balls> balls;
  Columns columns(world);
  const auto impulse = columns.impulse.write(), mean = columns.mean.write();
  const auto windows = columns.windows.write();
  for (const auto& [owner, a] : ledger_.aggregates) {
    const double radius = radius_of(world, a);
    double load = 0;  // what a member bears at rest, as a mean over members
    for (const Id id : a.members) {
      const std::size_t i = *world.row(id);
      if (windows[i]++ == 0) mean[i] = impulse[i];
      load += mean[i].norm() / static_cast<double>(a.members.size());
    }
    for (const Id id : a.members) {
      const std::size_t i = *world.row(id);
      const double threshold = set_.load_factor * load +
                               impulse_threshold(world.mass.read()[i], set_.gravity, set_.impact_height * diameter_);
      const double intensity = impact_intensity(impulse[i], mean[i], threshold);
      if (intensity > 1) ++counts_.impacts;
      if (intensity > 1)
        balls[owner].push_back({world.position.read()[i], carve_radius(set_.carve, intensity, diameter_, radius)});
      mean[i] = low_pass(mean[i], impulse[i], set_.mean_windows);
      impulse[i] = Vec3::Zero();
    }
  }
  return balls;
}

/// The box about all members, wider by this.
FieldBox Culling::box_of_members(const World& world, double margin) const {
  FieldBox box{Vec3::Constant(1e300), Vec3::Constant(-1e300), set_.voxel * diameter_};
  for (const auto& [owner, a] : ledger_.aggregates)
    for (const Id id : a.members) {
      const Vec3& x = world.position.read()[*world.row(id)];
      box.lower = box.lower.cwiseMin(x), box.upper = box.upper.cwiseMax(x);
    }
  box.lower -= Vec3::Constant(margin), box.upper += Vec3::Constant(margin);
  return box;
}

/// Checks whether these are in the places of the last search for exposure, in the frame of the first aggregate. Records
/// their places if not.
bool Culling::as_seen(World& world, std::span<const std::uint32_t> rows) {
  const Id from = ledger_.aggregates.begin()->first;
  const std::size_t o = *world.row(from);
  const Vec3 origin = world.position.read()[o];
  const Quat back = world.orientation.read()[o].conjugate();
  const auto seen = Columns(world).seen.write();
  const auto place = [&](std::uint32_t i) { return Vec3(back * (world.position.read()[i] - origin)); };
  const double near = kAsSeen * diameter_;
  if (seen_from_ == from &&
      std::ranges::all_of(rows, [&](std::uint32_t i) { return (place(i) - seen[i]).norm() < near; }))
    return true;
  for (const std::uint32_t i : rows) seen[i] = place(i);
  seen_from_ = from;
  return false;
}

/// Adds members that lie less than depth_out below the surface of all granules, at rest or not, and of walls. What is
/// stored need not be drawn: it is a cavity within the others. What is far from members is not looked at.
void Culling::expose(World& world, std::map<Id, Balls>& balls) {
  const FieldBox box = box_of_members(world, (set_.depth_out + 1.5) * diameter_ + wrap());
  const Vec3 wide = Vec3::Constant(wrap() + diameter_);
  std::vector<std::uint32_t> rows = granules(world).row;
  std::erase_if(rows, [&](std::uint32_t i) {
    const Vec3& x = world.position.read()[i];
    return ((x - box.lower + wide).array() < 0).any() || ((box.upper + wide - x).array() < 0).any();
  });
  if (as_seen(world, rows)) return;
  std::vector<Ball> matter;
  for (const std::uint32_t i : rows)
    for_each_ball(*world.shapes()[world.shape.read()[i]].shape, world.scale.read()[i],
                  {world.position.read()[i], world.orientation.read()[i]}, [&](const Vec3& x, double r) {
                    matter.push_back({x, r + wrap()});
                  });
  std::vector<Vec3> places;
  std::vector<Id> owners;
  for (const auto& [owner, a] : ledger_.aggregates)
    for (const Id id : a.members) places.push_back(world.position.read()[*world.row(id)]), owners.push_back(owner);
  std::vector<char> exposed(places.size());
  outer_surface(world, matter, box)->shallower(places, set_.depth_out * diameter_ + wrap(), exposed);
  for (std::size_t k = 0; k < places.size(); ++k)
    if (exposed[k]) ++counts_.exposures, balls[owners[k]].push_back({places[k], set_.carve.least * diameter_});
}

void Culling::carve(World& world, HistoryStore& history) {
  if (ledger_.aggregates.empty()) return;
  std::map<Id, Balls> balls = impacts(world);
  if (due(set_.expose_every)) expose(world, balls);
  if (balls.empty()) return;
  ++counts_.carves;
  Audit audit(world);
  const Sums before = sums(world, ledger_, granules(world).row);
  for (const auto& [owner, of_owner] : balls)
    open(world, history, owner, within(world, ledger_.aggregates.at(owner), of_owner));
  audit.compare(before, sums(world, ledger_, granules(world).row), diameter_);
}

void Culling::open(World& world, HistoryStore& history, Id owner, std::span<const Id> out) {
  seen_from_ = kNewId;
  frozen_ = 0;
  const Exchanged done = exchange(world, history).open(owner, out, set_.smallest_group);
  begin_anew(world, done);
  counts_.restored += done.restored.size() + done.unstored.size();
  note(world, kCarved, united(done.restored, done.freed));
  note(world, kRestored, done.unstored);
}

void Culling::bring_back(World& world, HistoryStore& history, std::span<const Id> ids) {
  if (ledger_.aggregates.empty() || ids.empty()) return;
  forget_lost_members(world);
  Ids wanted(ids.begin(), ids.end());
  sort_unique(wanted);
  std::map<Id, Ids> by_owner;
  for (const auto& [owner, a] : ledger_.aggregates)
    if (Ids of_owner = common(wanted, united(a.stored.ids(), a.members)); !of_owner.empty())
      by_owner[owner] = std::move(of_owner);
  if (by_owner.empty()) return;
  Audit audit(world);
  const Sums before = sums(world, ledger_, granules(world).row);
  for (const auto& [owner, out] : by_owner) open(world, history, owner, out);
  audit.compare(before, sums(world, ledger_, granules(world).row), diameter_);
  show(world);
}

void Culling::restore_all(World& world, HistoryStore& history) {
  if (ledger_.aggregates.empty()) return;
  Audit audit(world);
  const Sums before = sums(world, ledger_, granules(world).row);
  while (!ledger_.aggregates.empty()) {
    const Aggregate& a = ledger_.aggregates.begin()->second;
    open(world, history, a.owner, united(a.stored.ids(), a.members));
  }
  audit.compare(before, sums(world, ledger_, granules(world).row), diameter_);
}

}  // namespace scree::culling
