#include "scree/plugin/detail/loading_guard.hpp"

#include <unistd.h>

#include <array>
#include <filesystem>
#include <string_view>

namespace scree {

namespace {

/// Returns the message about the library being loaded. Signal handlers may not allocate: it is made before.
std::string& message() {
  static auto* const text = new std::string;
  return *text;
}

[[noreturn]] void end_program(std::string_view first, std::string_view second = {}) {
  for (const std::string_view text : {first, second})
    if (write(STDERR_FILENO, text.data(), text.size()) < 0) break;  // no one can read it
  _exit(2);
}

void on_signal(int) { end_program(message()); }

[[noreturn]] void on_terminate() {
  std::string reason;
  try {
    if (const std::exception_ptr thrown = std::current_exception()) std::rethrow_exception(thrown);
  } catch (const std::exception& e) {
    reason = std::string("Thrown: ") + e.what() + "\n";
  } catch (...) {
    reason = "What was thrown is no std::exception.\n";
  }
  end_program(message(), reason);
}

}  // namespace

LoadingGuard::LoadingGuard(const std::string& library, OnCrash on_crash) : terminate_(std::get_terminate()) {
  std::fegetenv(&floating_point_);
  if (on_crash == OnCrash::leave_alone) return;
  std::set_terminate(on_terminate);
  handler_stack_.resize(std::size_t{64} << 10);
  message() =
      "error: " + std::filesystem::path(library).filename().string() +
      ": failed while it was loaded: it is damaged, or one of its initialisers is faulty. Build it again, or remove "
      "it. (" +
      library + ")\n";
  stack_t own_stack{};  // the faulty code may have damaged the thread's stack
  own_stack.ss_sp = handler_stack_.data();
  own_stack.ss_size = handler_stack_.size();
  sigaltstack(&own_stack, &former_stack_);
  struct sigaction action {};
  action.sa_handler = on_signal;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) {
    Handler handler{signal, {}};
    if (sigaction(signal, &action, &handler.former) == 0) handlers_.push_back(handler);
  }
}

LoadingGuard::~LoadingGuard() {
  for (const Handler& handler : handlers_) sigaction(handler.signal, &handler.former, nullptr);
  if (!handler_stack_.empty()) sigaltstack(&former_stack_, nullptr);
  std::set_terminate(terminate_);
  std::fesetenv(&floating_point_);
}

}  // namespace scree
