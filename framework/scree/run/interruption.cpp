#include "scree/run/interruption.hpp"

#include <csignal>
#include <iterator>

namespace scree {

namespace {

constexpr int kSignals[] = {SIGINT, SIGTERM, SIGHUP, SIGUSR1};

volatile std::sig_atomic_t signalled = 0;
struct sigaction previous[std::size(kSignals)];

extern "C" void note_signal(int signal_number) {
  if (signalled && signal_number == SIGINT) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  signalled = 1;
}

}  // namespace

Interruption::Interruption(bool of_ranks) {
  signalled = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
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

bool Interruption::requested() const { return signalled != 0; }

}  // namespace scree
