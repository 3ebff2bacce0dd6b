#include "scree/run/interruption.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <csignal>
#include <functional>

#include "catch.hpp"

using namespace scree;

namespace {

/// Returns the end of a process that does this: its exit code, or 128 and the signal that ended it.
int end_of(const std::function<int()>& work) {
  const pid_t child = fork();
  REQUIRE(child >= 0);
  if (child == 0) _exit(work());
  int status = 0;
  waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace

TEST_CASE("the first signal sets a flag, a second one ends the process at once, wherever it is") {
  for (const int signal : {SIGINT, SIGTERM}) {
    CHECK(end_of([&] {
            const Interruption interruption;
            std::raise(signal);
            if (!interruption.requested()) return 1;
            usleep(400'000);
            std::raise(signal);
            return 2;
          }) == 128 + signal);
    CHECK(end_of([&] {  // as timeout(1) and terminals send them
            const Interruption interruption;
            std::raise(SIGHUP);
            std::raise(signal);
            std::raise(signal);
            return interruption.requested() ? 42 : 1;
          }) == 42);
  }
}

TEST_CASE("a terminal that closes, and processor time that is over, end no process however often they are told") {
  CHECK(end_of([] {
          const Interruption interruption;
          std::raise(SIGHUP);
          std::raise(SIGXCPU);
          usleep(400'000);
          std::raise(SIGHUP);
          std::raise(SIGXCPU);
          return interruption.requested() && interruption.processor_time_is_over() ? 42 : 1;
        }) == 42);
  CHECK(end_of([] {
          std::signal(SIGTERM, SIG_IGN);
          const Interruption interruption;
          std::raise(SIGTERM);
          return interruption.requested() ? 1 : 42;
        }) == 42);
}

TEST_CASE("signals do again what they did before when nobody listens any more") {
  CHECK(end_of([] {
          std::signal(SIGTERM, SIG_DFL);
          { const Interruption interruption; }
          std::raise(SIGTERM);
          return 1;
        }) == 128 + SIGTERM);
}
