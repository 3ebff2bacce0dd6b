#pragma once
/// \file Runs the program as a user does, and looks at what it printed and wrote.

#include <sys/wait.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "temporary_folder.hpp"

namespace scree::test {

namespace fs = std::filesystem;

struct Outcome {
  int exit_code = -1;
  std::string out, err;
};

inline std::string slurp(const fs::path& file) {
  std::ifstream in(file, std::ios::binary);
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

inline void spit(const fs::path& file, const std::string& text) {
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

/// Runs a shell command; standard output and error are kept apart.
inline Outcome shell(const std::string& command) {
  const TemporaryFolder folder;
  const fs::path out = folder / "out", err = folder / "err";
  const int status =
      std::system(("( " + command + " ) >" + out.string() + " 2>" + err.string() + " </dev/null").c_str());
  return {WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status), slurp(out), slurp(err)};
}

/// Runs `scree ...`. SCREE_PROGRAM is the path of the program, set by the build.
inline Outcome scree_program(const std::string& arguments) {
  return shell(std::string(SCREE_PROGRAM) + " " + arguments);
}

}  // namespace scree::test
