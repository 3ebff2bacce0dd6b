#include "cli/helper_program.hpp"

#include <fmt/format.h>

#include <cstdio>

#include "scree/base/error.hpp"

namespace scree::cli {

int helper_program(const std::function<int()>& work) try { return work(); } catch (const IoError& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 4;
} catch (const std::exception& error) {
  fmt::print(stderr, "{}\n", error.what());
  return 2;
}

}  // namespace scree::cli
