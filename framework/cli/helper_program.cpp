#include "cli/helper_program.hpp"

#include <csignal>
#include <cstdio>
#include <string>

#include "scree/base/error.hpp"
#include "scree/base/tell.hpp"

namespace scree::cli {

int helper_program(const std::function<int()>& work) try {
  std::signal(SIGXFSZ, SIG_IGN);  // a file that may not grow further is an error of writing
  return work();
} catch (const IoError& error) {
  tell(stderr, std::string(error.what()) + "\n");
  return 4;
} catch (const std::exception& error) {
  tell(stderr, std::string(error.what()) + "\n");
  return 2;
}

}  // namespace scree::cli
