#pragma once
/// \file The runs that a command line asks for: each combination of what varies, looked at before the first one starts.

#include <string>
#include <vector>

#include "cli/batch.hpp"
#include "cli/variation.hpp"

namespace scree::cli {

/// The runs of a batch, each with the values that it stands for.
struct Plan {
  std::vector<std::string> axes;  ///< heads of the columns of values
  std::vector<Combination> combinations;
  std::vector<BatchRun> runs;  ///< one per combination
  std::string misfits;         ///< a line for each combination of all loaded methods that does not fit the scene
};

/// The scene's file. \throws InputError where it can be read but once
std::string batch_scene(const CommandLine& line);
/// How the scene is read where nothing varies: with --set and --allow-path.
SceneInputs batch_inputs(const CommandLine& line);

/// What cannot be read is a run that fails; where methods were not named, what does not fit is left out.
/// \throws InputError when no run can be started
Plan make_plan(const CommandLine& line, const std::string& file, const Registry& registry,
               const std::vector<Axis>& axes);

/// "a,b" -> {"a", "b"}. \throws InputError for an empty name
std::vector<std::string> figure_names(const std::string& text);

}  // namespace scree::cli
