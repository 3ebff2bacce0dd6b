#include "conformance/trial_scene.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>
#include <functional>
#include <sstream>

#include "scree/base/error.hpp"

namespace scree::conformance {

namespace {

/// Returns the pointer to a method of this name below `node`: an object of that type, or its name alone; else "".
std::string place_of(const Json& node, const std::string& name, const std::string& pointer) {
  if (node == Json(name) && (pointer.ends_with("/detector") || pointer.ends_with("/law"))) return pointer;
  if (node.is_object() && node.value("type", Json()) == Json(name)) return pointer;
  if (node.is_object())
    for (const auto& [key, child] : node.items())
      if (const std::string found = place_of(child, name, pointer + "/" + key); !found.empty()) return found;
  if (node.is_array())
    for (std::size_t i = 0; i < node.size(); ++i)
      if (const std::string found = place_of(node[i], name, fmt::format("{}/{}", pointer, i)); !found.empty())
        return found;
  return "";
}

/// Returns the keys of a scene for methods of a kind.
std::vector<std::string> keys_of(const std::string& kind) {
  if (kind == "shape") return {"shapes"};
  if (kind == "packing") return {"bodies"};
  if (kind == "detector" || kind == "law") return {"interactions"};
  if (kind == "bond-law") return {"bonds"};
  if (kind == "integrator") return {"integrator"};
  return {"hooks", "output"};
}

/// Checks whether `auto` takes this detector for some pair of the scene's shapes.
bool chosen(const Registry& registry, const TrialScene& trial, const std::string& detector) {
  const Made all = made(registry, trial, trial.scene);
  return std::ranges::find(all.prepared->methods.detector_names, detector) !=
         all.prepared->methods.detector_names.end();
}

}  // namespace

Scene parsed(const Registry& registry, const TrialScene& trial, const Json& scene) {
  return parse_scene(trial.file, scene.dump(), {}, registry);
}

Made made(const Registry& registry, const TrialScene& trial, const Json& scene) {
  Made made{parsed(registry, trial, scene), nullptr};
  made.prepared = prepare(made.scene, registry);
  return made;
}

std::optional<TrialScene> authors_scene(const Registry& registry, const std::string& kind, const std::string& name,
                                        const std::string& file, int steps) {
  TrialScene trial{kind, name, {}, file, "", file};
  trial.of_author = true;
  read_scene(file, {}, registry);  // for its messages
  std::ifstream in(file);
  std::ostringstream text;
  text << in.rdbuf();
  trial.scene = Json::parse(text.str(), nullptr, true, true);
  for (const std::string& key : keys_of(kind))
    if (trial.pointer.empty() && trial.scene.contains(key)) trial.pointer = place_of(trial.scene[key], name, "/" + key);
  if (trial.pointer.empty() && !(kind == "detector" && chosen(registry, trial, name))) return std::nullopt;
  if (!trial.scene.contains("run")) return trial;  // stages: as it is
  const double dt = made(registry, trial, trial.scene).scene.dt;
  trial.scene["run"]["duration"] = dt * steps;
  trial.scene["output"]["checkpoint_interval"] = dt * (steps / 2);
  trial.text = fmt::format("{}, {} steps", file, steps);
  return trial;
}

}  // namespace scree::conformance
