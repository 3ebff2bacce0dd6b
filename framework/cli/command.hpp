#pragma once
/// \file Common parts of the program's commands. Results go to stdout, warnings and errors to stderr.

#include <functional>

#include "cli/command_line.hpp"
#include "scree/base/failure.hpp"
#include "scree/plugin/registry.hpp"

namespace scree::cli {

enum ExitCode {
  kDone = 0,
  kInternalError = 1,
  kBadInput = 2,
  kNumericalFailure = 3,
  kIoFailure = 4,
  kDisagreement = 5,
  kInterrupted = 130
};

/// Returns the exit code of a failure.
ExitCode exit_code_of(const Failure& failure);
/// Reports the failure that ended the program. \return exit code
int report(const Failure& failure);
/// Calls `work`. If mpirun has started several processes, it runs on all of them: all end with the same code, and the
/// first one reports the reason. \return exit code
int on_ranks(const std::function<int()>& work);

int new_scene(const Arguments& arguments);
int run(const Arguments& arguments);
int check(const Arguments& arguments);
int info(const Arguments& arguments);
int plugins(const Arguments& arguments);
int schema(const Arguments& arguments);
int render(const Arguments& arguments);
int view(const Arguments& arguments);
int plot(const Arguments& arguments);
int convert(const Arguments& arguments);
int new_plugin(const Arguments& arguments);
int test_plugin(const Arguments& arguments);
int tutorial(const Arguments& arguments);
int sweep(const Arguments& arguments);
int compare(const Arguments& arguments);

/// Adds --plugin-path, which every command that loads plugins has.
void add_plugin_options(CommandLine& line);
/// Loads all plugins into the registry; those that cannot be used are reported on stderr.
void load_plugins(const CommandLine& line, Registry& registry);

}  // namespace scree::cli
