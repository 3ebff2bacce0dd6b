#define BOOST_DLL_USE_STD_FS
#include <fmt/format.h>
#include <unistd.h>

#include <boost/dll/runtime_symbol_info.hpp>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "command.hpp"
#include "scree/base/error.hpp"

namespace scree::cli {

namespace {

namespace fs = std::filesystem;

/// Returns the path of a helper program beside this one. VTK's rendering libraries take longer to load than most
/// commands take to run.
fs::path helper_program(const std::string& command, const std::string& name) {
  const fs::path program = fs::path(boost::dll::program_location()).parent_path() / name;
  if (fs::exists(program)) return program;
  throw InputError("scree " + command + ": there is no " + program.string() +
                   ". Install the package scree-render, or build scree with SCREE_VTK=ON.");
}

/// Replaces this process by that program.
int become_helper(const std::string& command, const std::string& name, std::vector<std::string> texts) {
  const std::string program = helper_program(command, name).string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw IoError(program + ": cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace

int render(const Arguments& arguments) { return become_helper("render", "scree-render", arguments); }
int plot(const Arguments& arguments) { return become_helper("plot", "scree-plot", arguments); }

int view(const Arguments& arguments) {
  std::vector<std::string> texts = {"--page"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  return become_helper("view", "scree-render", texts);
}

}  // namespace scree::cli
