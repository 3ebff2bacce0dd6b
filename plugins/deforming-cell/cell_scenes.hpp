#pragma once
/// \file Scenes in periodic cells that deform.

#include <fmt/format.h>

#include <string>
#include <vector>

#include "catch.hpp"
#include "scree/run/simulation.hpp"

namespace scree::deforming_cell::test {

/// Grains with springs in a periodic cell, without gravity.
struct Scene {
  std::string hook;                        ///< options of deforming-cell, without its type and interval
  std::string bodies;                      ///< entries of bodies, of shape "grain" and material "m"
  std::vector<double> lengths = {10, 10};  ///< lengths of the cell, which begins at 0; 2 or 3
  double stiffness = 1000, friction = 0, restitution = 1, damping = 0, density = 1, dt = 1e-3;
  std::string integrator = "velocity-verlet", more = "";

  std::string text() const {
    std::string periodic;
    for (std::size_t k = 0; k < lengths.size(); ++k)
      periodic += fmt::format(R"({}"{}": [0, {}])", k ? ", " : "", "xyz"[k], lengths[k]);
    const std::string tangential =
        friction == 0 ? "" : fmt::format(R"(, "tangential": "spring", "tangential_stiffness": {})", stiffness / 2);
    return fmt::format(
        R"({{"dimension": {}, "gravity": {}, "periodic": {{{}}}, "materials": {{"m": {{"density": {}}}}},
"shapes": {{"grain": {{"type": "sphere", "radius": 0.5}}}}, "bodies": [{}],
"interactions": [{{"between": ["*", "*"], "law": {{"type": "linear", "normal_stiffness": {}, {},
                   "friction": {}{}}}}}],
"hooks": [{{"type": "deforming-cell", "interval": {}, {}}}],
"integrator": {{"type": "{}", "dt": {}}}, "run": {{"duration": 1000}}, "output": {{"writers": []}}{}}})",
        lengths.size(), lengths.size() == 2 ? "[0, 0]" : "[0, 0, 0]", periodic, density, bodies, stiffness,
        damping > 0 ? fmt::format(R"("normal_damping": {})", damping)
                    : fmt::format(R"("restitution": {})", restitution),
        friction, tangential, dt, hook, integrator, dt, more);
  }
  Simulation run(int threads = 1) const { return Simulation::from_text(text(), {.threads = threads}); }
};

/// One entry for each place. \param scale  size of the grains relative to a radius of 0.5
inline std::string grains_at(const std::vector<Vec3>& places, bool flat, double scale = 1) {
  std::string all;
  for (const Vec3& x : places)
    all += fmt::format(R"({}{{"shape": "grain", "material": "m", "scale": {}, "position": [{:.17g}, {:.17g}{}]}})",
                       all.empty() ? "" : ", ", scale, x[0], x[1], flat ? "" : fmt::format(", {:.17g}", x[2]));
  return all;
}

inline double figure(Simulation& run, const std::string& name) {
  for (const auto& [column, value] : run.metrics())
    if (column == name) return value;
  FAIL("no " << name);
  return 0;
}

/// The stress that the run shows: of the state before its last step.
inline Mat3 shown_stress(Simulation& run) {
  Mat3 stress = Mat3::Zero();
  const bool flat = run.world().dimension() == 2;
  const auto component = [&](int i, int j) {
    return figure(run, fmt::format("cell_stress_{}{}_Pa", "xyz"[i], "xyz"[j]));
  };
  for (int i = 0; i < (flat ? 2 : 3); ++i)
    for (int j = i; j < (flat ? 2 : 3); ++j) stress(i, j) = stress(j, i) = component(i, j);
  return stress;
}

}  // namespace scree::deforming_cell::test
