#pragma once
/// \file Averages over time of what a meter's rows tell.

#include <cmath>
#include <cstddef>
#include <deque>
#include <span>
#include <string>
#include <vector>

#include "scree/scene/options.hpp"

namespace scree::meters {

/// A quantity of a row: amount over weight, such as momentum over mass. Its average is the sum of amounts over the sum
/// of weights. So rows of an empty region do not count in a velocity.
struct Quantity {
  double amount = 0;
  double weight = 1;
};

/// A sum in the order of its terms, with what rounding took from it (Neumaier 1974).
class CompensatedSum {
 public:
  void add(double term);
  double value() const { return sum_ + rest_; }
  bool is_finite() const { return std::isfinite(sum_) && std::isfinite(rest_); }

 private:
  double sum_ = 0, rest_ = 0;
};

/// Running averages since a time, or over a window that slides along. A window is summed anew for each row, so that
/// nothing stays of rows that it has passed.
class TimeAverage {
 public:
  /// \param options  options of the meter; averages are wanted if they have `average`
  explicit TimeAverage(const Options& options);

  bool wanted() const { return wanted_; }
  /// `averaged_rows`, and "mean_" before the name of each quantity.
  static std::vector<std::string> names(std::span<const std::string> quantities);
  /// Takes a row in. Where rows have another number of quantities than before, averages begin anew.
  /// \param from, time  the row tells of this time [s]: a moment, or what has passed since `from`
  void add(double from, double time, std::span<const Quantity> row);
  /// Takes the values of a row of this time in, with equal weights, and appends averages and their names to them.
  /// Values that are nan do not count. Does nothing where no averages are wanted.
  void extend(double time, std::vector<std::string>& columns, std::vector<double>& row);
  /// Returns averages over the rows so far, in the order of names(); 0 if nothing has been averaged.
  /// \param quantities  number of quantities in a row
  std::vector<double> values(std::size_t quantities) const;

  /// For checkpoints; empty where no averages are wanted.
  std::vector<std::byte> save() const;
  /// Averages begin anew where the state is of another start or window.
  /// \throws Error for a state that save() did not write
  void load(std::span<const std::byte> state);

 private:
  struct Sums {
    CompensatedSum amount, weight;
  };
  struct Row {
    double time;  ///< [s]
    std::vector<Quantity> quantities;
  };
  void begin_anew(std::size_t quantities);
  void count(std::span<const Quantity> row);
  void slide(double now);

  bool wanted_ = false;
  double start_ = 0;   ///< [s]
  double window_ = 0;  ///< [s]; 0: all since the start
  std::size_t rows_ = 0;
  std::vector<Sums> sums_;
  std::deque<Row> recent_;  ///< the rows in the window, if there is one
};

}  // namespace scree::meters
