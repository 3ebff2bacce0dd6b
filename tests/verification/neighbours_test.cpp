// Forces found through neighbour lists are those of all pairs and their periodic images, by brute force.

#include <algorithm>
#include <cmath>
#include <random>

#include "scenes.hpp"
#include "series.hpp"

namespace scree::test::neighbours_test {

namespace {

constexpr double kSmall = 0.001, kLarge = 0.02, kLength = 0.1, kSkin = 0.02 * kSmall, kStiffness = 1e4, kDt = 2e-6;
constexpr double kSpeed = 3 * kSkin / kDt;  // of the fast ones [m/s]: 30

constexpr double kWay = 0.005;  // that the fast ones have to go, at most [m]
constexpr int kSizes = 5, kFast = 20, kSteps = 120;
static_assert(kSteps * kSpeed * kDt > kWay);

Vec3 nearest(Vec3 branch) {
  for (int k = 0; k < 3; ++k) branch[k] -= kLength * std::round(branch[k] / kLength);
  return branch;
}

struct Sphere {
  int size;
  double r;
  Vec3 x, v;
};

/// Spheres that each touch the one they were put at, none of them deeper than a 20th of the smaller radius; then some
/// small ones that fly at others by three skins a step.
std::vector<Sphere> mixture() {
  std::mt19937 engine(3);
  std::uniform_real_distribution<double> u(0, 1);
  std::normal_distribution<double> gauss;
  const auto direction = [&] { return Vec3(gauss(engine), gauss(engine), gauss(engine)).normalized(); };
  std::vector<Sphere> out;
  const auto radius = [](int size) { return kSmall * std::pow(kLarge / kSmall, size / (kSizes - 1.0)); };
  const auto fits = [&](const Sphere& s, double share) {
    return std::all_of(out.begin(), out.end(), [&](const Sphere& o) {
      return nearest(o.x - s.x).norm() > o.r + s.r - share * std::min(o.r, s.r);
    });
  };
  out.push_back({kSizes - 1, kLarge, Vec3::Constant(0.01), Vec3::Zero()});
  const int counts[] = {500, 100, 30, 6, 1};
  for (int size = kSizes - 1; size >= 0; --size)
    for (int placed = 0; placed < counts[size];) {
      const Sphere& at = out[static_cast<std::size_t>(u(engine) * static_cast<double>(out.size()))];
      const double r = radius(size), overlap = 0.05 * u(engine) * std::min(r, at.r);
      const Sphere s{size, r, at.x + (at.r + r - overlap) * direction(), 0.1 * direction()};
      if (fits(s, 0.05)) out.push_back(s), ++placed;
    }
  const std::size_t resting = out.size();
  for (int placed = 0; placed < kFast;) {
    const Sphere& at = out[static_cast<std::size_t>(u(engine) * static_cast<double>(resting))];
    const Vec3 n = direction();
    const Sphere s{0, kSmall, at.x + (at.r + kSmall + kWay * u(engine)) * n, -kSpeed * n};
    if (fits(s, 0)) out.push_back(s), ++placed;
  }
  return out;
}

std::string scene(const std::vector<Sphere>& spheres) {
  std::string bodies, shapes;
  for (const Sphere& s : spheres)
    bodies +=
        fmt::format(R"({}{{"shape": "s{}", "material": "m", "position": [{}, {}, {}], "velocity": [{}, {}, {}]}})",
                    bodies.empty() ? "" : ", ", s.size, s.x[0], s.x[1], s.x[2], s.v[0], s.v[1], s.v[2]);
  for (int s = 0; s < kSizes; ++s)
    shapes += fmt::format(R"({}"s{}": {{"type": "sphere", "radius": {}}})", s ? ", " : "", s,
                          kSmall * std::pow(kLarge / kSmall, s / (kSizes - 1.0)));
  return fmt::format(
      R"({{"dimension": 3, "periodic": {{"x": [0, {0}], "y": [0, {0}], "z": [0, {0}]}}, "grid": {{"skin": {1}}},
"materials": {{"m": {{"density": 2500}}}}, "shapes": {{{2}}}, "bodies": [{3}],
"interactions": [{{"between": ["m", "m"],
  "law": {{"type": "linear", "normal_stiffness": {4}, "tangential": "none"}}}}],
"integrator": {{"type": "velocity-verlet", "dt": {5}}}, "output": {{"writers": []}},
"run": {{"duration": 1}}}})",
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
      const Vec3 branch = nearest(x[j] - x[i]);
      const double overlap = r[i] + r[j] - branch.norm();
      if (overlap <= 0) continue;
      const Vec3 f = kStiffness * overlap * branch.normalized();
      force[i] -= f, force[j] += f;
    }
  return force;
}

}  // namespace

TEST_CASE("sizes 1:20 in a periodic box, fast spheres cross three skins a step: forces equal brute force") {
  const std::vector<Sphere> spheres = mixture();
  Running run(scene(spheres));
  World& world = run.world();
  double worst = 0, largest = 0;
  std::vector<bool> hit(kFast, false);
  for (int s = 0; s < kSteps; ++s) {
    run.steps(1);
    const auto found = mechanics_of(run.prepared).forces(kDt);  // once more, at the places of now
    const std::vector<Vec3> expected = brute_force(world);
    for (std::size_t i = 0; i < world.size(); ++i) {
      worst = std::max(worst, (found[i].force - expected[i]).norm());
      largest = std::max(largest, expected[i].norm());
    }
    for (int f = 0; f < kFast; ++f)
      if (expected[*world.row(spheres.size() - 1 - f)] != Vec3::Zero()) hit[f] = true;
  }
  CHECK(std::count(hit.begin(), hit.end(), true) > kFast / 2);  // some swerve, hit by others
  CHECK(largest > 1);
  // The fast ones, and they alone, make the lists stale, about every second step.
  CHECK(mechanics_of(run.prepared).pipeline().rebuilds > kSteps / 4);
  // Places are rounded to 1e-17 m, which 1e4 N/m turn into 1e-13 N, some dozens of times per large sphere.
  compare("sizes 1:20, fast spheres", "force by lists - brute [N]", 0, worst, 1e-11);
}

}  // namespace scree::test::neighbours_test
