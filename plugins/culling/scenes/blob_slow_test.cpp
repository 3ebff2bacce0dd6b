/// \file An ellipsoid falls on a plane, half of it stored on the way: the heap beside that of full DEM.

#include <cmath>

#include "beside_full.hpp"

using namespace scree;
using namespace scree::culling::test;

namespace {

/// The scene of examples/culling_blob with two thirds of its lengths, so that a run takes a minute: 4,600 spheres
/// instead of 15,600. It falls by 10 diameters, as there. The heap is one to two layers high and has no slope to
/// compare.
const Vec3 kSemiAxes = {0.155, 0.0775, 0.0775};  // [m]
constexpr double kFalling = 0.1;                 // [s]: still in the air
constexpr double kEnd = 0.643;                   // [s]: half a second after the impact

constexpr int kSeeds[] = {4, 5, 6};  // options were chosen with others in view

struct Heap {
  Vec3 centre = Vec3::Zero();  ///< centre of mass [m]
  double r90 = 0;              ///< radius of a cylinder about it that holds nine tenths [m]
  std::vector<double> height;  ///< height of cells of 2 d [m]
  double active = 1;           ///< share while it falls
};

constexpr int kCells = 40;  // 2 d each, along x and y; few granules roll farther than these 40 d

Heap heap_of(const World& world) {
  Heap heap;
  const auto rows = granule_rows(world);
  for (const std::size_t i : rows) heap.centre += world.position.read()[i] / static_cast<double>(rows.size());
  std::vector<double> distances;
  heap.height.assign(kCells * kCells, 0);
  for (const std::size_t i : rows) {
    const Vec3 x = world.position.read()[i] - heap.centre;
    distances.push_back(x.head<2>().norm());
    const int a = static_cast<int>(std::floor(x.x() / (2 * kDiameter))) + kCells / 2,
              b = static_cast<int>(std::floor(x.y() / (2 * kDiameter))) + kCells / 2;
    if (a < 0 || b < 0 || a >= kCells || b >= kCells) continue;
    double& top = heap.height[static_cast<std::size_t>(a * kCells + b)];
    top = std::max(top, world.position.read()[i].z() + world.radius.read()[i]);
  }
  std::ranges::sort(distances);
  heap.r90 = distances[distances.size() * 9 / 10];
  return heap;
}

/// Root mean square of the difference of heights, over cells that are not bare in both [m].
double difference(const Heap& a, const Heap& b) {
  double sum = 0, n = 0;
  for (std::size_t k = 0; k < a.height.size(); ++k) {
    if (a.height[k] == 0 && b.height[k] == 0) continue;
    sum += (a.height[k] - b.height[k]) * (a.height[k] - b.height[k]), n += 1;
  }
  return std::sqrt(sum / n);
}

Heap fallen(bool culled, int seed) {
  Running run =
      example("culling_blob", culled,
              {fmt::format("/bodies/0/packing/semi_axes=[{}, {}, {}]", kSemiAxes.x(), kSemiAxes.y(), kSemiAxes.z()),
               fmt::format("/bodies/0/packing/centre=[0, 0, {}]", kSemiAxes.z() + 10.5 * kDiameter),
               fmt::format("/bodies/0/seed={}", seed)});
  const std::size_t all = granule_rows(run.world()).size();
  run_for(run, kFalling);
  const double active = 1 - share_stored(run, all);
  run_for(run, kEnd - kFalling);
  CHECK(share_stored(run, all) == 0);  // or granule_rows() would not be all of them
  Heap heap = heap_of(run.world());
  heap.active = active;
  if (culled) check_invariants(run, all);
  return heap;
}

/// Returns the rest of an ellipsoid without all that lies deeper than t: a shell of that thickness. [-]
double shell(const Vec3& semi_axes, double t) { return 1 - (1 - t / semi_axes.array()).prod(); }

}  // namespace

TEST_CASE("an ellipsoid that falls half stored leaves the heap of full DEM, as near as seeds are to each other") {
  const OneThread one;
  std::vector<Heap> full, culled;
  for (const int seed : kSeeds) full.push_back(fallen(false, seed)), culled.push_back(fallen(true, seed));
  const double n = static_cast<double>(full.size());
  double yardstick = 0, apart = 0, r90 = 0;
  for (std::size_t k = 0; k < full.size(); ++k)
    yardstick += difference(full[k], full[(k + 1) % full.size()]) / n;  // of three seeds, all pairs
  // Two diameters that cover, one of interface; the surface lies half a diameter outside of the centres.
  const double expected = shell(kSemiAxes + Vec3::Constant(kDiameter / 2), 3 * kDiameter);
  for (std::size_t k = 0; k < full.size(); ++k) {
    apart += difference(full[k], culled[k]) / n;
    r90 += (culled[k].r90 / full[k].r90 - 1) / n;
    fmt::print(
        "ellipsoid, seed {}: {:.1f} % active as it falls (shell {:.1f} %); heights {:.2f} d apart, of seeds of "
        "full DEM {:.2f} d; centre of mass {:.3f} d apart; r_90 {:.2f} d of full DEM, {:.2f} d culled\n",
        kSeeds[k], 100 * culled[k].active, 100 * expected, difference(full[k], culled[k]) / kDiameter,
        yardstick / kDiameter, (culled[k].centre - full[k].centre).norm() / kDiameter, full[k].r90 / kDiameter,
        culled[k].r90 / kDiameter);
    CHECK((culled[k].centre - full[k].centre).norm() < 0.25 * kDiameter);
    CHECK(std::abs(culled[k].active / expected - 1) < 0.1);
  }
  // Heights: as seeds of full DEM differ from each other, and half of that. Spread: seeds of full DEM differ by 2 %.
  CHECK(apart < 1.5 * yardstick);
  CHECK(std::abs(r90) < 0.03);
}
