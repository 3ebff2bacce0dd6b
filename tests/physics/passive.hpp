#pragma once
/// \file Hits of two bodies without gravity: no law whose forces are springs, dashpots and friction may leave them with
/// more energy than they had.

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "catch.hpp"
#include "scenes.hpp"

namespace scree::test {

struct HitShape {
  const char* name;
  int dimension;
  std::string json;
  bool flat;  ///< every third pose lies exactly flat
};

struct HitLaw {
  const char* name;
  std::string json;
  bool elastic;  ///< has no dashpot and no friction: energy is kept, but for the phase in which a contact opens
};

inline std::string spheres_json(int columns, int rows) {
  std::vector<std::string> spheres;
  for (int i = 0; i < columns; ++i)
    for (int j = 0; j < rows; ++j)
      spheres.push_back(fmt::format(R"({{"position": [{}, {}, 0], "radius": 0.001}})", 0.002 * i, 0.002 * j));
  return fmt::format(R"({{"type": "clump", "spheres": [{}]}})", fmt::join(spheres, ", "));
}

inline std::string ngon_json(int corners) {
  std::vector<std::string> points;
  for (int k = 0; k < corners; ++k) {
    const double angle = 2 * std::numbers::pi * k / corners;
    points.push_back(fmt::format("[{:.17g}, {:.17g}]", 0.004 * std::cos(angle), 0.004 * std::sin(angle)));
  }
  return fmt::format(R"({{"type": "spheropolygon", "radius": 0.0005, "thickness": 0.005, "vertices": [{}]}})",
                     fmt::join(points, ", "));
}

inline std::vector<HitShape> hit_shapes() {
  return {{"sphere", 3, R"({"type": "sphere", "radius": 0.002})", false},
          {"dumbbell", 3, spheres_json(2, 1), true},
          {"rod of 5", 3, spheres_json(5, 1), true},
          {"plate of 3 x 3", 3, spheres_json(3, 3), true},
          {"tetrapod", 3, R"({"type": "clump", "template": "tetrapod", "scale": 0.003})", false},
          {"disc", 2, R"({"type": "sphere", "radius": 0.002, "thickness": 0.005})", false},
          {"square", 2, ngon_json(4), true},
          {"64-gon", 2, ngon_json(64), true},
          {"cross", 2, R"({"type": "clump", "template": "cross-9", "scale": 0.003, "thickness": 0.005})", false}};
}

inline std::vector<HitLaw> hit_laws() {
  const std::string linear = R"({"type": "linear", "normal_stiffness": 1e4, )";
  const std::string hertz =
      R"({"type": "hertz-mindlin", "youngs_modulus": 1e7, "poisson_ratio": 0.3, "typical_speed": 0.5, )";
  return {{"linear, elastic", linear + R"("restitution": 1})", true},
          {"linear, .9", linear + R"("restitution": 0.9, "friction": 0.5})", false},
          {"linear, .5", linear + R"("restitution": 0.5, "friction": 0.5})", false},
          {"linear, .05", linear + R"("restitution": 0.05, "friction": 0.5, "tangential_damping": 0.02})", false},
          {"linear, damping", linear + R"("normal_damping": 0.05, "friction": 0.3})", false},
          {"linear, viscous", linear + R"("restitution": 0.7, "friction": 0.5, "tangential": "viscous"})", false},
          {"linear, rolling",
           linear + R"("restitution": 0.5, "friction": 0.5, "rolling": {"model": "elastic-plastic", "friction": 0.2}})",
           false},
          {"hertz, elastic", hertz + R"("restitution": 1})", true},
          {"hertz, .5", hertz + R"("restitution": 0.5, "friction": 0.5})", false},
          {"hertz, .05", hertz + R"("restitution": 0.05, "friction": 0.5})", false},
          {"hertz, rolling",
           hertz + R"("restitution": 0.3, "friction": 0.5, "rolling": {"model": "constant", "friction": 0.2}})", false},
          {"power, 2.5",
           R"({"type": "power-law", "stiffness": 3e5, "exponent": 2.5, "friction": 0, "typical_speed": 0.5})", true}};
}

/// One hit.
struct Hit {
  const HitShape *a, *b;  ///< b null: a floor
  const HitLaw* law;
  double of_auto;  ///< dt over that of "auto"
  std::uint32_t pose;
};

inline std::string scene_of(const Hit& hit, double dt) {
  std::mt19937 engine(hit.pose + 1);
  std::uniform_real_distribution<double> any(-1, 1);
  const bool plane = hit.a->dimension == 2, level = hit.a->flat && hit.pose % 3 == 0;
  const auto orientation = [&](bool is_level) {
    if (plane) return is_level ? std::string("0") : fmt::format("{:.17g}", std::numbers::pi * any(engine));
    if (is_level) return std::string("[1, 0, 0, 0]");
    std::array<double, 4> q;
    for (double& x : q) x = any(engine);
    return fmt::format("[{:.17g}]", fmt::join(q, ", "));
  };
  // Along the last axis; plates lie across it.
  const auto vector = [&](double x, double y, double z) {
    return plane ? fmt::format("[{:.17g}, {:.17g}]", x, z) : fmt::format("[{:.17g}, {:.17g}, {:.17g}]", x, y, z);
  };
  const auto spin = [&] {
    const double x = 60 * any(engine), y = 60 * any(engine), z = 60 * any(engine);
    return level ? vector(0, 0, 0) : vector(x, y, z);
  };
  std::string bodies = fmt::format(
      R"({{"shape": "a", "material": "m", "position": {}, "orientation": {}, "velocity": {}, "angular_velocity": {}}})",
      vector(0.004 * any(engine), 0.004 * any(engine), 0.02), orientation(level), vector(0, 0, -0.5),
      plane ? fmt::format("{:.17g}", level ? 0 : 60 * any(engine)) : spin());
  std::string shapes = R"("a": )" + hit.a->json;
  if (hit.b) {
    shapes += R"(, "b": )" + hit.b->json;
    bodies += fmt::format(R"(, {{"shape": "b", "material": "m", "position": {}, "orientation": {}}})", vector(0, 0, 0),
                          orientation(hit.b->flat && level));
  } else {
    shapes +=
        fmt::format(R"(, "b": {{"type": "{}", "normal": {}}})", plane ? "half-plane" : "half-space", vector(0, 0, 1));
    bodies += fmt::format(R"(, {{"shape": "b", "material": "w", "position": {}, "fixed": true}})", vector(0, 0, 0));
  }
  return fmt::format(
      R"({{"dimension": {}, "materials": {{"m": {{"density": 2000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}},
 "w": {{"youngs_modulus": "rigid"}}}}, "shapes": {{{}}}, "bodies": [{}],
 "interactions": [{{"between": ["*", "*"], "law": {}}}],
 "integrator": {{"type": "velocity-verlet", "dt": {}}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      plane ? 2 : 3, shapes, bodies, hit.law->json, dt > 0 ? fmt::format("{:.17g}", dt) : "\"auto\"");
}

/// Energy after the hit over that before; 1 where the bodies miss each other. \return nothing for a step that is
/// refused or warned of
inline std::optional<double> energy_ratio(const Hit& hit) {
  double dt = 0;
  if (hit.of_auto != 1) dt = hit.of_auto * Running(scene_of(hit, 0)).dt();
  std::optional<Running> made;
  try {
    made.emplace(scene_of(hit, dt));
  } catch (const InputError&) {
    return std::nullopt;
  }
  Running& run = *made;
  if (!run.prepared.warnings.empty()) return std::nullopt;
  const auto kinetic = [&] { return totals(run.world(), Vec3::Zero()).kinetic(); };
  auto& pipeline = mechanics_of(run.prepared).pipeline();
  const double before = kinetic();
  std::uint64_t free = 0;
  bool touched = false;
  const auto most = static_cast<std::uint64_t>(0.1 / run.dt());
  for (std::uint64_t step = 0; step < most && !(touched && free > 50); ++step) {
    run.steps(1);
    const bool touches = pipeline.counts().contacts > 0;
    touched = touched || touches;
    free = touches ? 0 : free + 1;
  }
  return kinetic() / before;
}

/// Hits of all shapes with a floor and with each other by all laws. \param poses  of each
inline void check_hits(std::uint32_t poses) {
  const auto shapes = hit_shapes();
  const auto laws = hit_laws();
  // A contact that opens gains up to h^2/4 by its phase, h = dt w of the pair: w is at most sqrt(3) times the frequency
  // that sets dt. Ten steps at least.
  const double h = std::numbers::pi / 10;
  // Dashpots and friction take more than that; the thousandth is for hits that barely graze.
  std::size_t hits = 0, cases = 0;
  double largest = 0;
  for (const HitShape& a : shapes)
    for (std::size_t k = 0; k <= shapes.size(); ++k) {
      const HitShape* const b = k < shapes.size() ? &shapes[k] : nullptr;
      if (b && (b->dimension != a.dimension || b < &a)) continue;
      for (const HitLaw& law : laws) {
        ++cases;
        for (std::uint32_t k = 0; k < poses; ++k)
          for (const double of_auto : {1.0, 2.0}) {
            const std::uint32_t pose = k + (poses < 3 ? static_cast<std::uint32_t>(cases % 3) : 0);
            const Hit hit{&a, b, &law, of_auto, pose};
            INFO(fmt::format("{} and {}, {}, pose {}, {} of auto", a.name, b ? b->name : "floor", law.name, pose,
                             of_auto));
            std::optional<double> ratio;
            REQUIRE_NOTHROW(ratio = energy_ratio(hit));
            if (!ratio) continue;
            const double most = law.elastic ? 1 + 0.25 * 3 * h * h : 1.001;
            CHECK(*ratio <= most);
            if (law.elastic) CHECK(*ratio >= 2 - most);
            largest = std::max(largest, *ratio);
            ++hits;
          }
      }
    }
  fmt::print("{} hits, the largest energy after one is {:.4f} of that before\n", hits, largest);
}

}  // namespace scree::test
