#pragma once
/// \file Options of commands that read a scene.

#include <string>

#include "cli/command_line.hpp"
#include "scree/scene/read_scene.hpp"

namespace scree::cli {

/// Adds --set, --allow-path and --allow-python.
void add_scene_options(CommandLine& line);

/// Returns the inputs that these options give. \param out  output folder, or ""
SceneInputs scene_inputs(const CommandLine& line, const std::string& out);

}  // namespace scree::cli
