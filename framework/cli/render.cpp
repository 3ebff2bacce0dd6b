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

/// The helper program, beside this one. A program of its own, because VTK's rendering libraries take longer to load
/// than most commands take to run.
fs::path helper_program(const std::string& command) {
  const fs::path program = fs::path(boost::dll::program_location()).parent_path() / "scree-render";
  if (fs::exists(program)) return program;
  throw InputError("scree " + command + ": there is no " + program.string() +
                   ". Install the package scree-render, or build scree with SCREE_VTK=ON.");
}

/// Becomes the helper program.
[[noreturn]] void start(const std::string& command, std::vector<std::string> texts) {
  const std::string program = helper_program(command).string();
  std::vector<char*> argv = {const_cast<char*>(program.c_str())};
  for (std::string& text : texts) argv.push_back(text.data());
  argv.push_back(nullptr);
  execv(program.c_str(), argv.data());
  throw IoError(program + ": cannot be started: " + std::strerror(errno) + ".");
}

}  // namespace

int render(const Arguments& arguments) { start("render", arguments); }

int view(const Arguments& arguments) {
  std::vector<std::string> texts = {"--page"};
  texts.insert(texts.end(), arguments.begin(), arguments.end());
  start("view", texts);
}

}  // namespace scree::cli
