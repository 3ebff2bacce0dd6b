// A check in a process of its own: what ends it is what it does itself, not what else the machine does.

#include <unistd.h>

#include <chrono>
#include <csignal>
#include <ctime>
#include <thread>

#include "catch.hpp"
#include "conformance/isolated.hpp"
#include "scree/base/error.hpp"

using namespace scree::conformance;
using Catch::Matchers::ContainsSubstring;

namespace {

/// Uses a processor for so long [s].
void work(double seconds) {
  const auto used = [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; };
  for (const double start = used(); used() < start + seconds;) {
  }
}

void wait(double seconds) { std::this_thread::sleep_for(std::chrono::duration<double>(seconds)); }

Row only(const std::function<Rows()>& check, const Limits& limits) {
  const Rows rows = isolated("law/mine", "alone", check, limits);
  REQUIRE(rows.size() == 1);
  CHECK(rows[0].method == "law/mine");
  return rows[0];
}

}  // namespace

TEST_CASE("a check that waits longer than its processor time is not ended") {
  const Row row = only(
      [] {
        for (int i = 0; i < 10; ++i) wait(0.07), work(0.005);
        return Rows{passed("works", "in the end")};
      },
      {.processor = 0.5, .standstill = 5});
  CHECK(row.verdict == Verdict::passed);
  CHECK(row.reason == "in the end");
}

TEST_CASE("a check that never ends is ended by its processor time, one that waits for ever by its standstill") {
  const Row busy = only(
      [] {
        work(600);
        return Rows{};
      },
      {.processor = 0.3, .standstill = 60});
  CHECK(busy.verdict == Verdict::failed);
  CHECK(busy.reason == "did not end within 0.3 s of processor time.");
  const Row still = only(
      [] {
        wait(600);
        return Rows{};
      },
      {.processor = 60, .standstill = 0.3});
  CHECK(still.verdict == Verdict::failed);
  CHECK(still.reason == "stands still: it used no processor for 0.3 s.");
}

TEST_CASE("a check that throws, crashes or ends the program fails with the reason") {
  const Limits limits;
  CHECK(only([]() -> Rows { throw scree::Error("no idea"); }, limits).reason == "no idea");
  CHECK(only([]() -> Rows { ::_exit(7); }, limits).reason == "ended the program with code 7.");
  CHECK_THAT(only(
                 []() -> Rows {
                   ::raise(SIGSEGV);
                   return {};
                 },
                 limits)
                 .reason,
             ContainsSubstring("crashed: "));
}
