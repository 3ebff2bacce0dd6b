#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "cli/last_exceptions.hpp"
#include "command.hpp"
#include "scree/base/version.hpp"
#include "scree/run/process.hpp"

namespace scree::cli {

namespace {

struct Command {
  const char* name;
  int (*function)(const Arguments&);
  const char* summary;
};

constexpr Command kCommands[] = {
    {"new", new_scene, "write a scene to begin with: a hopper, a drum, a packing ..."},
    {"run", run, "run a scene"},
    {"sweep", sweep, "run a scene with many values and collect the figures"},
    {"compare", compare, "run a scene under several methods, side by side"},
    {"check", check, "validate a scene, its plugins and their compatibility; run nothing"},
    {"info", info, "tell what a folder of results holds, and how its run went"},
    {"plugins", plugins, "list what is loaded, or show the options of one method"},
    {"schema", schema, "print the complete JSON Schema of a scene, for editors"},
    {"render", render, "draw pictures of a result"},
    {"view", view, "write a page that shows a result in a browser"},
    {"plot", plot, "draw columns of metrics.csv over time"},
    {"convert", convert, "make a scene of an input script of LIGGGHTS or LAMMPS"},
    {"new-plugin", new_plugin, "write a folder with a method of your own, ready to build"},
    {"test-plugin", test_plugin, "test every method of a plugin"},
    {"tutorial", tutorial, "write a folder with the scenes of one part of the tutorial"},
};

void print_help() {
  fmt::print("scree {}: discrete element simulations from a JSON scene\n\nUsage: scree COMMAND [options]\n\n",
             SCREE_VERSION);
  for (const Command& command : kCommands) fmt::print("  {:<11} {}\n", command.name, command.summary);
  fmt::print(
      "\nscree COMMAND --help says more. scree --version prints the version.\n\n"
      "Exit codes: 0 done, 1 a bug of scree or a plugin, 2 bad input, 3 numerical failure, 4 files could not be read "
      "or written,\n"
      "5 compared runs do not agree, 6 a converted deck was not taken as a whole, 130 interrupted (a checkpoint was "
      "written)\n");
}

int dispatch(const Arguments& arguments) {
  const std::string name = arguments.empty() ? "" : arguments[0];
  if (name == "--version") {
    fmt::print("scree {}\n", SCREE_VERSION);
    return kDone;
  }
  if (name == "--help" || name == "-h" || name == "help") {
    print_help();
    return kDone;
  }
  if (name == "--list-options") {  // for completion in shells
    for (const Command& command : kCommands) fmt::print("{}\n", command.name);
    return kDone;
  }
  std::vector<std::string> known;
  for (const Command& command : kCommands) {
    if (name == command.name) return command.function({arguments.begin() + 1, arguments.end()});
    known.push_back(command.name);
  }
  if (name.empty()) throw InputError(fmt::format("a command is missing. Known: {}.", fmt::join(known, ", ")));
  const std::string nearest = nearest_name(name, known);
  throw InputError(fmt::format("unknown command \"{}\".{} Known: {}.", name,
                               nearest.empty() ? "" : " Did you mean \"" + nearest + "\"?", fmt::join(known, ", ")));
}

/// Flushes the output. \throws IoError if it could not be written
int flushed(int code) {
  errno = 0;
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return code;
  throw IoError(fmt::format("cannot write to standard output: {}.", std::strerror(errno ? errno : EIO)));
}

}  // namespace

}  // namespace scree::cli

int main(int argc, char** argv) {
  using namespace scree;
  using namespace scree::cli;
  reserve_standard_streams();
  take_limits_as_errors();
  set_up_process(argv);
  name_plugins_at_terminate();
  int code = kDone;
  try {
    code = flushed(dispatch({argv + 1, argv + argc}));
  } catch (...) {
    code = report(failure_of(std::current_exception()));
  }
  note_done(code);  // libraries are unloaded now
  return code;
}
