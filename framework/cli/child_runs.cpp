#include "cli/child_runs.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cerrno>
#include <chrono>
#include <map>
#include <optional>
#include <thread>

#include "scree/output/atomic_file.hpp"

namespace scree::cli {

namespace {

constexpr int kStopSignals[] = {SIGINT, SIGTERM, SIGHUP};
constexpr std::chrono::milliseconds kBetweenLooks{20};

/// Time within which two equal signals count as one, as in the runs themselves.
constexpr std::chrono::milliseconds kAtOnce{300};

volatile sig_atomic_t stop_signal = 0;

/// Keeps signals that end a program in `stop_signal` during its lifetime. Ignored signals stay ignored.
class SignalsKept {
 public:
  SignalsKept() {
    stop_signal = 0;
    for (std::size_t k = 0; k < std::size(kStopSignals); ++k) {
      sigaction(kStopSignals[k], nullptr, &before_[k]);
      if (before_[k].sa_handler == SIG_IGN) continue;
      struct sigaction keep = {};
      keep.sa_handler = [](int signal) { stop_signal = signal; };
      sigaction(kStopSignals[k], &keep, nullptr);
    }
  }
  ~SignalsKept() {
    for (std::size_t k = 0; k < std::size(kStopSignals); ++k) sigaction(kStopSignals[k], &before_[k], nullptr);
  }
  SignalsKept(const SignalsKept&) = delete;
  SignalsKept& operator=(const SignalsKept&) = delete;

 private:
  struct sigaction before_[std::size(kStopSignals)];
};

/// Present processes; those left at the end are stopped and waited for.
class Children {
 public:
  ~Children() {
    stop();
    for (const auto& [process, index] : running_) ::waitpid(process, nullptr, 0);
  }

  std::size_t count() const { return running_.size(); }

  void start(const ChildRun& run, std::size_t index) {
    std::vector<std::string> words = run.arguments;
    std::string name = "scree";
    std::vector<char*> argv = {name.data()};
    for (std::string& word : words) argv.push_back(word.data());
    argv.push_back(nullptr);
    const int log = ::open(run.log.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (log < 0) throw io_error(run.log, "cannot be written", errno);
    const pid_t parent = ::getpid(), process = ::fork();
    if (process == 0) become(argv.data(), log, parent);
    const int error = errno;
    ::close(log);
    if (process < 0) throw io_error(run.log, "its process cannot be started", error);
    running_[process] = index;
  }

  void stop() const {
    for (const auto& [process, index] : running_) ::kill(process, SIGTERM);
  }

  /// Reports those that have ended since.
  void collect(const std::function<void(std::size_t, int)>& ended) {
    for (auto it = running_.begin(); it != running_.end();) {
      int status = 0;
      if (::waitpid(it->first, &status, WNOHANG) != it->first) {
        ++it;
        continue;
      }
      const std::size_t index = it->second;
      it = running_.erase(it);
      ended(index, WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status));
    }
  }

 private:
  /// Becomes the program in the new process: only system calls.
  [[noreturn]] static void become(char** argv, int log, pid_t parent) {
    ::prctl(PR_SET_PDEATHSIG, SIGTERM);
    if (::getppid() != parent) ::_exit(128 + SIGTERM);
    const int nothing = ::open("/dev/null", O_RDONLY);
    ::dup2(nothing, STDIN_FILENO);
    ::dup2(log, STDOUT_FILENO);
    ::dup2(log, STDERR_FILENO);
    ::execv("/proc/self/exe", argv);
    ::_exit(127);
  }

  std::map<pid_t, std::size_t> running_;
};

}  // namespace

bool run_children(const std::vector<ChildRun>& runs, int at_once, const std::function<void(std::size_t, int)>& ended) {
  const SignalsKept signals;
  Children children;
  std::size_t next = 0;
  std::optional<std::chrono::steady_clock::time_point> passed_on;
  while (children.count() > 0 || (next < runs.size() && !passed_on)) {
    while (!stop_signal && !passed_on && next < runs.size() && children.count() < static_cast<std::size_t>(at_once)) {
      children.start(runs[next], next);
      ++next;
    }
    if (stop_signal && (!passed_on || std::chrono::steady_clock::now() - *passed_on > kAtOnce)) {
      children.stop();
      passed_on = std::chrono::steady_clock::now();
    }
    if (passed_on) stop_signal = 0;  // the next one ends runs at once
    children.collect(ended);
    if (children.count() > 0) std::this_thread::sleep_for(kBetweenLooks);
  }
  return next == runs.size() && !passed_on;
}

}  // namespace scree::cli
