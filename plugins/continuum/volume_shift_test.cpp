// What makes room where a bed is overfull.

#include "volume_shift.hpp"

#include <omp.h>

#include "bed_test.hpp"
#include "catch.hpp"

using namespace scree;
using namespace scree::continuum;
using namespace scree::continuum::test;

namespace {

/// A bed that repeats after some cells, each node of which holds more than fits. \return how far its nodes go
std::vector<Vec<2>> shift(int period, int height, int threads) {
  Bed<2> bed(0.1);
  bed.lattice.period[0] = period;
  bed.block(Vec3::Zero(), {2 * period, 2 * height, 1}, 0.05);
  for (std::size_t p = 0; p < bed.points.size(); p += 7) bed.points.volume[p] *= 1.5;  // nowhere alike
  Grid<2> grid;
  grid.build(
      bed.lattice, bed.points.size(), [&](std::size_t p) -> Vec<2> { return bed.points.position[p].head<2>(); },
      bed.points.id);
  Transfers<2> transfers;
  std::vector<StrainRow<2>> rows;
  transfers.gradients(grid, bed.points.volume, rows);
  const double full = 0.5 * 0.1 * 0.1;  // points take 0.6 of the space and more
  const std::vector<Vec<2>> inverse_mass(rows.size(), Vec<2>::Constant(1 / (kDensity * full)));
  const std::vector<double> room(rows.size(), -0.2 * full);
  const int before = omp_get_max_threads();
  omp_set_num_threads(threads);
  VolumeShift<2> volume_shift;
  const auto delta = volume_shift.find(grid, rows, inverse_mass, room, full, {}, {});
  std::vector<Vec<2>> found(delta.begin(), delta.end());
  omp_set_num_threads(before);
  return found;
}

}  // namespace

TEST_CASE("a bed that repeats after any number of cells makes room with the same bits on any number of threads") {
  // Nodes that have a neighbour in common must not be visited at once, across the seam neither. 519 nodes or more of
  // one kind are shared by threads, such that the last node of a row and the first one may fall to two of them.
  for (const int period : {6, 7, 8}) {
    const std::vector<Vec<2>> expected = shift(period, 520, 1);
    REQUIRE(expected.size() == static_cast<std::size_t>(period * 521));
    CHECK(expected[0].norm() > 0);
    INFO("period of " << period << " cells");
    CHECK(shift(period, 520, 2) == expected);
    CHECK(shift(period, 520, 3) == expected);
  }
}
