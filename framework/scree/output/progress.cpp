#include "scree/output/progress.hpp"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "scree/base/tell.hpp"

namespace scree {

namespace {

constexpr double kBarPeriod = 0.1;       // [s] between redraws
constexpr double kLinePeriod = 10;       // [s] between plain lines, at least
constexpr double kLongestSilence = 300;  // [s] between plain lines, at most
constexpr std::uint64_t kLines = 20;     // plain lines per run, at most
constexpr double kSpeedMemory = 2;       // [s] over which the speed is averaged
constexpr int kBarCells = 24;

double seconds_between(std::chrono::steady_clock::time_point from, std::chrono::steady_clock::time_point to) {
  return std::chrono::duration<double>(to - from).count();
}

/// Returns the columns of the terminal; a longer line would wrap and could not be redrawn.
std::size_t terminal_columns(std::FILE* stream) {
  winsize size{};
  const bool known = ::ioctl(::fileno(stream), TIOCGWINSZ, &size) == 0 && size.ws_col > 0;
  return known ? size.ws_col : 80;
}

}  // namespace

ProgressStyle progress_style(bool quiet) {
  if (quiet) return ProgressStyle::silent;
  return ::isatty(STDERR_FILENO) != 0 ? ProgressStyle::bar : ProgressStyle::lines;
}

std::string readable_seconds(double seconds) {
  if (seconds < 9.95) return fmt::format("{:.1f} s", seconds);
  const auto whole = static_cast<std::uint64_t>(std::llround(std::min(seconds, 1e15)));
  if (whole < 60) return fmt::format("{} s", whole);
  if (whole < 3600) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  if (whole < 86400) return fmt::format("{} h {:02} min", whole / 3600, whole / 60 % 60);
  return fmt::format("{} d {:02} h", whole / 86400, whole / 3600 % 24);
}

Progress::Progress(std::uint64_t steps, double duration, std::uint64_t first_step, ProgressStyle style,
                   std::FILE* stream, Clock clock)
    : steps_(std::max<std::uint64_t>(steps, 1)),
      duration_(duration),
      style_(stream ? style : ProgressStyle::silent),
      stream_(stream),
      clock_(std::move(clock)),
      printed_at_(clock_()),
      printed_step_(first_step) {}

Progress::~Progress() {
  if (bar_drawn_) tell(stream_, "\n");
}

double Progress::fraction(std::uint64_t step) const {
  return std::min(1.0, static_cast<double>(step - std::min(step, before_part_)) / static_cast<double>(steps_));
}

bool Progress::due(std::uint64_t step, Time now) const {
  const double waited = seconds_between(printed_at_, now);
  if (style_ == ProgressStyle::bar) return waited >= kBarPeriod;
  const bool advanced = (step - printed_step_) * kLines >= steps_;
  return waited >= kLongestSilence || (waited >= kLinePeriod && advanced);
}

void Progress::measure_speed(std::uint64_t step, Time now) {
  const double waited = seconds_between(printed_at_, now);
  if (waited <= 0 || step <= printed_step_) return;
  const double latest = static_cast<double>(step - printed_step_) / waited;
  const double keep = speed_ > 0 ? std::exp(-waited / kSpeedMemory) : 0;
  speed_ = keep * speed_ + (1 - keep) * latest;
}

void Progress::begin_part(const std::string& label, std::uint64_t first_step, std::uint64_t steps, double end) {
  label_ = label + "  ";
  before_part_ = first_step;
  steps_ = std::max<std::uint64_t>(steps, 1);
  duration_ = end;
}

void Progress::update(std::uint64_t step, double time) {
  if (style_ == ProgressStyle::silent) return;
  const Time now = clock_();
  if (!due(step, now)) return;
  measure_speed(step, now);
  printed_at_ = now;
  printed_step_ = step;
  print(step, time);
}

void Progress::finish(std::uint64_t step, double time) {
  if (style_ == ProgressStyle::silent) return;
  measure_speed(step, clock_());
  print(step, time);
  if (bar_drawn_) tell(stream_, "\n");
  bar_drawn_ = false;
}

void Progress::note(const std::string& message) {
  if (!stream_) return;
  erase_bar();
  tell(stream_, message + "\n");
}

std::string Progress::line(std::uint64_t step, double time) const {
  const double done = fraction(step);
  std::string text = fmt::format("{}{:5.1f} %  step {}/{}  t = {:.4g} s of {:.4g} s", label_, 100 * done, step,
                                 before_part_ + steps_, time, duration_);
  if (speed_ > 0) {
    text += fmt::format("  {:.4g} steps/s", speed_);
    const std::uint64_t last = before_part_ + steps_, rest = last - std::min(step, last);
    if (rest > 0) text += fmt::format("  {} left", readable_seconds(static_cast<double>(rest) / speed_));
  }
  return text;
}

void Progress::print(std::uint64_t step, double time) {
  std::string text = line(step, time);
  if (style_ == ProgressStyle::lines) {
    tell(stream_, text + "\n");
  } else {
    const std::size_t columns = terminal_columns(stream_);
    if (text.size() + kBarCells + 4 < columns) {
      const int filled = static_cast<int>(fraction(step) * kBarCells);
      text = fmt::format("[{:#<{}}{:.<{}}] {}", "", filled, "", kBarCells - filled, text);
    }
    if (text.size() >= columns) text.resize(columns - 1);
    tell_raw(stream_, "\r" + printable(text) + "\x1b[K");
    bar_drawn_ = true;
  }
}

void Progress::erase_bar() {
  if (bar_drawn_) tell_raw(stream_, "\r\x1b[K");
  bar_drawn_ = false;
}

}  // namespace scree
