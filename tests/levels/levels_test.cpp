#include <algorithm>
#include <cstdio>
#include <memory>
#include <sstream>
#include <string>

#include "catch.hpp"

namespace {

/// By the end of its name.
bool runs_here(const std::string& program) {
  if (program.ends_with("-v4")) return __builtin_cpu_supports("x86-64-v4") != 0;
  if (program.ends_with("-v3")) return __builtin_cpu_supports("x86-64-v3") != 0;
  if (program.ends_with("-v2")) return __builtin_cpu_supports("x86-64-v2") != 0;
  return true;
}

std::string output_of(const std::string& program) {
  const std::unique_ptr<FILE, int (*)(FILE*)> pipe(popen(program.c_str(), "r"), pclose);
  std::string text;
  char part[256];
  while (pipe && std::fgets(part, sizeof part, pipe.get())) text += part;
  return text;
}

}  // namespace

TEST_CASE("the formulas of a step give the same bits for every instruction set of x86-64") {
  std::stringstream programs(SCREE_KERNELS);
  std::string program, first;
  int compared = 0;
  while (std::getline(programs, program, ',')) {
    if (!runs_here(program)) continue;
    const std::string lines = output_of(program);
    INFO(program);
    CHECK(std::count(lines.begin(), lines.end(), '\n') == 5);
    if (compared++ == 0) first = lines;
    CHECK(lines == first);
  }
  CHECK(compared >= 2);
}
