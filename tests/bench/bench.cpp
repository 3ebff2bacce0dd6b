/// \file The benchmark of the star packing: a full step on the settled pile, on the collapsing pile, and of one lone
/// body.

#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <boost/program_options.hpp>
#include <chrono>
#include <cmath>
#include <fstream>
#include <iostream>
#include <numbers>

#include "mechanics_of.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/run/process.hpp"
#include "scree/setup/setup.hpp"

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
  std::string packing;      ///< JSON
  int warm_steps = 20;      ///< before the clock starts
  bool right_wall = true;
};

/// The packing of the star_packing example: with 10,000 steps to fall and settle it is a pile of its own shape.
const std::string kLattice =
    R"({"type": "lattice", "lower": [0.03, 0.02], "upper": [0.57, 1.2], "spacing": 0.0142857, "jitter": "free"})";

std::string list_of(const std::vector<Row>& pile) {
  std::string places;
  for (const Row& r : pile)
    places += fmt::format(
        "{}{{\"position\": [{:.17g}, {:.17g}], \"orientation\": {:.17g}, \"velocity\": [{:.17g}, {:.17g}], "
        "\"angular_velocity\": {:.17g}}}",
        places.empty() ? "" : ",\n", r.x, r.y, r.theta, r.vx, r.vy, r.omega);
  return R"({"type": "list", "places": [)" + places + "]}";
}

std::string scene_text(const Case& c) {
  const std::string law =
      R"({"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1, "tangential_stiffness": 500, "friction": 0.5})";
  const std::string wall =
      R"(, {{"name": "{0}", "shape": "{0}", "material": "wall", "fixed": true, "position": [{1}, {2}]}})";
  return fmt::format(
      R"({{"dimension": 2, "gravity": [0, -9.81], "damping": {{"angular": 1e-8}},
"materials": {{"grain": {{"density": 1180}}, "wall": {{}}}},
"shapes": {{"grain": {{"type": "star", {0}, "thickness": 0.003}}, "floor": {{"type": "half-plane", "normal": [0, 1]}},
  "left": {{"type": "half-plane", "normal": [1, 0]}}, "right": {{"type": "half-plane", "normal": [-1, 0]}}}},
"bodies": [{{"name": "grains", "shape": "grain", "material": "grain", "orientation": "random", "packing": {1}}}{2}{3}{4}],
"interactions": [{{"between": ["grain", "grain"], "law": {5}}}, {{"between": ["grain", "wall"], "law": {5}}}],
"integrator": {{"type": "symplectic-euler", "dt": 1e-4}}, "output": {{"writers": []}}, "run": {{"duration": 1}}}})",
      c.shape, c.packing, fmt::format(fmt::runtime(wall), "floor", 0.3, 0.01),
      fmt::format(fmt::runtime(wall), "left", 0.02, 0.3),
      c.right_wall ? fmt::format(fmt::runtime(wall), "right", 0.58, 0.3) : "", law);
}

void advance(Prepared& p, double dt, int steps) {
  for (int s = 0; s < steps; ++s) {
    p.methods.integrator->step(mechanics_of(p), dt);
    ++p.world->step;
    p.world->time += dt;
  }
}

struct Timing {
  double ms[2] = {};  ///< per step on one and on two threads, median over rounds
  double steps_per_rebuild = 0;
  ContactTotals counts;
  StageSeconds stages;  ///< per step on one thread [s]
};

double median(std::vector<double> v) {
  std::sort(v.begin(), v.end());
  return v.size() % 2 ? v[v.size() / 2] : 0.5 * (v[v.size() / 2 - 1] + v[v.size() / 2]);
}

/// One and two threads in turn, round by round, so that a disturbance meets both.
Timing measure(const Scene& scene, const Registry& registry, int rounds, int steps, int warm) {
  const std::unique_ptr<Prepared> prepared = prepare(scene, registry);
  Prepared& p = *prepared;
  mechanics_of(p).refresh();
  advance(p, scene.dt, warm);
  ContactPipeline& pipeline = mechanics_of(p).pipeline();
  const std::uint64_t rebuilds = pipeline.rebuilds;
  std::vector<double> ms[2];
  Timing t;
  for (int r = 0; r < rounds; ++r)
    for (int threads = 1; threads <= 2; ++threads) {
      omp_set_num_threads(threads);
      pipeline.seconds = {};
      const auto start = std::chrono::steady_clock::now();
      advance(p, scene.dt, steps);
      const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
      ms[threads - 1].push_back(1e3 * seconds / steps);
      if (threads == 2) continue;
      const StageSeconds& s = pipeline.seconds;
      const double share = 1.0 / (rounds * steps);
      t.stages.grid += share * s.grid;
      t.stages.detect += share * s.detect;
      t.stages.law += share * s.law;
      t.stages.integrate += share * (seconds - s.grid - s.detect - s.law);
    }
  for (int k = 0; k < 2; ++k) t.ms[k] = median(ms[k]);
  t.steps_per_rebuild = double(2 * rounds * steps) / double(std::max<std::uint64_t>(1, pipeline.rebuilds - rebuilds));
  t.counts = pipeline.counts();
  return t;
}

/// \param only  part of a pile's name; empty: all
void piles(const Registry& registry, int rounds, int steps, const std::string& only) {
  const std::vector<Row> pile = read_pile(SCREE_PILE_FILE);
  constexpr double kNodeTests = 188500;  ///< nodes of S1 in reach on the settled cross pile
  const std::string given = list_of(pile);
  const std::vector<Case> cases = {
      {"cross, settling", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)", given},
      {"cross, collapsing", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)", given, 1500, false},
      {"cross, at rest", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)", kLattice, 12000},
      {"circle, at rest", R"("coefficients": {"a0": 1}, "radius": 0.00309)", kLattice, 12000},
      {"butterfly, at rest", R"("coefficients": {"a0": 3, "sin": {"2": 1, "7": 1}}, "radius": 0.00486)", kLattice,
       12000},
  };
  fmt::print(
      "{} grains, full step (detection, law with history, walls, integration, rebuilds); median of {} rounds of {} "
      "steps\n",
      pile.size(), rounds, steps);
  fmt::print("{:<18} {:>9} {:>9} {:>6} {:>13} {:>8} {:>9} {:>9}  {}\n", "pile", "1 thread", "2 threads", "eff.",
             "steps/rebuild", "pairs", "touching", "contacts", "stages on 1 thread: grid detect law rest [ms]");
  for (const Case& c : cases) {
    if (c.name.find(only) == std::string::npos) continue;
    const Scene scene = parse_scene("bench", scene_text(c), SceneInputs{registry.scene_schema(), {}, {}});
    const Timing t = measure(scene, registry, rounds, steps, c.warm_steps);
    fmt::print("{:<18} {:>6.3f} ms {:>6.3f} ms {:>6.2f} {:>13.1f} {:>8} {:>9} {:>9}  {:.3f} {:.3f} {:.3f} {:.3f}\n",
               c.name, t.ms[0], t.ms[1], t.ms[0] / (2 * t.ms[1]), t.steps_per_rebuild, t.counts.candidate_pairs,
               t.counts.touching_pairs, t.counts.contacts, 1e3 * t.stages.grid, 1e3 * t.stages.detect,
               1e3 * t.stages.law, 1e3 * t.stages.integrate);
    if (&c == &cases[0])
      fmt::print("{:<18} {:.2f} ns per S1 node test ({:.0f} of them); the authors' program: 16.5 ms per step, 85 ns\n",
                 "", 1e6 * t.ms[0] / kNodeTests, kNodeTests);
    std::fflush(stdout);
  }
}

void lone_body(const Registry& registry, int rounds) {
  const Case c{"one", R"("coefficients": {"a0": 2, "sin": {"4": 1}}, "radius": 0.00437)",
               list_of({{0.3, 0.5, 0, 0, 0, 0}})};
  const Scene scene = parse_scene("bench", scene_text(c), SceneInputs{registry.scene_schema(), {}, {}});
  fmt::print("one body, no contact: {:.2f} us per step\n", 1e3 * measure(scene, registry, rounds, 200, 100).ms[0]);
}

}  // namespace

int main(int argc, char** argv) try {
  set_up_process(argv);
  namespace po = boost::program_options;
  int rounds = 10, steps = 100;
  std::string only;
  po::options_description options("scree bench");
  options.add_options()("help", "show this")("rounds", po::value(&rounds), "rounds per figure; the median is shown")(
      "steps", po::value(&steps), "steps per round")("pile", po::value(&only),
                                                     "only piles with this in their name, e.g. rest");
  po::variables_map values;
  po::store(po::parse_command_line(argc, argv, options), values);
  po::notify(values);
  if (values.count("help")) {
    std::cout << options;
    return 0;
  }
  Registry registry;
  registry.load({{SCREE_PLUGIN_FOLDER}, {}});
  piles(registry, rounds, steps, only);
  if (only.empty()) lone_body(registry, rounds);
} catch (const std::exception& e) {
  std::cerr << e.what() << '\n';
  return 2;
}
