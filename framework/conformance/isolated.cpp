#include "conformance/isolated.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <exception>
#include <nlohmann/json.hpp>

#include "scree/base/error.hpp"
#include "scree/guard/method.hpp"

namespace scree::conformance {

namespace {

using Json = nlohmann::json;

/// Returns the rows of a check. Its exception is its result: the guards around a plugin's calls have put method and
/// entry point in front.
Rows rows_of(const std::string& name, const std::function<Rows()>& check) {
  try {
    return check();
  } catch (const std::exception& e) {
    return {failed(name, e.what())};
  } catch (...) {
    return {failed(name, "threw something that is no std::exception.")};
  }
}

/// Pipe to which the process writes the call in which it has crashed.
int crash_pipe = -1;

void put(const char* text) {
  if (::write(crash_pipe, text, std::strlen(text)) < 0) ::_exit(1);  // no one can read it
}

/// Handles a crash signal; it may not allocate.
void on_crash(int signal) {
  if (const Call call = current_call(); call.method) {
    for (const char* const text : {" in ", call.method->kind.c_str(), " \"", call.method->name.c_str(), "\" (plugin ",
                                   call.method->plugin.c_str(), "), ", call.entry})
      put(text);
  }
  ::signal(signal, SIG_DFL);
  ::raise(signal);
}

/// Installs the handlers, on a stack of their own: the stack may have overflowed.
void watch_crashes(int pipe) {
  static char stack[std::size_t{64} << 10];
  crash_pipe = pipe;
  stack_t own{};
  own.ss_sp = stack, own.ss_size = sizeof stack;
  ::sigaltstack(&own, nullptr);
  struct sigaction action {};
  action.sa_handler = on_crash;
  action.sa_flags = SA_ONSTACK;
  for (const int signal : {SIGSEGV, SIGBUS, SIGILL, SIGFPE, SIGABRT}) ::sigaction(signal, &action, nullptr);
  std::set_terminate(std::abort);  // the program's own would end it with a code
}

[[noreturn]] void tell(const Rows& rows, int pipe) {
  Json all = Json::array();
  for (const Row& row : rows) all.push_back({row.check, static_cast<int>(row.verdict), row.reason});
  const std::string text = all.dump(-1, ' ', false, Json::error_handler_t::replace);
  for (std::size_t at = 0; at < text.size();) {
    const ssize_t done = ::write(pipe, text.data() + at, text.size() - at);
    if (done <= 0) break;
    at += static_cast<std::size_t>(done);
  }
  ::_exit(0);
}

/// Returns the processor time that a process has used [s]; 0 if it has ended.
double processor_time(pid_t process) {
  clockid_t clock;
  timespec used;
  if (::clock_getcpuclockid(process, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  return static_cast<double>(used.tv_sec) + 1e-9 * static_cast<double>(used.tv_nsec);
}

/// Watches the limits of a process.
class Watch {
 public:
  Watch(pid_t process, const Limits& limits) : process_(process), limits_(limits) {}

  /// Returns the reason why the process must be ended, or "".
  std::string complaint() {
    using namespace std::chrono;
    const double used = processor_time(process_);
    const auto now = steady_clock::now();
    if (used > seen_ + 1e-3) seen_ = used, seen_at_ = now;
    if (used > limits_.processor) return fmt::format("did not end within {} s of processor time.", limits_.processor);
    if (duration<double>(now - seen_at_).count() > limits_.standstill)
      return fmt::format("stands still: it used no processor for {} s.", limits_.standstill);
    return "";
  }

 private:
  pid_t process_;
  Limits limits_;
  double seen_ = 0;  ///< processor time when last some was used [s]
  std::chrono::steady_clock::time_point seen_at_ = std::chrono::steady_clock::now();
};

/// Returns the output of the process, up to its end.
/// \param complaint  reason why it was ended before, or ""
std::string all_from(int pipe, pid_t process, const Limits& limits, std::string& complaint) {
  Watch watch(process, limits);
  std::string text;
  char block[4096];
  for (;;) {
    pollfd ready{pipe, POLLIN, 0};
    if (::poll(&ready, 1, 100) > 0) {
      const ssize_t got = ::read(pipe, block, sizeof block);
      if (got <= 0) return text;
      text.append(block, static_cast<std::size_t>(got));
    } else if (complaint = watch.complaint(); !complaint.empty()) {
      ::kill(process, SIGKILL);
      return "";
    }
  }
}

/// Returns the end of a process as text. \param where  its message on its crash
std::string end_of(int status, const std::string& where) {
  if (WIFSIGNALED(status)) return fmt::format("crashed: {}{}.", ::strsignal(WTERMSIG(status)), where);
  return fmt::format("ended the program with code {}.", WEXITSTATUS(status));
}

}  // namespace

Rows isolated(const std::string& method, const std::string& name, const std::function<Rows()>& check,
              const Limits& limits) {
  int ends[2];
  if (::pipe(ends) != 0) throw IoError("cannot make a pipe for a check.");
  std::fflush(nullptr);
  const pid_t child = ::fork();
  if (child < 0) throw IoError("cannot start a process for a check.");
  if (child == 0) {
    ::close(ends[0]);
    if (const int null = ::open("/dev/null", O_WRONLY); null >= 0) ::dup2(null, 1), ::dup2(null, 2);
    watch_crashes(ends[1]);
    tell(rows_of(name, check), ends[1]);
  }
  ::close(ends[1]);
  std::string complaint;
  const std::string text = all_from(ends[0], child, limits, complaint);
  ::close(ends[0]);
  int status = 0;
  ::waitpid(child, &status, 0);
  Rows rows;
  const Json told = Json::parse(text, nullptr, false);
  if (told.is_array())
    for (const Json& row : told) rows.push_back({"", row[0], static_cast<Verdict>(row[1].get<int>()), row[2]});
  if (!told.is_array()) rows.push_back(failed(name, complaint.empty() ? end_of(status, text) : complaint));
  for (Row& row : rows) row.method = method;
  return rows;
}

}  // namespace scree::conformance
