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

constexpr const char* kNeedsVtk = "Install the package scree-render, or build scree with SCREE_VTK=ON.";
constexpr const char* kNeedsPython = "Build scree where CMake finds Python 3.9 or later, as package python3.";

/// Returns the path of a helper program beside this one. VTK's rendering libraries take longer to load than most
/// commands take to run. \param advice  what to do where there is none
fs::path helper_program(const std::string& command, const std::string& name, const std::string& advice) {
  const fs::path program = fs::path(boost::dll::program_location()).parent_path() / name;
  if (fs::exists(program)) return program;
  throw InputError("scree " + command + ": there is no " + program.string() + ". " + advice);
}

/// Replaces this process by that program.
int become_helper(const std::string& command, const std::string& name, std::vector<std::string> texts,
                  const std::string& advice = kNeedsVtk) {
  const std::string program = helper_program(command, name, advice).string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw IoError(program + ": cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace

int render(const Arguments& arguments) { return become_helper("render", "scree-render", arguments); }
int plot(const Arguments& arguments) { return become_helper("plot", "scree-plot", arguments); }
int convert(const Arguments& arguments) { return become_helper("convert", "scree-convert", arguments, kNeedsPython); }

int view(const Arguments& arguments) {
  std::vector<std::string> texts = {"--page"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  return become_helper("view", "scree-render", texts);
}

}  // namespace scree::cli
