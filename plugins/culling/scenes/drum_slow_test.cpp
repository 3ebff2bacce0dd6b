/// \file A slowly turning drum: what turns with it as one is stored, the layer that flows is not. It is 30 d
/// wide, so that full DEM takes two minutes.

#include <array>
#include <cmath>
#include <numbers>

#include "beside_full.hpp"

using namespace scree;
using namespace scree::culling::test;

namespace {

constexpr double kRadius = 0.15;   // [m]: of the drum, as in the scene
constexpr double kSteady = 3;      // [s]: the surface has its slope
constexpr double kEnd = 6;         // [s]
constexpr double kSample = 0.048;  // [s]

/// Least squares y = a + b x. \return {a, b}
std::pair<double, double> line_through(const std::vector<std::pair<double, double>>& points) {
  double n = 0, x = 0, y = 0, xx = 0, xy = 0;
  for (const auto& [px, py] : points) n += 1, x += px, y += py, xx += px * px, xy += px * py;
  const double b = (n * xy - x * y) / (n * xx - x * x);
  return {(y - b * x) / n, b};
}

/// The surface over the middle half of the bed: height above x, a + b x [m].
std::pair<double, double> surface(const World& world) {
  constexpr int kColumns = 15;
  constexpr double width = kRadius / kColumns;
  std::vector<double> top(kColumns, -kRadius);
  for (const std::size_t i : granule_rows(world)) {
    const Vec3& x = world.position.read()[i];
    const int column = static_cast<int>(std::floor((x.x() + kRadius / 2) / width));
    if (column >= 0 && column < kColumns)
      top[static_cast<std::size_t>(column)] =
          std::max(top[static_cast<std::size_t>(column)], x.z() + world.radius.read()[i]);
  }
  std::vector<std::pair<double, double>> points;
  for (int k = 0; k < kColumns; ++k)
    points.emplace_back((k + 0.5) * width - kRadius / 2, top[static_cast<std::size_t>(k)]);
  return line_through(points);
}

struct Drum {
  double angle = 0;          ///< angle of the surface [degrees], mean over time
  double flowing_depth = 0;  ///< depth at which velocity along the surface changes its sign [m]
  double stored = 0;         ///< share, mean over time
  double came_back = 0;      ///< granules that came back
};

/// Velocity along the surface by depth below it, at the middle of the bed.
struct Profile {
  static constexpr int kLayers = 24;
  static constexpr double kThickness = kDiameter / 2;
  std::array<double, kLayers> sum{}, count{};

  void add(const World& world, double height, double slope) {
    const Vec3 along = Vec3(1, 0, slope).normalized(), out = Vec3(-slope, 0, 1).normalized();
    const Vec3 foot = (Vec3(0, 0, height).dot(out)) * out;  // the point of the surface next to the axis
    for (const std::size_t i : granule_rows(world)) {
      const Vec3 x = world.position.read()[i] - foot;
      const int layer = static_cast<int>(std::floor(-x.dot(out) / kThickness));
      if (std::abs(x.dot(along)) > 3 * kDiameter || layer < 0 || layer >= kLayers) continue;
      sum[static_cast<std::size_t>(layer)] += world.velocity.read()[i].dot(along);
      count[static_cast<std::size_t>(layer)] += 1;
    }
  }
  double turning_depth() const {
    for (std::size_t k = 1; k < kLayers; ++k) {
      const double above = sum[k - 1] / count[k - 1], here = sum[k] / count[k];
      if (above * here <= 0) return kThickness * (static_cast<double>(k) + above / (above - here));
    }
    return 0;
  }
};

Drum turned(bool culled, int seed) {
  Running run = example("culling_drum", culled, {fmt::format("/bodies/0/seed={}", seed)});
  const std::size_t all = granule_rows(run.world()).size();
  run_for(run, kSteady);
  Drum result;
  Profile profile;
  double samples = 0;
  for (; run.world().time < kEnd; ++samples) {
    run_for(run, kSample);
    const auto [height, slope] = surface(run.world());
    result.angle += std::abs(std::atan(slope)) * 180 / std::numbers::pi;
    profile.add(run.world(), height, slope);
    result.stored += share_stored(run, all);
  }
  result.angle /= samples, result.stored /= samples;
  result.flowing_depth = profile.turning_depth();
  if (culled) result.came_back = figure(run, "granules_restored");
  return result;
}

}  // namespace

TEST_CASE(
    "in a drum the core that turns as one is stored, and slope and depth of the flowing layer are those of full DEM") {
  const OneThread one;
  for (const int seed : {2, 3}) {  // options were chosen with another in view
    const Drum full = turned(false, seed), culled = turned(true, seed);
    fmt::print(
        "drum, seed {}: slope {:.2f} degrees of full DEM, {:.2f} culled; flowing layer {:.2f} d and {:.2f} d; {:.1f} % "
        "stored in the mean, {} came back\n",
        seed, full.angle, culled.angle, full.flowing_depth / kDiameter, culled.flowing_depth / kDiameter,
        100 * culled.stored, culled.came_back);
    std::fflush(stdout);
    // Two seeds of full DEM differ by 0.3 degrees and by 0.02 d.
    CHECK(std::abs(culled.angle - full.angle) < 1.5);
    CHECK(std::abs(culled.flowing_depth - full.flowing_depth) < kDiameter);
    CHECK(culled.stored > 0.1);
    CHECK(culled.came_back > 0);
  }
}
