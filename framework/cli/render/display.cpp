#include "display.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <sstream>
#include <string>
#include <vector>

#include "scree/base/error.hpp"

namespace scree::render {

namespace {

constexpr const char* kMark = "SCREE_RENDER_UNDER_XVFB";  // set for the restarted program, which must not start another

bool is_set(const char* variable) {
  const char* value = std::getenv(variable);
  return value != nullptr && *value != '\0';
}

}  // namespace

bool on_path(const std::string& program) {
  const char* path = std::getenv("PATH");
  std::istringstream folders(path ? path : "");
  for (std::string folder; std::getline(folders, folder, ':');)
    if (::access((folder + "/" + program).c_str(), X_OK) == 0) return true;
  return false;
}

void ensure_display(char** argv, const std::string& command) {
  if (is_set("DISPLAY")) return;
  // xvfb-run needs xauth, which Debian only recommends beside it.
  if (is_set(kMark) || !on_path("xvfb-run") || !on_path("xauth"))
    throw InputError(
        command +
        ": no display to draw on: DISPLAY is not set. Install a virtual one (apt install xvfb xauth) or run "
        "in a graphical session.");
  ::setenv(kMark, "1", 1);
  std::string self = std::filesystem::read_symlink("/proc/self/exe").string();
  std::vector<std::string> words = {"xvfb-run", "-a", "-s", "-screen 0 1280x1024x24", self};
  for (char** argument = argv + 1; *argument != nullptr; ++argument) words.emplace_back(*argument);
  std::vector<char*> arguments;
  for (std::string& word : words) arguments.push_back(word.data());
  arguments.push_back(nullptr);
  ::execvp(arguments[0], arguments.data());
  throw InputError(fmt::format("{}: cannot start xvfb-run: {}.", command, std::strerror(errno)));
}

}  // namespace scree::render
