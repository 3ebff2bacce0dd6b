#pragma once
/// \file What the commands of the program share. Results go to stdout, warnings and errors to stderr.

#include "cli/command_line.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::cli {

enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kBadInput = 2,
  kNumericalFailure = 3,
  kIoFailure = 4,
  kInterrupted = 130
};

int run(const Arguments& arguments);
int check(const Arguments& arguments);
int plugins(const Arguments& arguments);
int schema(const Arguments& arguments);
int render(const Arguments& arguments);
int new_plugin(const Arguments& arguments);

/// Adds --plugin-path, which every command that loads plugins has.
void add_plugin_options(CommandLine& line);
/// Loads all plugins into the registry; those that cannot be used are reported on stderr.
void load_plugins(const CommandLine& line, Registry& registry);

}  // namespace scree::cli
