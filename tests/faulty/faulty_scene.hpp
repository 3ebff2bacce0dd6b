#pragma once
/// \file A cube of overlapping spheres that all methods of plugin faulty work on.

#include <nlohmann/json.hpp>
#include <string>

namespace scree::test {

/// \param at, fault, step  where, how and from which step on a method fails
/// \param count            bodies along an edge
inline std::string faulty_scene(const std::string& at, const std::string& fault, int step,
                                const std::string& face = "force/1", int count = 3) {
  using Json = nlohmann::json;
  const auto object = [&](const char* type) {
    return Json{{"type", type}, {"at", at}, {"fault", fault}, {"step", step}};
  };
  Json integrator = object("faulty-euler"), packing = object("faulty-packing");
  integrator["dt"] = 1e-4;
  integrator["face"] = face;
  packing["count"] = count;
  Json hook = object("faulty-modifier"), watcher = object("faulty-observer");
  hook["interval"] = watcher["interval"] = 1e-4;
  return Json{
      {"name", "faulty"},
      {"dimension", 3},
      {"materials", {{"m", {{"density", 1000}}}}},
      {"shapes", {{"sphere", object("faulty-sphere")}}},
      {"bodies",
       {{{"name", "cube"}, {"shape", "sphere"}, {"material", "m"}, {"velocity", {1, 0, 0}}, {"packing", packing}}}},
      {"bonds", {{{"between", {"cube", "cube"}}, {"self_contact", true}, {"law", object("faulty-bond")}}}},
      {"interactions",
       {{{"between", {"m", "m"}}, {"detector", object("faulty-detector")}, {"law", object("faulty-law")}}}},
      {"integrator", integrator},
      {"hooks", {hook, watcher}},
      {"grid", {{"skin", 1e-6}}},  // lists are renewed in every step
      {"output", {{"writers", Json::array()}, {"metrics_interval", 1e-4}, {"checkpoint_interval", 4e-4}}},
      {"run", {{"duration", 2e-3}}}}
      .dump();
}

}  // namespace scree::test
