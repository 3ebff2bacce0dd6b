// How densely equal spheres pack at random: where frictionless ones jam, and how friction keeps a bed loose.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jamming.hpp"
#include "one_thread.hpp"
#include "scenes.hpp"
#include "series.hpp"

using namespace scree;
using namespace scree::test;

namespace {

/// Volume of a sphere at z below the plane z = 0.
double below(double z, double r) {
  const double h = std::clamp(r - z, 0.0, 2 * r);
  return std::numbers::pi * h * h * (r - h / 3);
}

}  // namespace

TEST_CASE("frictionless equal spheres jam at a fraction of 0.64, with six contacts each") {
  const OneThread quick;
  const SoftPacking::Jammed jammed = SoftPacking(3, std::vector<double>(1000, 1.0)).jam(0.66, 7, 4000);
  compare("1000 frictionless spheres", "jamming fraction", 0.64, jammed.fraction, 0.01 / 0.64);
  // Above jamming coordination grows by about 8 sqrt(fraction - jamming), here by 0.07 (O'Hern et al., Phys. Rev. E 68
  // (2003) 011306, who find 0.639 for 1000 spheres).
  compare("1000 frictionless spheres", "coordination at jamming", 6, jammed.coordination, 0.1 / 6);
}

TEST_CASE("spheres that settle with friction 0.5 fill 0.55 to 0.60, without friction 0.64") {
  const OneThread quick;
  const double r = 0.005, area = 0.01, low = 0.03, high = 0.09;
  for (const auto& [friction, expected, gate] : {std::tuple{0.0, 0.64, 0.01}, {0.5, 0.575, 0.025}}) {
    Running run(slurp(std::string(SCREE_SCENES) + "/settled_spheres.json"),
                {fmt::format("/interactions/0/law/friction={}", friction)});
    run.steps(static_cast<std::uint64_t>(std::llround(run.scene.duration / run.scene.dt)));
    const World& world = run.world();
    const auto kind = world.kind.read();
    double volume = 0, top = 0;
    for (std::size_t i = 0; i < world.size(); ++i) {
      if (kind[i] != static_cast<std::uint32_t>(BodyKind::dynamic)) continue;
      const double z = world.position.read()[i].z();
      volume += below(z - high, r) - below(z - low, r);
      top = std::max(top, z);
    }
    CHECK(top > high + 2 * r);
    const Totals t = totals(world, Vec3::Zero());
    CHECK(t.kinetic() < 2e-3 * t.mass * 9.81 * r);  // at rest, but for rattlers
    const std::string name = fmt::format("settled spheres, friction {}", friction);
    compare(name, "fraction of volume", expected, volume / (area * (high - low)), gate / expected);
  }
}
