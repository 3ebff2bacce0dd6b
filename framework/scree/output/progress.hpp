#pragma once
/// \file Progress of a run: one redrawn line on a terminal, plain lines in a log.

#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <string>

#include "scree/base/api.hpp"

namespace scree {

enum class ProgressStyle {
  silent,  ///< no output
  lines,   ///< one line per 5 % of the run, but never within 10 s, and not after more than 5 min
  bar,     ///< one line, redrawn at most ten times a second
};

/// Returns bar if the standard error stream is a terminal, else lines; silent on request.
SCREE_API ProgressStyle progress_style(bool quiet);

/// Prints the progress. A stream that cannot be written to is ignored. Called in every step; costs a reading of the
/// clock if there is nothing to print.
class SCREE_API Progress {
 public:
  using Clock = std::function<std::chrono::steady_clock::time_point()>;

  /// \param steps       number of steps of the whole run, with those of an earlier part that is resumed
  /// \param duration    simulated time at the end [s]
  /// \param first_step  number of steps done before this program started
  /// \param stream      destination; null: none
  /// \param clock       for tests
  Progress(std::uint64_t steps, double duration, std::uint64_t first_step, ProgressStyle style,
           std::FILE* stream = stderr, Clock clock = std::chrono::steady_clock::now);
  /// Leaves the cursor on a fresh line.
  ~Progress();
  Progress(const Progress&) = delete;
  Progress& operator=(const Progress&) = delete;

  /// Begins a part of the run, with progress of its own.
  /// \param label  put in front of each line
  /// \param steps  largest number of steps of the part
  /// \param end  latest time of its end [s]
  void begin_part(const std::string& label, std::uint64_t first_step, std::uint64_t steps, double end);
  /// Prints the progress if it is due. \param step  steps done   \param time  simulated [s]
  void update(std::uint64_t step, double time);
  /// Prints the last state once more, regardless of rate limits.
  void finish(std::uint64_t step, double time);
  /// Prints a message (a warning) on a line of its own, without breaking the bar. Printed in every style.
  void note(const std::string& message);

 private:
  using Time = std::chrono::steady_clock::time_point;
  bool due(std::uint64_t step, Time now) const;
  void measure_speed(std::uint64_t step, Time now);
  void print(std::uint64_t step, double time);
  double fraction(std::uint64_t step) const;
  std::string line(std::uint64_t step, double time) const;
  void erase_bar();

  std::string label_;
  std::uint64_t steps_, before_part_ = 0;
  double duration_;
  ProgressStyle style_;
  std::FILE* stream_;
  Clock clock_;
  Time printed_at_;
  std::uint64_t printed_step_;
  double speed_ = 0;  ///< [steps/s], over the last few seconds
  bool bar_drawn_ = false;
};

/// Returns a time span for users: "0.8 s", "42 s", "3 min 05 s", "2 h 10 min", "3 d 04 h".
SCREE_API std::string readable_seconds(double seconds);

}  // namespace scree
