/// \file The benchmark of the star packing: a full step on the settled pile, on the collapsing pile, and of one lone body.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <numbers>

#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/sim/setup.hpp"

using namespace scree;

namespace {

struct Row {
  double x, y, theta, vx, vy, omega;  ///< m, rad, s
};

/// The settled pile of 3154 crosses: x y theta vx vy omega in mm, rad, s; x y of the geometric centre.
std::vector<Row> read_pile(const std::string& file) {
  std::ifstream in(file);
  if (!in) throw IoError(file + ": cannot be read");
  std::vector<Row> rows;
  for (Row r; in >> r.x >> r.y >> r.theta >> r.vx >> r.vy >> r.omega;)
    rows.push_back({1e-3 * r.x, 1e-3 * r.y, r.theta, 1e-3 * r.vx, 1e-3 * r.vy, r.omega});
  return rows;
}

struct Case {
  std::string name, shape;  ///< shape: options of a star
  bool right_wall = true;
  int warm_steps = 20;      ///< before the clock starts
};

std::string scene_text(const std::vector<Row>& pile, const Case& c) {
  std::string places;
  for (const Row& r : pile)
    places += fmt::format("{}{{\"position\": [{:.17g}, {:.17g}], \"orientation\": {:.17g}, \"velocity\": [{:.17g}, {:.17g}], "
                          "\"angular_velocity\": {:.17g}}}",
                          places.empty() ? "" : ",\n", r.x, r.y, r.theta, r.vx, r.vy, r.omega);
  const std::string law =
      R"({"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "tangential_stiffness": 500, "friction": 0.5})";
  const std::string wall = R"(, {{"name": "{0}", "shape": "{0}", "material": "wall", "fixed": true, "position": [{1}, {2}]}})";
  return fmt::format(
      R"({{"dimension": 2, "gravity": [0, -9.81], "damping": {{"angular": 1e-8}},
"materials": {{"grain": {{"density": 1180}}, "wall": {{}}}},
"shapes": {{"grain": {{"type": "star", {0}, "thickness": 0.003}}, "floor": {{"type": "half-plane", "normal": [0, 1]}},
  "left": {{"type": "half-plane", "normal": [1, 0]}}, "right": {{"type": "half-plane", "normal": [-1, 0]}}}},
"bodies": [{{"name": "grains", "shape": "grain", "material": "grain", "packing": {{"type": "list", "places": [{1}]}}}}{2}{3}{4}],
"interactions": [{{"between": ["grain", "grain"], "law": {5}}}, {{"between": ["grain", "wall"], "law": {5}}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      c.shape, places, fmt::format(fmt::runtime(wall), "floor", 0.3, 0.01), fmt::format(fmt::runtime(wall), "left", 0.02, 0.3),
      c.right_wall ? fmt::format(fmt::runtime(wall), "right", 0.58, 0.3) : "", law);
}

void advance(Prepared& p, double dt, int steps) {
  for (int s = 0; s < steps; ++s) {
    p.methods.integrator->step(*p.mechanics, dt);
    ++p.world->step;
    p.world->time += dt;
  }
}

struct Timing {
  double ms = 0;  ///< per step, median over rounds
  double steps_per_rebuild = 0;
  ContactTotals counts;
  StageSeconds stages;  ///< per step [s], over all rounds
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.size() % 2 ? v[v.size() / 2] : 0.5 * (v[v.size() / 2 - 1] + v[v.size() / 2]);
}

Timing measure(const Scene& scene, const Registry& registry, int threads, int rounds, int steps, int warm) {
  omp_set_num_threads(threads);
  Prepared p = prepare(scene, registry);
  p.mechanics->refresh();
  advance(p, scene.dt, warm);
  ContactPipeline& pipeline = p.mechanics->pipeline();
  const std::uint64_t rebuilds = pipeline.rebuilds;
  pipeline.seconds = {};
  std::vector<double> ms;
  double total = 0;
  for (int r = 0; r < rounds; ++r) {
    const auto start = std::chrono::steady_clock::now();
    advance(p, scene.dt, steps);
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    ms.push_back(1e3 * seconds / steps);
    total += seconds;
  }
  Timing t;
  t.ms = median(ms);
  t.steps_per_rebuild = double(rounds * steps) / double(std::max<std::uint64_t>(1, pipeline.rebuilds - rebuilds));
  t.counts = pipeline.counts();
  const double n = double(rounds * steps);
  const StageSeconds& s = pipeline.seconds;
  t.stages = {s.grid / n, s.detect / n, s.law / n, (total - s.grid - s.detect - s.law) / n, 0};
  return t;
}

void piles(const Registry& registry, int rounds, int steps) {
  const std::vector<Row> pile = read_pile(SCREE_PILE_FILE);
  constexpr double kNodeTests = 188500;  ///< nodes of S1 in reach on the settled cross pile
  const std::vector<Case> cases = {
      {"cross, settled", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)"},
      {"cross, collapsing", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)", false, 1500},
      {"circle", R"("coefficients": {"a0": 1}, "radius": 0.00437)"},
      {"butterfly", R"("coefficients": {"a0": 3, "sin": {"2": 1, "7": 1}}, "radius": 0.00437)"},
  };
  fmt::print("{} grains, full step (detection, law with history, walls, integration, rebuilds); median of {} rounds of {} steps\n",
             pile.size(), rounds, steps);
  fmt::print("{:<18} {:>9} {:>9} {:>6} {:>13} {:>8} {:>9} {:>9}  {}\n", "pile", "1 thread", "2 threads", "eff.", "steps/rebuild",
             "pairs", "touching", "contacts", "stages on 1 thread: grid detect law rest [ms]");
  for (const Case& c : cases) {
    const Scene scene = parse_scene("bench", scene_text(pile, c), SceneInputs{registry.scene_schema(), {}, {}});
    const Timing one = measure(scene, registry, 1, rounds, steps, c.warm_steps);
    const Timing two = measure(scene, registry, 2, rounds, steps, c.warm_steps);
    fmt::print("{:<18} {:>6.3f} ms {:>6.3f} ms {:>6.2f} {:>13.1f} {:>8} {:>9} {:>9}  {:.3f} {:.3f} {:.3f} {:.3f}\n", c.name,
               one.ms, two.ms, one.ms / (2 * two.ms), one.steps_per_rebuild, one.counts.candidate_pairs,
               one.counts.touching_pairs, one.counts.contacts, 1e3 * one.stages.grid, 1e3 * one.stages.detect,
               1e3 * one.stages.law, 1e3 * one.stages.integrate);
    if (&c == &cases[0])
      fmt::print("{:<18} {:.2f} ns per S1 node test ({:.0f} of them); the authors' program: 16.5 ms per step, 85 ns\n", "",
                 1e6 * one.ms / kNodeTests, kNodeTests);
  }
}

void lone_body(const Registry& registry, int rounds) {
  const std::vector<Row> one = {{0.3, 0.5, 0, 0, 0, 0}};
  const Case c{"one", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)"};
  const Scene scene = parse_scene("bench", scene_text(one, c), SceneInputs{registry.scene_schema(), {}, {}});
  omp_set_num_threads(1);
  std::vector<double> us;
  for (int r = 0; r < rounds; ++r) us.push_back(1e3 * measure(scene, registry, 1, 1, 1000, 100).ms);
  fmt::print("one body, no contact: {:.2f} us per step\n", median(us));
}

}  // namespace

int main(int argc, char** argv) try {
  namespace po = boost::program_options;
  int rounds = 10, steps = 100;
  po::options_description options("scree bench");
  options.add_options()("help", "show this")("rounds", po::value(&rounds), "rounds per figure; the median is shown")(
      "steps", po::value(&steps), "steps per round");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  po::notify(values);
  if (values.count("help")) {
    std::cout << options;
    return 0;
  }
  Registry registry;
  registry.load({{SCREE_PLUGIN_FOLDER}, {}});
  piles(registry, rounds, steps);
  lone_body(registry, rounds);
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 2;
}
