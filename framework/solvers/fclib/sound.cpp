#include "solvers/fclib/sound.hpp"

#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <csignal>

#include "solvers/fclib/read.hpp"

namespace scree::fclib {

namespace {

void limit(int resource, rlim_t most) {
  const rlimit limits{most, most};
  setrlimit(static_cast<__rlimit_resource_t>(resource), &limits);
}

/// The life of the child. What the reader itself objects to is for the parent to say.
[[noreturn]] void try_to_read(const std::filesystem::path& file, double bytes) {
  for (const int signal : {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT}) std::signal(signal, SIG_DFL);
  limit(RLIMIT_CORE, 0);
  limit(RLIMIT_CPU, static_cast<rlim_t>(4 + bytes / 4e6));
#ifndef __SANITIZE_ADDRESS__  // whose shadow takes terabytes of addresses
  limit(RLIMIT_AS, static_cast<rlim_t>((1 << 30) + 8 * bytes));
#endif
  try {
    read(file);
  } catch (const Error&) {
  } catch (...) {
    _exit(1);
  }
  _exit(0);
}

}  // namespace

void require_sound(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::is_regular_file(file, ignored)) return;  // read() says why not
  const double bytes = static_cast<double>(std::filesystem::file_size(file, ignored));
  const pid_t child = fork();
  if (child < 0) return;
  if (child == 0) try_to_read(file, bytes);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
    throw Error(file, "", "is damaged: the HDF5 library fails in reading it. Fetch or write it anew.");
}

}  // namespace scree::fclib
