/// \file A ball hits a bed whose inside is stored: crater and ball beside full DEM.

#include <array>
#include <cmath>

#include "beside_full.hpp"

using namespace scree;
using namespace scree::culling::test;

namespace {

/// The bed of examples/culling_pile, narrower and of a quarter of its granules, so that a run takes a minute.
constexpr double kBowl = 0.1;                           // [m]
constexpr double kBall = 0.02;                          // [m]: radius, 4 granules across the ball
constexpr double kHit = 0.8;                            // [s]: the bed rests
constexpr double kEnd = 1.1;                            // [s]: the ball rests
const double kSpeed = 5 * std::sqrt(9.81 * 2 * kBall);  // [m/s]

const std::vector<std::string> kBed = {
    "/bodies/0/packing/semi_axes=[0.094,0.094,0.19]",
    fmt::format("/shapes/bowl/radius={}", kBowl),
    fmt::format("/shapes/ball/radius={}", kBall),
    "/bodies/1/position=[0,0,100]",
};

/// A quarter of this bed's radius is no room for the crater, and the rest of the bed would bear the ball as one piece:
/// with the default options the crater is half as deep for one of the seeds. An aggregate does not yield, so what a
/// ball of 4 d moves stays out of it: with depth_out 0.9 the craters are 29 % too shallow, with 1.8 19 %. What is hit
/// moves as one for some windows, and the ball sinks in 20 ms: with windows of 5.6 ms one crater of three was 30 % too
/// shallow.
const std::vector<std::string> kCarving = {
    "/hooks/0/carve_most=1", "/hooks/0/carve_coefficient=3", "/hooks/0/carve_least=3", "/hooks/0/expose_every=1",
    "/hooks/0/depth_in=4",   "/hooks/0/depth_out=2.8",       "/hooks/0/window=0.0028", "/hooks/0/cull_every=20"};

/// Mean height of the surface in rings of one diameter about the middle [m].
std::array<double, 9> heights(const World& world) {
  constexpr int kCells = 20;  // across the bowl
  std::array<double, kCells * kCells> top{};
  for (const std::size_t i : granule_rows(world)) {
    const Vec3& x = world.position.read()[i];
    const int a = static_cast<int>(std::floor((x.x() + kBowl) / kDiameter)),
              b = static_cast<int>(std::floor((x.y() + kBowl) / kDiameter));
    if (a < 0 || b < 0 || a >= kCells || b >= kCells) continue;
    double& highest = top[static_cast<std::size_t>(a * kCells + b)];
    highest = std::max(highest, x.z() + world.radius.read()[i]);
  }
  std::array<double, 9> sum{}, count{};
  for (int a = 0; a < kCells; ++a)
    for (int b = 0; b < kCells; ++b) {
      const auto ring = static_cast<std::size_t>(std::hypot(a + 0.5 - kCells / 2, b + 0.5 - kCells / 2));
      if (ring >= sum.size()) continue;
      sum[ring] += top[static_cast<std::size_t>(a * kCells + b)], count[ring] += 1;
    }
  for (std::size_t r = 0; r < sum.size(); ++r) sum[r] /= count[r];
  return sum;
}

/// Moves the ball, which hangs high above, to the bed.
std::size_t throw_ball(Running& run, double speed) {
  World& world = run.world();
  double top = 0;
  for (const std::size_t i : granule_rows(world))
    if (world.position.read()[i].head<2>().norm() < 2 * kBall)
      top = std::max(top, world.position.read()[i].z() + world.radius.read()[i]);
  std::size_t ball = 0;
  while (world.group.read()[ball] != 1) ++ball;
  world.position.write()[ball] = {0, 0, top + kBall};
  world.velocity.write()[ball] = {0, 0, -speed};
  mechanics_of(run.prepared).refresh();
  return ball;
}

struct Crater {
  double depth = 0;  ///< depth of the lowest ring below the initial surface [m]
  double rim = 0;    ///< mean radius of what rose [m]
  double ball = 0;   ///< its lowest point below the surface before [m]
  double stored = 0, came_back = 0;
};

/// \param density  density of the ball [kg/m^3]
Running bed(bool culled, int seed, double density) {
  std::vector<std::string> sets = kBed;
  sets.push_back(fmt::format("/bodies/0/seed={}", seed));
  sets.push_back(fmt::format("/materials/ball/density={}", density));
  if (culled) sets.insert(sets.end(), kCarving.begin(), kCarving.end());
  return example("culling_pile", culled, sets);
}

Crater hit(bool culled, int seed) {
  Running run = bed(culled, seed, 5000);
  const std::size_t all = granule_rows(run.world()).size();
  run_for(run, kHit);
  Crater result;
  result.stored = share_stored(run, all);
  const double before = culled ? figure(run, "granules_restored") : 0;
  const auto flat = heights(run.world());
  double level = 0;  // before the ball came
  for (const double h : flat) level += h / static_cast<double>(flat.size());
  const Id ball = run.world().id.read()[throw_ball(run, kSpeed)];
  run_for(run, kEnd - kHit);
  const auto after = heights(run.world());
  const auto lowest = std::ranges::min_element(after);
  double rise = 0, moment = 0;
  for (std::size_t r = 0; r < after.size(); ++r) {
    const double radius = (static_cast<double>(r) + 0.5) * kDiameter, up = std::max(0.0, after[r] - flat[r]);
    rise += radius * up, moment += radius * radius * up;
  }
  result.depth = level - *lowest;
  result.rim = moment / rise;
  result.ball = level - (run.world().position.read()[*run.world().row(ball)].z() - kBall);
  if (culled) {
    result.came_back = figure(run, "granules_restored") - before;
    check_invariants(run, all);
  }
  return result;
}

/// culling_state of each granule in the World.
std::map<Id, std::uint32_t> states(Running& run) {
  const auto state = run.world().column<std::uint32_t>("culling_state").read();
  std::map<Id, std::uint32_t> all;
  for (const std::size_t i : granule_rows(run.world())) all[run.world().id.read()[i]] = state[i];
  return all;
}

/// Returns the distance of the point that is farthest from all others [m].
double farthest(const std::vector<Vec3>& points, const std::vector<Vec3>& others) {
  double most = 0;
  for (const Vec3& x : points) {
    double least = 1e300;
    for (const Vec3& y : others) least = std::min(least, (x - y).norm());
    most = std::max(most, least);
  }
  return most;
}

}  // namespace

TEST_CASE("a ball leaves the crater in a bed that is stored that it leaves in full DEM, and rests as deep") {
  const OneThread one;
  Crater full, culled;
  double stored = 0;
  for (const int seed : {3, 4, 5}) {  // options were chosen with others in view
    const Crater a = hit(false, seed), b = hit(true, seed);
    fmt::print(
        "crater, seed {}: depth {:.2f} d of full DEM, {:.2f} d culled; rim {:.1f} d, {:.1f} d; ball {:.2f} d, "
        "{:.2f} d deep; {:.0f} % stored, {} came back\n",
        seed, a.depth / kDiameter, b.depth / kDiameter, a.rim / kDiameter, b.rim / kDiameter, a.ball / kDiameter,
        b.ball / kDiameter, 100 * b.stored, b.came_back);
    std::fflush(stdout);
    full.depth += a.depth / 3, full.rim += a.rim / 3, full.ball += a.ball / 3;
    culled.depth += b.depth / 3, culled.rim += b.rim / 3, culled.ball += b.ball / 3;
    stored += b.stored / 3;
    CHECK(b.came_back > 0);
  }
  CHECK(stored > 0.2);
  // Two seeds of full DEM differ by 22 % in depth and by 8 % in how deep the ball rests; 10 % is asked of their means.
  CHECK(std::abs(culled.depth / full.depth - 1) < 0.1);
  CHECK(std::abs(culled.rim / full.rim - 1) < 0.1);
  CHECK(std::abs(culled.ball / full.ball - 1) < 0.1);
}

TEST_CASE("what an impact brings back lies in balls about members, and next to what was in them") {
  const OneThread one;
  constexpr double kCarved = 3 * kDiameter;  // however strong the impact; nothing is bared
  std::vector<std::string> sets = kBed;
  sets.insert(sets.end(), {"/bodies/0/seed=1", "/hooks/0/carve_exponent=0", "/hooks/0/carve_coefficient=3",
                           "/hooks/0/carve_most=1", "/hooks/0/expose_every=1000000"});
  Running run = example("culling_pile", true, sets);
  run_for(run, kHit);
  const World& world = run.world();
  const double carves = figure(run, "carves"), stored = figure(run, "stored");
  throw_ball(run, kSpeed);
  std::map<Id, std::uint32_t> before;
  std::vector<Vec3> members;
  while (figure(run, "carves") == carves) {
    before = states(run);
    members.clear();
    for (const auto& [id, state] : before)
      if (state == 1) members.push_back(world.position.read()[*world.row(id)]);
    run_for(run, 0.0004);  // the hook's interval
    REQUIRE(run.world().time < kEnd);
  }
  std::vector<Vec3> freed, locked, exterior;  // exterior: those freed, and members that are not any more
  for (const auto& [id, state] : states(run)) {
    const Vec3& x = world.position.read()[*world.row(id)];
    const auto was = before.find(id);
    if (was == before.end()) (state == 1 ? locked : freed).push_back(x);
    if (state == 0 && (was == before.end() || was->second == 1)) exterior.push_back(x);
  }
  fmt::print("first impact: {} granules freed, {} of {:.0f} stored ones are interface now\n", freed.size(),
             locked.size(), stored);
  CHECK(!freed.empty());
  CHECK(static_cast<double>(freed.size() + locked.size()) < stored);
  // Members move by less than a hundredth of a diameter in an interval.
  CHECK(farthest(freed, members) < kCarved + 0.01 * kDiameter);
  CHECK(farthest(locked, exterior) < 1.43 * kDiameter);  // cage_gap
}

TEST_CASE("a ball with less than the threshold's impulse brings nothing back from a bed that is stored") {
  const OneThread one;
  Running run = bed(true, 2, 39);  // of the mass of a granule
  run_for(run, kHit);
  const double came_back = figure(run, "granules_restored");
  REQUIRE(figure(run, "stored") > 1000);
  throw_ball(run, 0.2);  // [m/s]; a granule has 0.44 after a fall by its diameter
  run_for(run, 0.1);
  CHECK(figure(run, "granules_restored") == came_back);
}
