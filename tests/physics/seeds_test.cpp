/// \file What a seed decides, and that it does.

#include <fmt/format.h>

#include "catch.hpp"
#include "scenes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr int kBodies = 1000;

/// Bodies in a row with orientations drawn at random.
std::string scene(int dimension, int seed) {
  return fmt::format(R"({{"dimension": {0},
    "materials": {{"m": {{"density": 1000}}}},
    "shapes": {{"clump": {{"type": "clump", "template": "{1}", "scale": 0.01}}}},
    "bodies": [{{"shape": "clump", "material": "m", "orientation": "random", "seed": {2},
      "packing": {{"type": "lattice", "lower": {3}, "counts": {4}, "spacing": 0.03}}}}],
    "interactions": [{{"between": ["m", "m"], "law": {{"type": "linear", "normal_stiffness": 1}}}}],
    "integrator": {{"type": "velocity-verlet", "dt": 1e-5}},
    "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
                     dimension, dimension == 2 ? "cross-9" : "tetrapod", seed, dimension == 2 ? "[0, 0]" : "[0, 0, 0]",
                     dimension == 2 ? fmt::format("[{}, 1]", kBodies) : fmt::format("[{}, 1, 1]", kBodies));
}

/// By id: rows have an order of their own.
std::vector<Quat> orientations(int dimension, int seed) {
  Running run(scene(dimension, seed));
  std::vector<Quat> list;
  for (Id id = 0; id < kBodies; ++id) list.push_back(run.world().orientation.read()[*run.world().row(id)]);
  return list;
}

}  // namespace

TEST_CASE("the seed decides random orientations: the same seed the same ones, another seed others") {
  for (const int dimension : {2, 3}) {
    const std::vector<Quat> one = orientations(dimension, 1), again = orientations(dimension, 1),
                            other = orientations(dimension, 2);
    int same = 0, same_with_other_seed = 0;
    for (int i = 0; i < kBodies; ++i) {
      same += one[i].coeffs() == again[i].coeffs();
      same_with_other_seed += one[i].angularDistance(other[i]) < 1e-6;
    }
    CHECK(same == kBodies);
    CHECK(same_with_other_seed == 0);
  }
}

TEST_CASE("random orientations favour no direction") {
  for (const int dimension : {2, 3})
    for (const int seed : {1, 2, 3}) {
      // Where each body's x axis points: the mean of a vector that is spread evenly over the circle or the sphere has
      // components of standard deviation 1/sqrt(dimension N), its square the mean 1/dimension. Bounds: 4.5 deviations.
      Vec3 mean = Vec3::Zero(), square = Vec3::Zero();
      for (const Quat& q : orientations(dimension, seed)) {
        const Vec3 x = q * Vec3::UnitX();
        mean += x / kBodies;
        square += x.cwiseProduct(x) / kBodies;
      }
      const double deviation = 1 / std::sqrt(double(dimension) * kBodies);
      for (int k = 0; k < dimension; ++k) {
        INFO(dimension << "D, seed " << seed << ", axis " << k << ": mean " << mean[k] << ", square " << square[k]);
        CHECK(std::abs(mean[k]) < 4.5 * deviation);
        // Variance of the square: 1/8 in the plane, 4/45 in space.
        CHECK(std::abs(square[k] - 1.0 / dimension) < 4.5 * std::sqrt((dimension == 2 ? 1.0 / 8 : 4.0 / 45) / kBodies));
      }
    }
}
