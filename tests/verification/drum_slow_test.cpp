// A drum that turns slowly: the angle of the stream on its surface stays.

#include <array>
#include <numbers>

#include "one_thread.hpp"
#include "scenes.hpp"
#include "series.hpp"
#include "surface.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kRadius = 0.12, kDiameter = 0.005;  // of drum and grains [m]
constexpr int kRim = 140;                            // grains glued to the drum

/// Places of the grains that make the drum rough.
std::string rim() {
  std::string places;
  for (int i = 0; i < kRim; ++i) {
    const double at = 2 * std::numbers::pi * i / kRim;
    places +=
        fmt::format("{}{{\"position\": [{}, {}]}}", i == 0 ? "" : ", ", kRadius * std::cos(at), kRadius * std::sin(at));
  }
  return places;
}

/// Means of the slope over the second turn and the third [degrees]. In the first one the bed falls into place.
/// \param froude  omega^2 R/g
std::array<double, 2> slopes(double froude, int seed) {
  const double omega = std::sqrt(froude * 9.81 / kRadius), turn = 2 * std::numbers::pi / omega;
  Running run(slurp(std::string(SCREE_SCENES) + "/drum.json"),
              {"/bodies/1/packing/places=[" + rim() + "]", fmt::format("/bodies/0/seed={}", seed),
               fmt::format("/bodies/1/motion/angular_velocity={}", omega)});
  const int looks = 100;  // in a turn
  const auto between = static_cast<std::uint64_t>(turn / looks / run.scene.dt);
  run.steps(looks * between);
  std::array<double, 2> means{};
  for (double& mean : means)
    for (int i = 0; i < looks; ++i) {
      run.steps(between);
      const auto bed = largest_cluster(grains_of(run.world()), 0.05 * kDiameter);
      mean += degrees(surface_line(bed, -0.5 * kRadius, 0.5 * kRadius, 2 * kDiameter)) / looks;
    }
  return means;
}

}  // namespace

TEST_CASE("the slope of a turning drum is the same in its second and third turn, and for three beds") {
  const OneThread quick;
  std::vector<double> at_speed;
  for (const auto& [froude, gate] : {std::pair{0.005, 1.0}, {0.05, 2.0}}) {
    double sum = 0, least = 90, most = 0;
    for (const int seed : {1, 2, 3}) {
      const auto [second, third] = slopes(froude, seed);
      fmt::print("drum, Froude number {}, bed {}: {:.2f}, {:.2f} degrees\n", froude, seed, second, third);
      CHECK(std::abs(third - second) < gate);
      least = std::min({least, second, third}), most = std::max({most, second, third});
      sum += (second + third) / 6;
    }
    CHECK(most - least < gate);
    at_speed.push_back(sum);
  }
  CHECK(at_speed[1] > at_speed[0] + 2);  // faster is steeper
}
