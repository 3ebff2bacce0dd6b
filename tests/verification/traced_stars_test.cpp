// Crosses of the star packing, traced as spheropolygons, fall into a box and come to rest.

#include <fmt/format.h>

#include <cmath>
#include <numbers>

#include "catch.hpp"
#include "one_thread.hpp"
#include "scenes.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr int kGrains = 40;
constexpr double kRadius = 0.00437, kDisc = 4e-4, kG = 9.81;  // of the cross [m], of the disc that sweeps [m], [m/s^2]

/// 100 points of r = (2 + sin 4 theta)/3 kRadius, moved inwards by the disc's radius, so that the sweep is the cross.
/// At its tips the cross is rounded with 0.158 kRadius = 6.9e-4 m, more than the disc.
std::string traced_cross() {
  std::string vertices;
  for (int i = 0; i < 100; ++i) {
    const double angle = 2 * std::numbers::pi * i / 100, c = std::cos(angle), s = std::sin(angle);
    const double r = kRadius * (2 + std::sin(4 * angle)) / 3, slope = kRadius * 4 * std::cos(4 * angle) / 3;
    const Vec3 along = Vec3(slope * c - r * s, slope * s + r * c, 0).normalized();
    vertices += fmt::format("{}[{}, {}]", i ? ", " : "", r * c - kDisc * along.y(), r * s + kDisc * along.x());
  }
  return vertices;
}

/// The scene of examples/star_packing with fewer grains and a smaller step: several vertices near one another make a
/// contact stiffer than a star's.
std::string packing() {
  const std::string law = R"({"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1,
    "tangential_stiffness": 500, "friction": 0.5})";
  return fmt::format(
      R"({{"dimension": 2, "gravity": [0, -9.81], "materials": {{"grain": {{"density": 1180}}, "wall": {{}}}},
"shapes": {{"cross": {{"type": "spheropolygon", "vertices": [{}], "radius": {}, "thickness": 0.003}},
"floor": {{"type": "half-plane", "normal": [0, 1]}}, "left": {{"type": "half-plane", "normal": [1, 0]}},
"right": {{"type": "half-plane", "normal": [-1, 0]}}}},
"bodies": [{{"shape": "cross", "material": "grain", "orientation": "random", "seed": 1,
  "packing": {{"type": "lattice", "lower": [0.01, 0.01], "counts": [5, 8], "spacing": 0.0142857, "jitter": "free"}}}},
{{"shape": "floor", "material": "wall", "fixed": true, "position": [0, 0]}},
{{"shape": "left", "material": "wall", "fixed": true, "position": [0, 0]}},
{{"shape": "right", "material": "wall", "fixed": true, "position": [0.08, 0]}}],
"interactions": [{{"between": ["grain", "*"], "law": {}}}],
"integrator": {{"type": "symplectic-euler", "dt": 2e-5}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      traced_cross(), kDisc, law);
}

/// Force of the walls on the grains in the last evaluation [N]. Walls have the highest ids.
Vec3 wall_force(Running& run, Id wall) {
  Vec3 sum = Vec3::Zero();
  for (const ContactRecord& c : mechanics_of(run.prepared).pipeline().contact_view())
    if (c.b >= wall)
      sum -= c.force;
    else if (c.a >= wall)
      sum += c.force;
  return sum;
}

}  // namespace

TEST_CASE("crosses traced as spheropolygons fall and come to rest on the floor, which bears their weight") {
  const OneThread quick;
  Running run(packing());
  World& world = run.world();
  ContactPipeline& pipeline = mechanics_of(run.prepared).pipeline();
  const Vec3 gravity(0, -kG, 0);
  const Totals start = totals(world, gravity);
  REQUIRE(start.dynamic_bodies == kGrains);
  // The area under the star, less what the straight edges cut off.
  CHECK(start.mass == Approx(kGrains * 1180 * 0.003 * std::numbers::pi * kRadius * kRadius * 0.5).epsilon(2e-3));

  double deepest = 0, energy = start.kinetic() + start.potential, growth = 0, momentum_error = 0, largest = 0;
  const double fall = energy;
  for (int sample = 0; sample < 1000; ++sample) {
    for (int s = 0; s < 49; ++s) {
      run.steps(1);
      deepest = std::max(deepest, pipeline.counts().max_overlap);
    }
    const Totals before = totals(world, gravity);
    pipeline.compute_energy(true);
    pipeline.keep_records(true);
    run.steps(1);
    // Energy of springs is of the step's beginning, where forces were evaluated, as the heights before it.
    const double now = before.kinetic() + before.potential + pipeline.counts().elastic_energy;
    pipeline.compute_energy(false);
    pipeline.keep_records(false);
    growth = std::max(growth, now - energy);
    energy = now;
    const Vec3 pushed = totals(world, gravity).momentum - before.momentum;
    momentum_error =
        std::max(momentum_error, (pushed - run.scene.dt * (start.mass * gravity + wall_force(run, kGrains))).norm());
    largest = std::max(largest, before.momentum.norm());
  }
  pipeline.keep_records(true);
  run.steps(1);
  const double load = wall_force(run, kGrains).y() / (start.mass * kG);
  const Totals end = totals(world, gravity);
  fmt::print(
      "traced crosses: deepest overlap {:.1e} m, energy grew by {:.1e} of {:.1e} J, momentum error {:.1e} of {:.1e} kg "
      "m/s, the walls bear {:.5f} of the weight, {:.1e} J are left moving, {} contacts\n",
      deepest, growth, fall - energy, momentum_error, largest, load, end.kinetic(), pipeline.counts().contacts);
  CHECK(deepest < kDisc);  // half of the sum of both radii: skeletons stay apart
  CHECK(growth < 1e-3 * (fall - energy));
  CHECK(momentum_error < 1e-12 * largest);
  CHECK(load == Approx(1).epsilon(1e-3));
  CHECK(end.kinetic() < 1e-6 * (fall - energy));
}
