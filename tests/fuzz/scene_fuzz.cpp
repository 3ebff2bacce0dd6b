// Scenes, from text to plain data, with the options of all plugins. A first line "--set /pointer=value" is taken for
// what the command line says. SCREE_FUZZ_SCHEMA names a file with what `scree schema` prints: then no plugin is loaded.
// A scene that is accepted, written as resolved, must be the same scene again.
#include <cstdlib>
#include <fstream>
#include <sstream>

#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/scene/read_scene.hpp"
#include "target.hpp"

namespace {

using namespace scree;

const SceneInputs& inputs() {
  static const SceneInputs all = [] {
    SceneInputs made;
    if (const char* file = std::getenv("SCREE_FUZZ_SCHEMA")) {
      std::ostringstream text;
      text << std::ifstream(file).rdbuf();
      made.schema = text.str();
      return made;
    }
#ifndef SCREE_FUZZ_NO_PLUGINS
    Registry registry;
    registry.load(default_plugin_search());
    made.schema = registry.scene_schema();
#endif
    return made;
  }();
  return all;
}

constexpr const char* kSmall = R"({"dimension": 2, "gravity": [0, -9.81],
  "materials": {"m": {"density": 1000, "youngs_modulus": 1e7, "poisson_ratio": 0.3}, "wall": {}},
  "shapes": {"disc": {"type": "sphere", "radius": 0.01}},
  "bodies": [{"name": "grains", "shape": ["disc"], "material": "m", "seed": 3, "orientation": "random",
              "scale": {"type": "table", "by": "mass", "sizes": [0.5, 1, 2], "fractions": [1, 2]},
              "packing": {"type": "csv", "file": "grains.csv"}},
             {"shape": "disc", "material": "wall", "position": [0, 1], "motion": {"velocity": [0, 1]}}],
  "interactions": [{"between": ["m", "*"], "detector": "auto", "law": {"type": "hertz-mindlin", "restitution": 0.5}}],
  "periodic": {"x": [0, 1]}, "domain": {"lower": [-1, -1], "upper": [1, 1]},
  "integrator": {"type": "moreau-jean", "dt": 1e-4, "dump": {"folder": "problems"}},
  "output": {"writers": [{"type": "vtk", "columns": ["mass"]}]}, "run": {"duration": 0.1}})";

}  // namespace

std::vector<std::string> fuzz_seeds() {
  const std::string scene = kSmall;
  return {scene, scene, "--set /run/duration=[1, {\"a\": 2}]\n" + scene, "--set /bodies/0/name=drum\n" + scene,
          "--set /integrator={\"type\": \"velocity-verlet\", \"dt\": 1e-5}\n" + scene};
}

int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(reinterpret_cast<const char*>(data), size);
  SceneInputs with = inputs();
  if (text.starts_with("--set ")) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    with.sets.push_back(text.substr(6, end - 6));
    text.erase(0, end);
  }
  try {
    const Scene scene = parse_scene("/nowhere/scene.json", text, with);
    const Scene again = parse_scene("/nowhere/scene.json", scene.resolved, inputs());
    if (again.resolved != scene.resolved || again.fingerprint != scene.fingerprint) std::abort();
  } catch (const InputError&) {
  }
  return 0;
}
