#include "cli/scene_options.hpp"

namespace scree::cli {

namespace po = boost::program_options;

void add_scene_options(CommandLine& line) {
  line.options()(
      "set", po::value<std::vector<std::string>>()->value_name("/POINTER=VALUE"),
      "change a value of the scene, e.g. --set /run/duration=2, or several by an object like the change of a stage, "
      "e.g. --set '{\"bodies\": {\"lid\": {\"fixed\": true}}}'; may be given several times");
  line.options()("allow-path", po::value<std::vector<std::string>>()->value_name("DIR"),
                 "folder whose files the scene may name besides those of its own folder; may be given several times");
  line.options()("allow-python", "let the scene run its files of Python, which may do whatever you may");
}

SceneInputs scene_inputs(const CommandLine& line, const std::string& out) {
  SceneInputs inputs;
  inputs.sets = line.texts("set");
  inputs.allow_paths = line.texts("allow-path");
  if (line.has("allow-python")) inputs.allow_code = {"python"};
  inputs.out = out;
  return inputs;
}

}  // namespace scree::cli
