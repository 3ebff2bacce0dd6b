// Many steps per launch: batches of any size give the bits, the figures and the errors of step by step.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "catch.hpp"
#include "engine/device_code.hpp"
#include "kernels/step_kernels.hpp"
#include "scree/base/error.hpp"
#include "scree/run/simulation.hpp"
#include "tests/bare_engine.hpp"

using namespace scree;
using namespace scree::device;

namespace {

constexpr const char* kSprings = R"({"type": "linear", "normal_stiffness": 2e4, "restitution": 0.6, "friction": 0.4,
    "rolling": {"model": "elastic-plastic", "friction": 0.1}})";

struct Scenery {
  std::string shapes, bodies, gravity = "[0, -9.81, 0]", integrator = "symplectic-euler", law = kSprings, more = "";
  double dt = 2e-5;
  std::string json() const {
    return fmt::format(R"({{"dimension": 3, "gravity": {}, "materials": {{"glass": {{"density": 2500}}, "wall": {{}}}},
"shapes": {{{}}}, "bodies": [{}], "interactions": [{{"between": ["*", "*"], "law": {}}}],
"integrator": {{"type": "{}", "dt": {}}}, "run": {{"duration": 1}}, "output": {{"writers": []}}{}}})",
                       gravity, shapes, bodies, law, integrator, dt, more);
  }
};

constexpr const char* kBead = R"("bead": {"type": "sphere", "radius": 0.01})";

/// A drum that turns around a bar that swings: obstacles outrun lists too.
Scenery turning_drum(const char* integrator) {
  Scenery s;
  s.shapes = std::string(kBead) + R"(, "drum": {"type": "cylinder", "radius": 0.06, "length": 0.08, "inside": true},
      "bar": {"type": "box", "half_sizes": [0.01, 0.02, 0.03]})";
  s.bodies = R"({"shape": "bead", "material": "glass", "seed": 3, "random_speed": 1,
      "packing": {"type": "lattice", "lower": [-0.03, -0.034, -0.028], "counts": [4, 2, 3], "spacing": 0.0199}},
      {"shape": "drum", "material": "wall", "position": [0, 0, 0], "motion": {"angular_velocity": [0, 0, 12]}},
      {"shape": "bar", "material": "wall", "position": [0, 0.02, 0],
       "motion": {"amplitude": [0.002, 0, 0], "frequency": 200}})";
  s.integrator = integrator;
  return s;
}

/// A bar that turns and shakes among spheres at rest: it alone outruns the lists.
Scenery moving_bar(const char* integrator) {
  Scenery s;
  s.gravity = "[0, 0, 0]";
  s.shapes = std::string(kBead) + R"(, "bar": {"type": "box", "half_sizes": [0.01, 0.02, 0.03]})";
  s.bodies = R"({"shape": "bead", "material": "glass",
      "packing": {"type": "lattice", "lower": [0.03, 0, 0], "counts": [2, 2, 2], "spacing": 0.021}},
      {"shape": "bar", "material": "wall", "position": [-0.02, 0, 0],
       "motion": {"amplitude": [0.02, 0, 0], "frequency": 40, "angular_velocity": [0, 0, 9]}})";
  s.more = R"(, "grid": {"skin": 0.001})";
  s.integrator = integrator;
  return s;
}

/// Spheres that leave a periodic cell in two directions.
Scenery repeating(const char* integrator, const char* gravity = "[3, 0, -9.81]") {
  Scenery s;
  s.gravity = gravity;
  s.shapes = std::string(kBead) + R"(, "floor": {"type": "half-space"})";
  s.bodies = R"({"shape": "bead", "material": "glass", "seed": 11, "random_speed": 1.5,
      "packing": {"type": "lattice", "lower": [-0.04, -0.03, 0.0102], "counts": [4, 3, 3], "spacing": 0.0199}},
      {"shape": "floor", "material": "wall", "fixed": true, "position": [0, 0, 0]})";
  s.more = R"(, "periodic": {"x": [-0.042, 0.042], "y": [-0.032, 0.032]})";
  s.integrator = integrator;
  return s;
}

Scenery clumps_in_box(const char* integrator) {
  Scenery s;
  s.shapes = R"("clump": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.01},
      {"position": [0.012, 0, 0], "radius": 0.008}]}, "box": {"type": "box", "half_sizes": [0.056, 0.056, 0.056],
      "inside": true})";
  s.bodies = R"({"shape": "clump", "material": "glass", "seed": 7, "random_speed": 4, "orientation": "random",
      "packing": {"type": "lattice", "lower": [-0.037, -0.037, -0.037], "counts": [3, 3, 3], "spacing": 0.037}},
      {"shape": "box", "material": "wall", "fixed": true, "position": [0, 0, 0]})";
  s.integrator = integrator;
  return s;
}

/// A few spheres at rest on a floor.
Scenery quiet() {
  Scenery s;
  s.gravity = "[0, 0, -9.81]";
  s.shapes = std::string(kBead) + R"(, "floor": {"type": "half-space"})";
  s.bodies = R"({"shape": "bead", "material": "glass",
      "packing": {"type": "lattice", "lower": [0, 0, 0.01], "counts": [3, 3, 1], "spacing": 0.03}},
      {"shape": "floor", "material": "wall", "fixed": true, "position": [0, 0, 0]})";
  return s;
}

/// One sphere that leaves the domain, beside one that stays.
Scenery leaving(const char* integrator) {
  Scenery s;
  s.shapes = kBead;
  s.bodies = R"({"shape": "bead", "material": "glass", "position": [0, 0, 0], "velocity": [20, 0, 0]},
      {"shape": "bead", "material": "glass", "position": [0, 0.1, 0]})";
  s.more = R"(, "domain": {"lower": [-1, -1, -1], "upper": [0.05, 1, 1]})";
  s.integrator = integrator;
  return s;
}

/// Two spheres that go through each other until their centres are one point.
Scenery coinciding() {
  Scenery s;
  s.gravity = "[0, 0, 0]";
  s.shapes = R"("bead": {"type": "sphere", "radius": 0.0078125})";
  s.bodies = R"({"shape": "bead", "material": "glass", "position": [-0.015625, 0, 0], "velocity": [1, 0, 0]},
      {"shape": "bead", "material": "glass", "position": [0.015625, 0, 0], "velocity": [-1, 0, 0]})";
  s.law = R"({"type": "linear", "normal_stiffness": 1e-30, "friction": 0})";
  s.dt = 1.0 / 4096;
  return s;
}

/// While it lives, batches have so many steps at most.
class BatchSize {
 public:
  explicit BatchSize(int steps) { setenv("SCREE_DEVICE_BATCH", std::to_string(steps).c_str(), 1); }
  ~BatchSize() { unsetenv("SCREE_DEVICE_BATCH"); }
  BatchSize(const BatchSize&) = delete;
  BatchSize& operator=(const BatchSize&) = delete;
};

Simulation simulation(const Scenery& scenery, int batch) {
  const BatchSize size(batch);
  SimulationOptions options;
  options.device = "cuda-host";
  return Simulation::from_text(scenery.json(), options);
}

struct Outcome {
  std::uint64_t hash, steps;
  double time;
  std::vector<std::pair<std::string, double>> figures;
  std::vector<double> forces;
  std::string error;
  bool operator==(const Outcome&) const = default;
};

Outcome outcome_of(Simulation& run, const std::string& error = "") {
  Outcome o{state_hash(run.world()), run.steps(), run.time(), {}, {}, error};
  if (!error.empty()) return o;
  o.figures = run.metrics();
  for (const ContactRecord& c : run.contacts()) o.forces.insert(o.forces.end(), {c.overlap, c.force[0], c.force[2]});
  return o;
}

/// Calls act(simulation), and tells what came of it.
template <class Act>
Outcome after(const Scenery& scenery, int batch, const Act& act) {
  Simulation run = simulation(scenery, batch);
  try {
    act(run);
  } catch (const NumericalError& e) {
    return outcome_of(run, e.what());
  }
  return outcome_of(run);
}

template <class Act>
Outcome check_batches(const Scenery& scenery, const Act& act) {
  const Outcome one = after(scenery, 1, act);
  for (const int batch : {7, 64}) {
    CAPTURE(batch);
    CHECK(after(scenery, batch, act) == one);
  }
  return one;
}

double figure(const Outcome& outcome, const std::string& name) {
  for (const auto& [key, value] : outcome.figures)
    if (key == name) return value;
  FAIL("no figure " << name);
  return 0;
}

/// Adds a number where it is told to.
struct Add {
  static constexpr const char* kName = "add";
  int* to;
  int number;
  void operator()(std::uint32_t) const { *to += number; }
};

int add(const Execution& e, const void*, const void* arguments) {
  return for_each(e, 1, *static_cast<const Add*>(arguments));
}
constexpr StageEntry kAdding[] = {{"add", add}};
const StageTable kAddingTable = table_of(kAdding);
[[maybe_unused]] const bool kAddingLinked = linked_stages().emplace("adding", &kAddingTable).second;
constexpr DeviceStage kAdd{"adding", "add", nullptr};

}  // namespace

TEST_CASE("batches of 1, 7 and 64 steps: the same bits, contacts, figures and rebuilds") {
  for (const char* const integrator : {"symplectic-euler", "velocity-verlet"})
    for (const Scenery& scenery : {turning_drum(integrator), repeating(integrator), clumps_in_box(integrator)}) {
      const Outcome one = check_batches(scenery, [](Simulation& run) { run.step(400); });
      CHECK(one.steps == 400);
      CHECK(figure(one, "rebuilds") > 3);
      CHECK(one.forces.size() > 10);
    }
}

TEST_CASE("batches: lists that an obstacle outruns are made anew in the same steps") {
  for (const char* const integrator : {"symplectic-euler", "velocity-verlet"}) {
    const auto look = [](Simulation& run) { run.step(500); };
    CHECK(figure(check_batches(moving_bar(integrator), look), "rebuilds") > 20);
  }
}

TEST_CASE("batches: gravity that varies in time, and gravity that is set between steps") {
  const char* const swinging =
      R"({"vector": [3, 0, -9.81], "oscillation": {"amplitude": [5, 0, 0], "frequency": 300}})";
  check_batches(repeating("symplectic-euler", swinging), [](Simulation& run) { run.step(200); });
  const auto tilt = [](Simulation& run) {
    run.step(90);
    run.set_gravity({0, 5, -9});
    run.step(90);
  };
  check_batches(quiet(), tilt);
}

TEST_CASE("batches: who looks or resumes between steps finds the step it asked for") {
  for (const char* const integrator : {"symplectic-euler", "velocity-verlet"}) {
    const auto look = [](Simulation& run) {
      for (int k = 0; k < 30; ++k) {
        run.step(static_cast<std::uint64_t>(1 + k % 5 * 7));
        (void)run.metrics();
      }
    };
    check_batches(turning_drum(integrator), look);
    const auto resume = [](Simulation& run) {
      run.step(77);
      const auto half = run.snapshot();
      run.step(33);
      run.restore(*half);
      run.step(100);
    };
    CHECK(check_batches(clumps_in_box(integrator), resume) ==
          after(clumps_in_box(integrator), 64, [](Simulation& run) { run.step(177); }));
  }
}

TEST_CASE("batches: modifiers that bring bodies between steps") {
  Scenery s = quiet();
  s.more = R"(, "hooks": [{"type": "emitter", "shape": "bead", "material": "glass", "interval": 6e-4,
      "points": [[0.2, 0, 0.02], [0.2, 0.03, 0.02], [0.2, 0.06, 0.02], [0.23, 0, 0.02]], "number_rate": 1000,
      "number": 4, "velocity": [0, 0, -1]}])";
  CHECK(check_batches(s, [](Simulation& run) { run.step(300); }).steps == 300);
}

TEST_CASE("batches: a body that leaves the domain is reported in its step, with the same words") {
  for (const char* const integrator : {"symplectic-euler", "velocity-verlet"}) {
    const Outcome one = check_batches(leaving(integrator), [](Simulation& run) { run.step(1000); });
    CHECK(one.steps == 125);  // 0.05 m at 20 m/s
    CHECK(one.error.find("body 0: left the world in step 126 (time 0.00252 s): ") != std::string::npos);
  }
}

TEST_CASE("batches: centres that coincide are reported in their step, with the same words") {
  const Outcome one = check_batches(coinciding(), [](Simulation& run) { run.step(1000); });
  CHECK(one.steps == 64);
  CHECK(one.error.find("body 0: the centre of one of its spheres coincides with that of another body's") !=
        std::string::npos);
  CHECK(one.error.find("in step 65.") != std::string::npos);
}

TEST_CASE("batches: a device that is lost in mid-batch ends the run, and a snapshot from before goes on") {
  Simulation whole = simulation(quiet(), 64);
  whole.step(20);
  const auto early = whole.snapshot();
  whole.step(200);
  setenv("SCREE_DEVICE_LOST", "900", 1);
  Simulation run = simulation(quiet(), 64);
  unsetenv("SCREE_DEVICE_LOST");
  std::string text;
  try {
    run.step(1000);
  } catch (const NumericalError& e) {
    text = e.what();
  }
  CHECK(text.find("the device was lost (the host's processors; injected, during ") != std::string::npos);
  CHECK(run.steps() > 20);
  CHECK(run.steps() < 200);
  Simulation next = simulation(quiet(), 7);
  next.restore(*early);
  next.step(200);
  CHECK(state_hash(next.world()) == state_hash(whole.world()));
}

TEST_CASE("batches: a quiet run of n steps waits for the device n/64 times and a little, and records its step once") {
  BareEngine run(quiet().json());
  run.engine->find_contacts({});
  run.counts = {};
  run.engine->advance(6400, {}, nullptr);
  CHECK(run.world().step == 6400);
  CHECK(run.engine->rebuilds() == 1);
  CHECK(run.counts.reads <= 6400 / 64 + 5);  // batches grow from 8 to 64
  CHECK(run.counts.recordings == 1);
}

TEST_CASE("batches: a pause is asked for at least every 64 steps, and ends with a whole step") {
  const std::string clumps = clumps_in_box("velocity-verlet").json();
  BareEngine paused(clumps), whole(clumps);
  int asked = 0;
  std::uint64_t before = 0;
  const auto pause = [&] {
    CHECK(paused.world().step - before <= 64);
    before = paused.world().step;
    return ++asked % 2 == 0;
  };
  while (paused.world().step < 300) paused.engine->advance(300 - paused.world().step, {}, pause);
  whole.engine->advance(300, {}, nullptr);
  CHECK(asked > 10);
  CHECK(paused.engine->rebuilds() > 3);
  CHECK(state_hash(paused.world()) == state_hash(whole.world()));
}

TEST_CASE("a recording runs with the arguments of when it was made, and holds stages alone") {
  const auto device = make_host_device();
  int sum = 0;
  Add arguments{&sum, 1};
  const auto recording = device->record([&] {
    device->run(kAdd, arguments);
    device->run(kAdd, arguments);
  });
  CHECK(sum == 0);
  arguments.number = 100;
  recording->launch();
  recording->launch();
  CHECK(sum == 4);
  CHECK_THROWS_AS(device->record([&] { device->allocate(8); }), std::logic_error);
}

TEST_CASE("stages do nothing while their device is halted") {
  const auto device = make_host_device();
  std::uint32_t halted = 1;
  int sum = 0;
  device->halt_on(&halted);
  device->run(kAdd, Add{&sum, 1});
  CHECK(sum == 0);
  halted = 0;
  device->run(kAdd, Add{&sum, 1});
  CHECK(sum == 1);
  halted = 1;
  device->halt_on(nullptr);
  device->run(kAdd, Add{&sum, 1});
  CHECK(sum == 2);
}
