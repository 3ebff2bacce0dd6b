#include "scree/output/progress.hpp"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "catch.hpp"

namespace scree {

namespace {

/// A stream that keeps what is printed, and a clock that is set by hand.
struct Stage {
  char* text = nullptr;
  std::size_t size = 0;
  std::FILE* stream = ::open_memstream(&text, &size);
  std::chrono::steady_clock::time_point now{};

  ~Stage() {
    std::fclose(stream);
    std::free(text);
  }
  Progress::Clock clock() {
    return [this] { return now; };
  }
  void wait(double seconds) { now += std::chrono::microseconds(std::llround(seconds * 1e6)); }
  std::string printed() {
    std::fflush(stream);
    return {text, size};
  }
};

std::size_t count(const std::string& text, char wanted) {
  return static_cast<std::size_t>(std::count(text.begin(), text.end(), wanted));
}

}  // namespace

TEST_CASE("a bar is redrawn at most ten times a second and ends on a fresh line") {
  Stage stage;
  Progress progress(1000, 2.0, 0, ProgressStyle::bar, stage.stream, stage.clock());
  for (std::uint64_t step = 1; step <= 1000; ++step) {
    stage.wait(0.001);
    progress.update(step, 0.002 * static_cast<double>(step));
  }
  CHECK(count(stage.printed(), '\r') == 10);
  CHECK(count(stage.printed(), '\n') == 0);
  progress.finish(1000, 2.0);
  CHECK_THAT(stage.printed(),
             Catch::Matchers::ContainsSubstring("100.0 %  step 1000/1000  t = 2 s of 2 s  1000 steps/s"));
  CHECK(stage.printed().back() == '\n');
}

TEST_CASE("plain lines come with 5 % of the run, never within 10 s, and not after more than 5 min") {
  Stage stage;
  Progress progress(100, 1.0, 0, ProgressStyle::lines, stage.stream, stage.clock());
  for (std::uint64_t step = 1; step <= 20; ++step) {
    stage.wait(1);
    progress.update(step, 0.01 * static_cast<double>(step));
  }
  CHECK(stage.printed() ==
        " 10.0 %  step 10/100  t = 0.1 s of 1 s  1 steps/s  1 min 30 s left\n"
        " 20.0 %  step 20/100  t = 0.2 s of 1 s  1 steps/s  1 min 20 s left\n");
  stage.wait(299);
  progress.update(21, 0.21);
  CHECK(count(stage.printed(), '\n') == 2);
  stage.wait(1);
  progress.update(21, 0.21);
  CHECK(count(stage.printed(), '\n') == 3);
}

TEST_CASE("the speed of a resumed run counts its own steps only") {
  Stage stage;
  Progress progress(100, 1.0, 90, ProgressStyle::lines, stage.stream, stage.clock());
  stage.wait(20);
  progress.update(95, 0.95);
  CHECK(stage.printed() == " 95.0 %  step 95/100  t = 0.95 s of 1 s  0.25 steps/s  20 s left\n");
}

TEST_CASE("a quiet run prints nothing but notes") {
  Stage stage;
  Progress progress(10, 1.0, 0, ProgressStyle::silent, stage.stream, stage.clock());
  stage.wait(1000);
  progress.update(9, 0.9);
  progress.finish(10, 1.0);
  CHECK(stage.printed().empty());
  progress.note("warning: short contacts");
  CHECK(stage.printed() == "warning: short contacts\n");
}

TEST_CASE("messages show what would act on a terminal, and a bar alone moves the cursor") {
  Stage stage;
  Progress progress(10, 1.0, 0, ProgressStyle::silent, stage.stream, stage.clock());
  progress.note("emitter \"x\x1b]0;title\x07\", \xe2\x80\xae, \xff");
  CHECK(stage.printed() == "emitter \"x\\x1b]0;title\\x07\", \\xe2\\x80\\xae, \\xff\n");
  Progress bar(10, 1.0, 0, ProgressStyle::bar, stage.stream, stage.clock());
  bar.begin_part("\x1b[2J", 0, 10, 1.0);
  bar.finish(10, 1.0);
  const std::string printed = stage.printed();
  CHECK(printed.find("\x1b[2J") == std::string::npos);
  CHECK(printed.find("\\x1b[2J") != std::string::npos);
  CHECK(printed.find("\x1b[K") != std::string::npos);
}

TEST_CASE("time spans are readable") {
  CHECK(readable_seconds(0.84) == "0.8 s");
  CHECK(readable_seconds(9.99) == "10 s");
  CHECK(readable_seconds(185) == "3 min 05 s");
  CHECK(readable_seconds(7800) == "2 h 10 min");
  CHECK(readable_seconds(3 * 86400 + 4 * 3600) == "3 d 04 h");
}

}  // namespace scree
