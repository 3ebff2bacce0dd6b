// How densely equal spheres pack at random: where frictionless ones jam, and how friction keeps a bed loose.

#include <algorithm>
#include <cmath>
#include <numbers>
#include <random>

#include "one_thread.hpp"
#include "scenes.hpp"
#include "series.hpp"

using namespace scree;
using namespace scree::test;

namespace {

constexpr int kCount = 1000;
constexpr double kLength = 10;  // of the periodic box; stiffness and mass of order 1

double diameter(double fraction) { return kLength * std::cbrt(6 * fraction / (std::numbers::pi * kCount)); }

/// Soft frictionless spheres at these places, of the size that gives the fraction, damped so that they come to rest.
std::string soft_spheres(double fraction, const std::vector<Vec3>& places) {
  std::string list;
  for (const Vec3& x : places)
    list += fmt::format(R"({}{{"position": [{}, {}, {}]}})", list.empty() ? "" : ", ", x[0], x[1], x[2]);
  return fmt::format(
      R"({{"dimension": 3, "periodic": {{"x": [0, {0}], "y": [0, {0}], "z": [0, {0}]}},
"damping": {{"mass_proportional": 0.1}}, "materials": {{"m": {{"density": 1}}}},
"shapes": {{"s": {{"type": "sphere", "radius": {1}}}}},
"bodies": [{{"shape": "s", "material": "m", "packing": {{"type": "list", "places": [{2}]}}}}],
"interactions": [{{"between": ["m", "m"],
  "law": {{"type": "linear", "normal_stiffness": 1, "normal_damping": 0.1, "tangential": "none"}}}}],
"integrator": {{"type": "velocity-verlet", "dt": 0.15}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      kLength, diameter(fraction) / 2, list);
}

/// Contacts per sphere without rattlers, which have less than four contacts that carry.
double coordination(const ContactView& contacts) {
  std::vector<bool> rattles(kCount, false);
  for (bool changed = true; changed;) {
    changed = false;
    std::vector<int> number(kCount, 0);
    for (const ContactRecord& c : contacts)
      if (!rattles[c.a] && !rattles[c.b]) ++number[c.a], ++number[c.b];
    for (int i = 0; i < kCount; ++i)
      if (!rattles[i] && number[i] < 4) rattles[i] = changed = true;
    if (changed) continue;
    double sum = 0, carrying = 0;
    for (int i = 0; i < kCount; ++i)
      if (!rattles[i]) sum += number[i], ++carrying;
    return carrying ? sum / carrying : 0;
  }
  return 0;
}

struct Jammed {
  std::vector<Vec3> places;
  double overlap;  ///< root mean square of a sphere's share [diameters]: falls to 0 linearly where they unjam
  double coordination;
};

Jammed relax(double fraction, const std::vector<Vec3>& places, std::uint64_t steps) {
  Running run(soft_spheres(fraction, places));
  ContactPipeline& pipeline = run.prepared.mechanics->pipeline();
  run.steps(steps - 1);
  pipeline.compute_energy = pipeline.keep_records = true;
  run.steps(1);
  Jammed out;
  for (Id id = 0; id < kCount; ++id) out.places.push_back(run.world().position.read()[*run.world().row(id)]);
  out.overlap = std::sqrt(2 * pipeline.counts().elastic_energy / kCount) / diameter(fraction);
  out.coordination = coordination(pipeline.contact_view());
  fmt::print("  fraction {:.5f}: overlap {:.3e} d, coordination {:.4f}, moving {:.1e} of the elastic energy\n",
             fraction, out.overlap, out.coordination,
             totals(run.world(), Vec3::Zero()).kinetic() / pipeline.counts().elastic_energy);
  return out;
}

/// Where a line through two points meets y = 0.
double zero(double x1, double y1, double x2, double y2) { return x1 - y1 * (x2 - x1) / (y2 - y1); }

/// Volume of a sphere at z below the plane z = 0.
double below(double z, double r) {
  const double h = std::clamp(r - z, 0.0, 2 * r);
  return std::numbers::pi * h * h * (r - h / 3);
}

}  // namespace

TEST_CASE("frictionless equal spheres jam at a fraction of 0.64, with six contacts each") {
  const OneThread quick;
  std::mt19937 engine(7);
  std::uniform_real_distribution<double> u(0, kLength);
  std::vector<Vec3> places(kCount);
  for (Vec3& x : places) x = {u(engine), u(engine), u(engine)};
  // Random places, pressed into one another at 0.66 and let go, then made smaller: each time two thirds of the way to
  // where the overlaps would vanish.
  double fraction = 0.66, before = 0.65;
  Jammed state = relax(fraction, places, 4000), last = relax(before, state.places, 4000);
  double jam = zero(fraction, state.overlap, before, last.overlap);
  for (int i = 0; i < 5; ++i) {
    fraction = before, before = jam + (before - jam) / 3;
    state = last, last = relax(before, state.places, 10000);
    jam = zero(fraction, state.overlap, before, last.overlap);
  }
  compare("1000 frictionless spheres", "jamming fraction", 0.64, jam, 0.01 / 0.64);
  // Above jamming coordination grows by about 8 sqrt(fraction - jamming), here by 0.07 (O'Hern et al., Phys. Rev. E 68
  // (2003) 011306, who find 0.639 for 1000 spheres).
  compare("1000 frictionless spheres", "coordination at jamming", 6, last.coordination, 0.1 / 6);
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
