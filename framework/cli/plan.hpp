#pragma once
/// \file Plan of runs for a command line: each combination of variations, checked before the first one starts.

#include <string>
#include <vector>

#include "cli/batch.hpp"
#include "cli/variation.hpp"

namespace scree::cli {

/// Runs of a batch with their values.
struct Plan {
  std::vector<std::string> axes;  ///< heads of the columns of values
  std::vector<Combination> combinations;
  std::vector<BatchRun> runs;  ///< one per combination
  std::string misfits;         ///< a line for each combination of all loaded methods that does not fit the scene
};

/// Returns the scene's file. \throws InputError if it can be read only once
std::string batch_scene(const CommandLine& line);

/// Makes the plan. A run whose scene cannot be read fails; if methods were not named, those that do not fit are left
/// out.
/// \throws InputError if no run can be started
Plan make_plan(const CommandLine& line, const std::string& file, const Registry& registry,
               const std::vector<Axis>& axes);

/// Splits names: "a,b" -> {"a", "b"}. \throws InputError for an empty name
std::vector<std::string> figure_names(const std::string& text);

}  // namespace scree::cli
