#include <fmt/format.h>

#include "command.hpp"

namespace scree::cli {

int schema(const Arguments& arguments) {
  CommandLine line(
      "scree schema [options]",
      "Prints the complete JSON Schema (draft-07) of a scene, with the options of every loaded plugin. Name the\n"
      "file it is saved in as \"$schema\" of a scene, and editors complete and check the scene.",
      "");
  add_plugin_options(line);
  if (!line.parse(arguments)) return kDone;
  Registry registry(OnCrash::end_program);
  load_plugins(line, registry);
  fmt::print("{}", registry.scene_schema());
  return kDone;
}

}  // namespace scree::cli
