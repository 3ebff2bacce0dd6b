// Forces found through neighbour lists are those of all pairs and their periodic images, by brute force.

#include <cmath>
#include <numbers>
#include <random>

#include "scenes.hpp"
#include "series.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr double kSmall = 0.001, kLarge = 0.02, kLength = 0.1, kSkin = 0.02 * kSmall, kStiffness = 1e4, kDt = 2e-6;
constexpr double kBullet = 3 * kSkin / kDt;  // [m/s]: three skins a step

/// Spheres of sizes 1:20 in a periodic box, and one small one that moves by three skins a step.
std::string mixture() {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> u(0, kLength), speed(-1, 1);
  std::string bodies, shapes;
  const auto add = [&](int size, const Vec3& x, const Vec3& v) {
    bodies +=
        fmt::format(R"({}{{"shape": "s{}", "material": "m", "position": [{}, {}, {}], "velocity": [{}, {}, {}]}})",
                    bodies.empty() ? "" : ", ", size, x[0], x[1], x[2], v[0], v[1], v[2]);
  };
  const int sizes = 5, counts[] = {400, 60, 15, 4, 1};
  for (int s = 0; s < sizes; ++s) {
    shapes += fmt::format(R"({}"s{}": {{"type": "sphere", "radius": {}}})", s ? ", " : "", s,
                          kSmall * std::pow(kLarge / kSmall, s / (sizes - 1.0)));
    for (int i = 0; i < counts[s]; ++i)
      add(s, {u(engine), u(engine), u(engine)}, {speed(engine), speed(engine), speed(engine)});
  }
  // The last two: a large one at a side of the box, and the fast one that comes at it through the other side.
  add(4, {0.005, 0.05, 0.05}, Vec3::Zero());
  add(0, {0.08, 0.05, 0.052}, {kBullet, 0.1 * kBullet, 0});
  return fmt::format(
      R"({{"dimension": 3, "periodic": {{"x": [0, {0}], "y": [0, {0}], "z": [0, {0}]}}, "grid": {{"skin": {1}}},
"materials": {{"m": {{"density": 2500}}}}, "shapes": {{{2}}}, "bodies": [{3}],
"interactions": [{{"between": ["m", "m"],
  "law": {{"type": "linear", "normal_stiffness": {4}, "tangential": "none"}}}}],
"integrator": {{"type": "velocity-verlet", "dt": {5}}}, "output": {{"writers": []}},
"run": {{"duration": 1, "max_initial_overlap": 2}}}})",
      kLength, kSkin, shapes, bodies, kStiffness, kDt);
}

/// Forces of all pairs at the image that is nearest: the others are half a box away, further than any two reach.
/// Frictionless springs: they depend on places alone.
std::vector<Vec3> brute_force(World& world) {
  static_assert(2 * kLarge < kLength / 2);
  const auto x = world.position.read();
  const auto r = world.radius.read();
  std::vector<Vec3> force(world.size(), Vec3::Zero());
  for (std::size_t i = 0; i < world.size(); ++i)
    for (std::size_t j = i + 1; j < world.size(); ++j) {
      Vec3 branch = x[j] - x[i];
      for (int k = 0; k < 3; ++k) branch[k] -= kLength * std::round(branch[k] / kLength);
      const double overlap = r[i] + r[j] - branch.norm();
      if (overlap <= 0) continue;
      const Vec3 f = kStiffness * overlap * branch.normalized();
      force[i] -= f, force[j] += f;
    }
  return force;
}

}  // namespace

TEST_CASE("sizes 1:20 in a periodic box, a fast sphere crosses three skins a step: forces equal brute force") {
  Running run(mixture());
  World& world = run.world();
  double worst = 0, largest = 0;
  const Id bullet = world.next_id() - 1;
  int hits = 0;
  for (int s = 0; s < 130; ++s) {
    run.steps(3);
    const auto found = run.prepared.mechanics->forces(kDt);  // once more, at the places of now
    const std::vector<Vec3> expected = brute_force(world);
    for (std::size_t i = 0; i < world.size(); ++i) {
      worst = std::max(worst, (found[i].force - expected[i]).norm());
      largest = std::max(largest, expected[i].norm());
    }
    if (expected[*world.row(bullet)].norm() > 0) ++hits;
  }
  CHECK(hits > 10);  // the fast one did meet others
  CHECK(largest > 1);
  // Every step makes the lists stale, for the fast sphere alone.
  CHECK(run.prepared.mechanics->pipeline().rebuilds >= 390);
  // Places are rounded to 1e-17 m, which 1e4 N/m turn into 1e-13 N, some dozens of times per large sphere.
  compare("sizes 1:20, fast sphere", "force by lists - brute [N]", 0, worst, 1e-11);
}
