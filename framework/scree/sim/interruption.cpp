#include "scree/sim/interruption.hpp"

#include <csignal>

namespace scree {

namespace {

volatile std::sig_atomic_t signalled = 0;
struct sigaction previous_interrupt, previous_terminate;

extern "C" void note_signal(int signal_number) {
  if (signalled && signal_number == SIGINT) {
    std::signal(SIGINT, SIG_DFL);
    std::raise(SIGINT);
  }
  signalled = 1;
}

}  // namespace

Interruption::Interruption() {
  signalled = 0;
  struct sigaction action {};
  action.sa_handler = note_signal;
  sigemptyset(&action.sa_mask);
  sigaction(SIGINT, &action, &previous_interrupt);
  sigaction(SIGTERM, &action, &previous_terminate);
}

Interruption::~Interruption() {
  sigaction(SIGINT, &previous_interrupt, nullptr);
  sigaction(SIGTERM, &previous_terminate, nullptr);
}

bool Interruption::requested() const { return signalled != 0; }

}  // namespace scree
