#pragma once
/// \file A cow that falls on hills which repeat every 20 m: how well it keeps its energy while it touches nothing.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <string>
#include <vector>

#include "scenes.hpp"

namespace scree::test {

/// Where a cow starts, at rest: its centre of mass [m] and its angle.
struct CowStart {
  double x, y, angle;
};

inline const std::string kVerlet = R"("type": "velocity-verlet")";
inline const std::string kStiffCow = R"({"type": "linear", "normal_stiffness": 1e7, "tangential": "none"})";

inline std::string cow_bounce(const CowStart& start, const std::string& law, const std::string& integrator, double dt) {
  return fmt::format(
      R"({{"dimension": 2, "gravity": [0, -10], "periodic": {{"x": [0, 20]}}, "materials": {{"m": {{"density": 1}}}},
"shapes": {{"cow": {{"type": "spheropolygon", "file": "{}", "radius": 0.1, "position_of": "centre-of-mass"}},
"hills": {{"type": "chain", "vertices": [[0, 0], [5, 2], [9, 0.5], [13, 3], [17, 1], [20, 0]], "radius": 0.1}}}},
"bodies": [{{"shape": "cow", "material": "m", "position": [{}, {}], "orientation": {}}},
{{"shape": "hills", "material": "m", "position": [0, 0], "fixed": true}}],
"interactions": [{{"between": ["m", "m"], "detector": {{"type": "vertex-edge", "corner_weight": 0}}, "law": {}}}],
"integrator": {{{}, "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      SCREE_COW, start.x, start.y, start.angle, law, integrator, dt);
}

struct Bounces {
  double energy = 0;         ///< at the start [J]
  double first_contact = 0;  ///< [s]
  int episodes = 0;          ///< of contact, with at least 0.05 s of flight before
  double error = 0;          ///< largest relative energy error of all steps after which nothing touches
};

/// Energy is looked at out of contact only: within, that of velocity Verlet oscillates by (omega dt)^2.
inline Bounces bounces(const CowStart& start, const std::string& law, const std::string& integrator, double dt,
                       double duration) {
  Running run(cow_bounce(start, law, integrator, dt));
  const auto energy = [&] {
    const Totals t = totals(run.world(), Vec3(0, -10, 0));
    return t.kinetic() + t.potential;
  };
  Bounces out;
  out.energy = energy();
  double touched = -1;
  for (auto left = std::llround(duration / dt); left > 0; --left) {
    run.steps(1);
    if (mechanics_of(run.prepared).pipeline().counts().contacts > 0) {
      if (out.episodes == 0) out.first_contact = run.world().time;
      if (run.world().time > touched + 0.05) ++out.episodes;
      touched = run.world().time;
    } else {
      out.error = std::max(out.error, std::abs(energy() / out.energy - 1));
    }
  }
  return out;
}

/// Sixteen starts that turn once, over one period of the hills and more; 4 s.
struct Ensemble {
  std::vector<double> errors;  ///< ascending
  double episodes = 0;         ///< of a run, on average

  Ensemble(const std::string& law, const std::string& integrator, double dt) {
    for (int j = 0; j < 16; ++j) {
      const Bounces one = bounces({5 + 0.6 * j, 20, 0.1 + 0.3927 * j}, law, integrator, dt, 4);
      errors.push_back(one.error);
      episodes += one.episodes / 16.0;
    }
    std::sort(errors.begin(), errors.end());
    fmt::print("{:<36} h = {:<6g} median {:.2e}, max {:.2e}, below 1e-6 {:>3.0f} %, {:.2f} episodes\n", integrator, dt,
               median(), errors.back(), share_below(1e-6) * 100, episodes);
  }
  double median() const { return (errors[7] + errors[8]) / 2; }
  double max() const { return errors.back(); }
  double share_below(double gate) const {
    return static_cast<double>(std::lower_bound(errors.begin(), errors.end(), gate) - errors.begin()) / 16;
  }
};

}  // namespace scree::test
