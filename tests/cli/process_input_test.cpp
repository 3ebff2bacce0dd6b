// What is wrong with motions, obstacles and an automatic step is told before the first step, and nothing is written.

#include <nlohmann/json.hpp>

#include "catch.hpp"
#include "program.hpp"
#include "small_scene.hpp"

using namespace scree::test;
using Catch::Matchers::ContainsSubstring;

namespace {

const std::string kProcess = R"({
  "dimension": 3, "gravity": [0, 0, -9.81],
  "materials": {"grain": {"density": 2500}, "wall": {}},
  "shapes": {"bead": {"type": "sphere", "radius": 0.005},
             "plate": {"type": "plate", "half_sizes": [0.1, 0.2], "hole": 0.02, "thickness": 0.01}},
  "bodies": [
    {"name": "beads", "shape": "bead", "material": "grain", "packing": {"type": "lattice", "lower": [0, 0, 0.02], "counts": [2, 2, 2], "spacing": 0.011}},
    {"name": "lid", "shape": "plate", "material": "wall", "motion": {"velocity": [0, 0, 0.1], "start": 0.5, "stop": 1}}
  ],
  "interactions": [{"between": ["grain", "*"], "law": {"type": "linear", "normal_stiffness": 1000}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-4},
  "output": {"writers": []}, "run": {"duration": 0.01}
}
)";

struct ProcessFault {
  const char *find, *replace;
  std::vector<const char*> message;
};

}  // namespace

TEST_CASE(
    "faulty motions, obstacles and automatic steps are refused with place, value and remedy, nothing is written") {
  const std::vector<ProcessFault> faults = {
      {R"("stop": 1)",
       R"("stop": 0.25)",
       {"/bodies/1/motion/stop", "0.25 s is not after the start at 0.5 s", "Give a later stop"}},
      {R"("stop": 1)", R"("stop": 0.5)", {"/bodies/1/motion/stop", "over before it begins"}},
      {R"("velocity": [0, 0, 0.1])",
       R"("velocities": [{"time": 1, "velocity": [0, 0, 1]}, {"time": 1, "velocity": [0, 0, 0]}])",
       {"/bodies/1/motion/velocities/1/time", "1 s is not after the 1 s of the row before", "in order of time"}},
      {R"("hole": 0.02)", R"("hole": 0.1)", {"/shapes/plate/hole", "is 0.1 m", "reaches 0.1 m", "smaller hole"}},
      {R"("hole": 0.02)", R"("hole": 0.5)", {"/shapes/plate/hole", "is 0.5 m", "or a larger plate"}},
      {R"("velocity-verlet", "dt": 1e-4)",
       R"("moreau-jean", "dt": "auto")",
       {"/interactions/0/law", "has no face cone/1"}},
      {R"({"type": "linear", "normal_stiffness": 1000}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-4})",
       R"({"type": "coulomb", "friction": 0.5}}],
  "integrator": {"type": "moreau-jean", "dt": "auto"})",
       {"/integrator/dt", "\"auto\" is a part of the shortest contact", "\"moreau-jean\" resolves none",
        "Give the time step"}},
      {R"("law": {"type": "linear", "normal_stiffness": 1000}}],
  "integrator": {"type": "velocity-verlet", "dt": 1e-4})",
       R"("law": "none"}],
  "integrator": {"type": "velocity-verlet", "dt": "auto"})",
       {"/integrator/dt", "no two bodies that are there or come by hooks meet by a law with a stiffness",
        "Give the time step"}},
      {R"("dt": 1e-4)", R"("dt": "atuo")", {"/integrator/dt", "expected \"auto\", got \"atuo\""}},
  };
  for (const ProcessFault& fault : faults) {
    INFO(fault.replace);
    const TemporaryFolder folder;
    spit(folder / "scene.json", replaced(kProcess, fault.find, fault.replace));
    const Outcome run =
        scree_program("run " + (folder / "scene.json").string() + " --out " + (folder / "out").string());
    CHECK(run.exit_code == 2);
    for (const char* part : fault.message) CHECK_THAT(run.err, ContainsSubstring(part));
    CHECK(!fs::exists(folder / "out"));
  }
}

TEST_CASE("motions of the same time add up, and motions one after the other are no fault") {
  for (const char* second : {"0.002", "0.006"}) {  // the first one ends at 0.004 s
    const TemporaryFolder folder;
    spit(folder / "scene.json",
         replaced(kProcess, R"("motion": {"velocity": [0, 0, 0.1], "start": 0.5, "stop": 1})",
                  std::string(
                      R"("motion": [{"velocity": [0, 0, -0.1], "stop": 0.004}, {"velocity": [0.2, 0, 0], "start": )") +
                      second + R"(, "stop": 0.008}])"));
    const Outcome run =
        scree_program("run " + (folder / "scene.json").string() + " --quiet --out " + (folder / "out").string());
    INFO(run.err);
    CHECK(run.exit_code == 0);
  }
}
