#include "scree/run/interruption.hpp"

#include <time.h>

#include <csignal>
#include <iterator>

namespace scree {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1, SIGXCPU};

/// Time within which two equal signals count as one [s]: timeout(1) sends its signal twice at once, and so do a
/// terminal and `scree sweep` together.
constexpr double kAtOnce = 0.3;

volatile std::sig_atomic_t signalled = 0, out_of_time = 0;
timespec first = {};
struct sigaction previous[std::size(kSignals)];

double seconds_since_first() {
  timespec now = {};
  clock_gettime(CLOCK_MONOTONIC, &now);  // may be called in a handler
  return static_cast<double>(now.tv_sec - first.tv_sec) + 1e-9 * static_cast<double>(now.tv_nsec - first.tv_nsec);
}

extern "C" void note_signal(int signal_number) {
  if (signal_number == SIGXCPU) {  // comes again every second
    out_of_time = 1;
    return;
  }
  const bool ends = signal_number == SIGINT || signal_number == SIGTERM;
  if (!signalled) {
    clock_gettime(CLOCK_MONOTONIC, &first);
  } else if (ends && seconds_since_first() > kAtOnce) {
    std::signal(signal_number, SIG_DFL);
    std::raise(signal_number);  // after the handler returns
  }
  signalled = 1;
}

}  // namespace

Interruption::Interruption(bool of_ranks) {
  signalled = 0;
  out_of_time = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  action.sa_flags = SA_RESTART;
  sigemptyset(&action.sa_mask);
  for (std::size_t k = 0; k < std::size(kSignals); ++k) {
    sigaction(kSignals[k], nullptr, &previous[k]);
    if (previous[k].sa_handler != SIG_IGN && (of_ranks || kSignals[k] != SIGUSR1))
      sigaction(kSignals[k], &action, nullptr);
  }
}

Interruption::~Interruption() {
  for (std::size_t k = 0; k < std::size(kSignals); ++k) sigaction(kSignals[k], &previous[k], nullptr);
}

bool Interruption::requested() const { return signalled != 0 || out_of_time != 0; }
bool Interruption::processor_time_is_over() const { return out_of_time != 0; }

}  // namespace scree
