// Runs a target over damaged seeds: fuzz_<name> [--runs N] [--first K] [--seconds S] [--binary] SEED...
// A crash, an exception, or an input that takes longer or makes the program larger than allowed ends it; the input and
// its number are kept. `--runs 1 --first K` does number K again.

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <unistd.h>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <sstream>

#include "mutate.hpp"
#include "target.hpp"

// A sanitizer's fault is to reach the handler below, and freed memory kept aside is not the reader's.
extern "C" const char* __asan_default_options() { return "abort_on_error=1:quarantine_size_mb=16"; }
extern "C" const char* __ubsan_default_options() { return "abort_on_error=1:print_stacktrace=1"; }

namespace {

constexpr long kMostMemory = 1l << 20;  // KiB: 1 GiB

std::string input;
std::uint64_t number = 0;

/// Keeps the input, says which it was, ends. Calls nothing that a signal handler may not.
void end_on(int signal) {
  const int file = open("failed_input", O_WRONLY | O_CREAT | O_TRUNC, 0644);
  if (file >= 0 && write(file, input.data(), input.size()) >= 0) close(file);
  char text[128], *end = text + sizeof text;
  const char* kind = signal == SIGPROF ? ": takes too long" : ": crash or exception";
  *--end = '\n';
  end -= std::strlen(kind);
  std::memcpy(end, kind, std::strlen(kind));
  std::uint64_t n = number;
  do *--end = static_cast<char>('0' + n % 10);
  while ((n /= 10) > 0);
  constexpr char kBefore[] = "input (in failed_input) number ";
  (void)!write(2, kBefore, sizeof kBefore - 1);
  (void)!write(2, end, static_cast<std::size_t>(text + sizeof text - end));
  _exit(1);
}

void limit_time(long seconds) {
  const itimerval timer{{0, 0}, {seconds, 0}};
  setitimer(ITIMER_PROF, &timer, nullptr);
}

long memory() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return usage.ru_maxrss;
}

std::string slurp(const char* name) {
  std::ifstream in(name, std::ios::binary);
  if (!in) {
    std::fprintf(stderr, "%s: cannot be read\n", name);
    std::exit(2);
  }
  std::ostringstream text;
  text << in.rdbuf();
  return text.str();
}

}  // namespace

int main(int argc, char** argv) {
  std::uint64_t runs = 1000, first = 1;
  long seconds = 5;
  bool binary = false;
  std::vector<std::string> seeds;
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word == "--binary")
      binary = true;
    else if (word == "--runs" && i + 1 < argc)
      runs = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--first" && i + 1 < argc)
      first = std::strtoull(argv[++i], nullptr, 10);
    else if (word == "--seconds" && i + 1 < argc)
      seconds = std::strtol(argv[++i], nullptr, 10);
    else
      seeds.push_back(slurp(argv[i]));
  }
  if (fuzz_seeds != nullptr)
    for (std::string& seed : fuzz_seeds()) seeds.push_back(std::move(seed));
  if (seeds.empty()) {
    std::fprintf(stderr, "name at least one file as a seed\n");
    return 2;
  }
  for (const int signal : {SIGABRT, SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGPROF}) std::signal(signal, end_on);
  long most = memory();
  for (number = first; number < first + runs; ++number) {
    input = scree::fuzz::damaged(seeds, binary, number);
    limit_time(seconds);
    LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    limit_time(0);
    if (memory() > kMostMemory && most <= kMostMemory) {
      std::fprintf(stderr, "needs %ld MiB\n", memory() >> 10);
      std::abort();
    }
    most = memory();
  }
  std::printf("%llu inputs from %zu seeds, largest size %ld MiB\n", static_cast<unsigned long long>(runs), seeds.size(),
              most >> 10);
  return 0;
}
