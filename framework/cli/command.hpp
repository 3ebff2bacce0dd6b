#pragma once
/// \file What the commands of the program share. Results go to stdout, warnings and errors to stderr.

#include <boost/program_options.hpp>
#include <string>
#include <vector>

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

using Arguments = std::vector<std::string>;

int run(const Arguments& arguments);
int check(const Arguments& arguments);
int plugins(const Arguments& arguments);
int schema(const Arguments& arguments);
int render(const Arguments& arguments);
int new_plugin(const Arguments& arguments);

/// The command line of one command: options, at most one positional argument, and --help.
class CommandLine {
 public:
  /// \param usage       "run SCENE [options]"
  /// \param about       what the command does, and what to know
  /// \param positional  name of the positional argument, or ""
  CommandLine(std::string usage, std::string about, std::string positional);

  boost::program_options::options_description_easy_init options() { return options_.add_options(); }
  /// \return false when only help was asked for, and printed
  /// \throws InputError for what is not understood
  bool parse(const Arguments& arguments);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  int integer(const std::string& name) const { return values_[name].as<int>(); }
  /// The positional argument. \throws InputError when it is missing
  std::string required() const;

 private:
  std::string usage_, about_, positional_;
  boost::program_options::options_description options_;
  boost::program_options::variables_map values_;
};

/// Adds --plugin-path, which every command that loads plugins has.
void add_plugin_options(CommandLine& line);
/// Loads all plugins into the registry; those that cannot be used are reported on stderr.
void load_plugins(const CommandLine& line, Registry& registry);

}  // namespace scree::cli
