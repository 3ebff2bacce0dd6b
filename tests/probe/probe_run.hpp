#pragma once
/// \file Scenes with hooks of the probe, run as a user runs them.

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <sstream>
#include <string>
#include <vector>

#include "catch.hpp"
#include "program.hpp"

namespace scree::test {

using Json = nlohmann::json;

/// Spheres of 1 mm above a floor, and shapes and materials that no body has at the start.
inline Json probe_scene(const std::vector<std::string>& hooks, double duration = 0.02) {
  Json scene = Json::parse(R"({
    "name": "probe", "dimension": 3, "gravity": [0, 0, -9.81],
    "materials": {"g": {"density": 2500}, "h": {"density": 1000}, "w": {}},
    "shapes": {"small": {"type": "sphere", "radius": 0.001}, "large": {"type": "sphere", "radius": 0.0016},
               "pair": {"type": "clump", "spheres": [{"position": [0, 0, 0], "radius": 0.001},
                                                      {"position": [0.001, 0, 0], "radius": 0.001}]},
               "floor": {"type": "half-space", "normal": [0, 0, 1]}},
    "bodies": [{"name": "grains", "shape": "small", "material": "g",
                "packing": {"type": "lattice", "lower": [0, 0, 0.00101], "counts": [4, 4, 1], "spacing": 0.003}},
               {"name": "floor", "shape": "floor", "material": "w", "fixed": true}],
    "interactions": [{"between": ["*", "*"], "law": {"type": "linear", "normal_stiffness": 1000, "normal_damping": 0.1,
                      "tangential": "spring", "tangential_stiffness": 500, "friction": 0.3}}],
    "integrator": {"type": "velocity-verlet", "dt": 1e-5},
    "output": {"interval": 0, "metrics_interval": 0.002, "writers": []}
  })");
  for (const std::string& hook : hooks) scene["hooks"].push_back(Json::parse(hook));
  scene["run"]["duration"] = duration;
  return scene;
}

/// A run of the program in a folder of its own.
class ProbeRun {
 public:
  explicit ProbeRun(const Json& scene, const std::string& more = "") {
    spit(folder_ / "scene.json", scene.dump());
    outcome = run("out", more);
  }
  Outcome run(const std::string& out, const std::string& more) const {
    return scree_program(fmt::format("run {} --quiet --plugin-path {} --out {} {}", (folder_ / "scene.json").string(),
                                     PROBE_PLUGINS, (folder_ / out).string(), more));
  }
  fs::path folder(const std::string& out = "out") const { return folder_ / out; }
  Json summary(const std::string& out = "out") const { return Json::parse(slurp(folder(out) / "summary.json")); }

  Outcome outcome;

 private:
  TemporaryFolder folder_;
};

/// metrics.csv, by columns.
struct Metrics {
  explicit Metrics(const fs::path& out) {
    std::istringstream text(slurp(out / "metrics.csv"));
    std::string line, cell;
    std::getline(text, line);
    for (std::istringstream cells(line); std::getline(cells, cell, ',');) names.push_back(cell);
    while (std::getline(text, line)) {
      rows.emplace_back();
      for (std::istringstream cells(line); std::getline(cells, cell, ',');) rows.back().push_back(std::stod(cell));
      REQUIRE(rows.back().size() == names.size());
    }
  }
  std::vector<double> column(const std::string& name) const {
    const auto at = std::find(names.begin(), names.end(), name) - names.begin();
    INFO(name);
    REQUIRE(static_cast<std::size_t>(at) < names.size());
    std::vector<double> values;
    for (const auto& row : rows) values.push_back(row[static_cast<std::size_t>(at)]);
    return values;
  }
  std::vector<std::string> names;
  std::vector<std::vector<double>> rows;
};

}  // namespace scree::test
