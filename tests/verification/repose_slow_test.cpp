// How steep grains come to rest: a bed on a rough ledge whose side wall vanishes, over the friction between grains.

#include <numbers>

#include "one_thread.hpp"
#include "scenes.hpp"
#include "series.hpp"
#include "surface.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Slope of what stays on the ledge, mean of three beds [degrees].
double angle_of_repose(double friction) {
  const double diameter = 0.005, length = 0.3;
  double mean = 0;
  for (int seed = 1; seed <= 3; ++seed) {
    Running run(slurp(std::string(SCREE_SCENES) + "/ledge.json"),
                {fmt::format("/interactions/0/law/friction={}", friction), fmt::format("/bodies/4/seed={}", seed)});
    run.steps(static_cast<std::uint64_t>(std::llround(run.scene.duration / run.scene.dt)));
    std::vector<Grain> stays;
    for (const Grain& g : grains_of(run.world()))
      if (g.y > 0 && g.x < length) stays.push_back(g);
    const std::vector<Grain> heap = largest_cluster(stays, 0.05 * diameter);
    CHECK(heap.size() > 400);
    const Line line = surface_line(heap, 0.05 * length, 0.9 * length, 2 * diameter);
    CHECK(line.r2 > 0.95);
    mean -= degrees(line) / 3;
  }
  return mean;
}

}  // namespace

TEST_CASE("the slope at which grains come to rest grows with their friction, and less and less") {
  const OneThread quick;
  std::vector<double> angle;
  for (const double friction : {0.0, 0.1, 0.2, 0.4, 0.8}) {
    angle.push_back(angle_of_repose(friction));
    fmt::print("bed on a ledge, friction {}: {:.1f} degrees\n", friction, angle.back());
  }
  for (std::size_t i = 1; i < angle.size(); ++i) CHECK(angle[i] > angle[i - 1]);
  CHECK(angle[1] - angle[0] > 2 * (angle[4] - angle[3]));
  // Discs without friction flow above 0.11, those with much friction above 0.26 of the pressure (da Cruz et al., Phys.
  // Rev. E 72 (2005) 021309): 6 and 15 degrees. A bed comes to rest at that or somewhat more.
  CHECK((6 < angle.front() && angle.front() < 10));
  CHECK((15 < angle.back() && angle.back() < 20));
}
