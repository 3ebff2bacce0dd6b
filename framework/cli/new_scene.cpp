#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "cli/scene_templates.hpp"
#include "command.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;
namespace po = boost::program_options;

std::string list_of_kinds() {
  std::string list;
  for (const SceneKind& kind : scene_kinds()) list += fmt::format("\n  {:<12} {}", kind.name, kind.about);
  return list;
}

/// Returns a number. \throws InputError unless it is in the range
double number_of(const CommandLine& line, const std::string& name, double low, double high) {
  const double value = line.value<double>(name);
  if (!(value >= low && value <= high))
    throw InputError(fmt::format("--{} {}: must be from {} to {}.", name, value, low, high));
  return value;
}

SceneChoice choice_of(const CommandLine& line, const SceneKind& kind) {
  SceneChoice choice;
  if (kind.grains == 0)
    for (const char* option : {"grains", "friction", "restitution"})
      if (line.has(option))
        throw InputError(fmt::format("--{}: a {} has no grains that touch. Leave it out, and change the scene's file.",
                                     option, kind.name));
  if (line.has("grains")) {
    choice.grains = line.value<int>("grains");
    if (choice.grains < 50 || choice.grains > 1000000)
      throw InputError(fmt::format("--grains {}: must be from 50 to 1000000.", choice.grains));
  }
  choice.diameter = number_of(line, "diameter", 1e-5, 10);
  choice.density = number_of(line, "density", 1, 1e5);
  if (line.has("friction")) choice.friction = number_of(line, "friction", 0, 10);
  if (line.has("restitution")) choice.restitution = number_of(line, "restitution", 0.01, 1);
  return choice;
}

}  // namespace

int new_scene(const Arguments& arguments) {
  if (arguments == Arguments{"--list-kinds"}) {  // for completion in shells
    for (const SceneKind& kind : scene_kinds()) fmt::print("{}\n", kind.name);
    return kDone;
  }
  const SceneChoice usual;
  CommandLine line(
      "scree new KIND [options]",
      "Writes a scene to begin with, which runs in seconds: change its file from there. The kinds:\n" + list_of_kinds(),
      "KIND");
  line.options()("out", po::value<std::string>()->value_name("FILE"), "file to write (default: KIND.json)");
  line.options()("grains", po::value<int>()->value_name("N"),
                 "number of grains, about; containers become as large as they need (default: some hundreds)");
  line.options()("diameter",
                 po::value<double>()->default_value(usual.diameter, fmt::format("{}", usual.diameter))->value_name("D"),
                 "mean diameter of the grains, or edge of an element of a bar [m]; all lengths follow it");
  line.options()("density", po::value<double>()->default_value(usual.density)->value_name("RHO"),
                 "density of the grains [kg/m^3]");
  line.options()("friction", po::value<double>()->value_name("MU"),
                 fmt::format("coefficient of friction (default: {})", usual.friction).c_str());
  line.options()("restitution", po::value<double>()->value_name("E"),
                 fmt::format("coefficient of restitution (default: {})", usual.restitution).c_str());
  if (!line.parse(arguments)) return kDone;

  const std::string name = line.required();
  const fs::path file = line.has("out") ? fs::path(line.text("out")) : fs::path(name + ".json");
  const auto kind = std::ranges::find(scene_kinds(), name, [](const SceneKind& k) { return std::string(k.name); });
  const std::string text = scene_text(name, kind == scene_kinds().end() ? usual : choice_of(line, *kind));
  if (fs::exists(file))
    throw InputError(file.string() + " is there already, and nothing is overwritten. Choose another file with --out.");
  if (file.has_parent_path()) prepare_folder(file.parent_path());
  write_atomically(file, text);
  fmt::print("{}\nNow: scree run {}\n", file.string(), file.string());
  return kDone;
}

}  // namespace scree::cli
