#pragma once
/// \file Command line of a program or of one of its commands, with errors that name the known options.

#include <boost/program_options.hpp>
#include <string>
#include <vector>

namespace scree::cli {

using Arguments = std::vector<std::string>;

/// Options, one positional argument or many of one kind, and --help.
class CommandLine {
 public:
  /// \param usage       "scree run SCENE [options]"
  /// \param about       purpose of the command, and notes
  /// \param positional  name of the positional argument, with "..." behind it for any number of them, or ""
  CommandLine(std::string usage, std::string about, std::string positional = "");

  boost::program_options::options_description_easy_init options() { return options_.add_options(); }
  /// Parses the arguments.
  /// \return false if only help was requested, and printed
  /// \throws InputError for arguments that are not understood
  bool parse(const Arguments& arguments);

  bool has(const std::string& name) const { return values_.count(name) > 0; }
  std::string text(const std::string& name) const;
  std::vector<std::string> texts(const std::string& name) const;
  /// Returns the value of an option that is given or has a default.
  template <class T>
  const T& value(const std::string& name) const {
    return values_[name].as<T>();
  }
  /// Returns the positional argument, or the first of many. \throws InputError if it is missing
  std::string required() const { return all_required().front(); }
  /// Returns all positional arguments, at least one. \throws InputError if there is none
  std::vector<std::string> all_required() const;

 private:
  std::string usage_, about_, positional_;
  int most_ = 0;  ///< number of positional arguments; -1: any number
  boost::program_options::options_description options_;
  boost::program_options::variables_map values_;
};

}  // namespace scree::cli
