#include "scree/run/process.hpp"

#include <fcntl.h>
#include <malloc.h>
#include <unistd.h>

#include <csignal>
#include <cstdlib>

namespace scree {

void set_up_process(char** argv) {
  bool changed = false;
  const auto set = [&](const char* name, const char* value) {
    if (std::getenv(name) == nullptr && setenv(name, value, 0) == 0) changed = true;
  };
  // About 0.1 ms: longer than the wait at the end of a balanced loop, shorter than a time slice.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) set("GOMP_SPINCOUNT", "10000");
  set("GLIBC_TUNABLES", "glibc.malloc.hugetlb=1");
  if (changed) execv("/proc/self/exe", argv);
}

void take_limits_as_errors() { std::signal(SIGXFSZ, SIG_IGN); }

void reserve_standard_streams() {
  for (const int descriptor : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(descriptor, F_GETFD) == -1)  // open() gives the lowest free number
      if (::open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY) == -1) return;
}

std::string quoted_for_shell(std::string_view word) {
  constexpr std::string_view kPlain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+=./:,@%";
  if (!word.empty() && word.find_first_not_of(kPlain) == std::string_view::npos) return std::string(word);
  std::string quoted = "'";
  for (const char c : word) quoted += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return quoted + "'";
}

void give_back_freed_memory() { malloc_trim(0); }

}  // namespace scree
