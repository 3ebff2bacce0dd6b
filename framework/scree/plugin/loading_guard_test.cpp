#include "scree/plugin/detail/loading_guard.hpp"

#include "catch.hpp"

using namespace scree;

namespace {

/// Returns the present handler of a bad memory access.
auto handler() {
  struct sigaction action {};
  sigaction(SIGSEGV, nullptr, &action);
  return action.sa_handler;
}

}  // namespace

TEST_CASE("handlers of signals are changed while a program of scree's own loads a plugin, and never in others") {
  const auto before = handler();
  const auto terminate = std::get_terminate();
  {
    const LoadingGuard guard("plugin.so", OnCrash::leave_alone);
    CHECK((handler() == before && std::get_terminate() == terminate));
  }
  {
    const LoadingGuard guard("plugin.so", OnCrash::end_program);
    CHECK((handler() != before && std::get_terminate() != terminate));
  }
  CHECK((handler() == before && std::get_terminate() == terminate));
}
