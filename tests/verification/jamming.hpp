#pragma once
/// \file Where soft frictionless spheres or discs at random places stop to bear load as they shrink, in a periodic box.

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <random>
#include <string>
#include <vector>

#include "scenes.hpp"

namespace scree::test {

/// Bodies of these sizes, relative to one another, in a box of side 10; stiffness and mass are of order 1.
class SoftPacking {
 public:
  struct State {
    std::vector<Vec3> places;
    double overlap;       ///< root mean square of a body's share [diameters]: falls to 0 linearly where they unjam
    double coordination;  ///< contacts per body without rattlers, which have too few to be held
  };
  struct Jammed {
    double fraction;      ///< at which overlaps would vanish
    double coordination;  ///< of the last state, just above
  };

  SoftPacking(int dimension, std::vector<double> sizes) : dimension_(dimension), sizes_(std::move(sizes)) {}

  /// Random places, pressed into one another at a fraction above jamming and let go, then made smaller: each time two
  /// thirds of the way to where the overlaps would vanish.
  Jammed jam(double fraction, unsigned seed, std::uint64_t steps) const {
    std::mt19937 engine(seed);
    std::uniform_real_distribution<double> u(0, kLength);
    std::vector<Vec3> places(sizes_.size());
    for (Vec3& x : places) {
      x = {u(engine), u(engine), 0};
      if (dimension_ == 3) x.z() = u(engine);
    }
    double before = fraction - 0.01;
    State state = relax(fraction, places, steps), last = relax(before, state.places, steps);
    double jam = zero(fraction, state.overlap, before, last.overlap);
    for (int i = 0; i < 5; ++i) {
      fraction = before, before = jam + (before - jam) / 3;
      state = last, last = relax(before, state.places, 5 * steps / 2);
      jam = zero(fraction, state.overlap, before, last.overlap);
    }
    return {jam, last.coordination};
  }

 private:
  static constexpr double kLength = 10;

  /// Of a body of size 1 at this fraction of volume, or of area.
  double diameter(double fraction) const {
    double content = 0;
    for (const double s : sizes_)
      content += dimension_ == 3 ? std::numbers::pi / 6 * s * s * s : std::numbers::pi / 4 * s * s;
    return kLength * std::pow(fraction / content, 1.0 / dimension_);
  }

  /// Damped, so that they come to rest.
  std::string scene(double fraction, const std::vector<Vec3>& places) const {
    std::string list;
    for (std::size_t i = 0; i < places.size(); ++i) {
      const Vec3& x = places[i];
      list += fmt::format(R"({}{{"position": [{}, {}{}], "scale": {}}})", i ? ", " : "", x[0], x[1],
                          dimension_ == 3 ? fmt::format(", {}", x[2]) : "", sizes_[i]);
    }
    return fmt::format(
        R"({{"dimension": {0}, "periodic": {{"x": [0, {1}], "y": [0, {1}]{2}}},
"damping": {{"mass_proportional": 0.1}}, "materials": {{"m": {{"density": 1}}}},
"shapes": {{"s": {{"type": "sphere", "radius": {3}, "thickness": 1}}}},
"bodies": [{{"shape": "s", "material": "m", "packing": {{"type": "list", "places": [{4}]}}}}],
"interactions": [{{"between": ["m", "m"],
  "law": {{"type": "linear", "normal_stiffness": 1, "normal_damping": 0.1, "tangential": "none"}}}}],
"integrator": {{"type": "velocity-verlet", "dt": 0.15}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
        dimension_, kLength, dimension_ == 3 ? fmt::format(R"(, "z": [0, {}])", kLength) : "", diameter(fraction) / 2,
        list);
  }

  State relax(double fraction, const std::vector<Vec3>& places, std::uint64_t steps) const {
    Running run(scene(fraction, places));
    ContactPipeline& pipeline = mechanics_of(run.prepared).pipeline();
    run.steps(steps - 1);
    pipeline.compute_energy(true);
    pipeline.keep_records(true);
    run.steps(1);
    State out;
    for (Id id = 0; id < sizes_.size(); ++id) out.places.push_back(run.world().position.read()[*run.world().row(id)]);
    const double n = static_cast<double>(sizes_.size());
    out.overlap = std::sqrt(2 * pipeline.counts().elastic_energy / n) / diameter(fraction);
    out.coordination = coordination(pipeline.contact_view());
    fmt::print("  fraction {:.5f}: overlap {:.3e} d, coordination {:.4f}, moving {:.1e} of the elastic energy\n",
               fraction, out.overlap, out.coordination,
               totals(run.world(), Vec3::Zero()).kinetic() / pipeline.counts().elastic_energy);
    return out;
  }

  double coordination(const ContactView& contacts) const {
    const std::size_t count = sizes_.size();
    std::vector<bool> rattles(count, false);
    for (bool changed = true; changed;) {
      changed = false;
      std::vector<int> number(count, 0);
      for (const ContactRecord& c : contacts)
        if (!rattles[c.a] && !rattles[c.b]) ++number[c.a], ++number[c.b];
      for (std::size_t i = 0; i < count; ++i)
        if (!rattles[i] && number[i] < dimension_ + 1) rattles[i] = changed = true;
      if (changed) continue;
      double sum = 0, carrying = 0;
      for (std::size_t i = 0; i < count; ++i)
        if (!rattles[i]) sum += number[i], ++carrying;
      return carrying ? sum / carrying : 0;
    }
    return 0;
  }

  /// Where a line through two points meets y = 0.
  static double zero(double x1, double y1, double x2, double y2) { return x1 - y1 * (x2 - x1) / (y2 - y1); }

  int dimension_;
  std::vector<double> sizes_;
};

}  // namespace scree::test
