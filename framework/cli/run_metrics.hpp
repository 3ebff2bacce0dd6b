#pragma once
/// \file Metrics of a run by name, from its files.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scree::cli {

/// Names of metrics:
///   KEY               of summary.json: `steps`, `figures.solver_sweeps`, `momentum.0`
///   COLUMN            of metrics.csv, the last row
///   FILE/COLUMN       of another file of the run, without its .csv: `bed/coordination`, of a meter
///   wall_seconds_per_second   seconds of computing per simulated second
/// Behind a column, `:mean`, `:min` and `:max` use all rows from a time on.
constexpr const char* kMetricNames =
    "a key of summary.json (steps, figures.NAME), a column of metrics.csv, the last row, or FILE/COLUMN of another "
    ".csv "
    "file of the run; :mean, :min or :max behind a column looks at all rows";

class RunMetrics {
 public:
  /// Opens the folder of a run.
  /// \param folder  output folder of the run
  /// \param from    first time for :mean, :min and :max [s]
  explicit RunMetrics(std::filesystem::path folder, double from = 0) : folder_(std::move(folder)), from_(from) {}

  /// Returns a metric as written in CSV files; "" if the run has no such metric.
  std::string text(const std::string& name) const;
  /// Returns `FILE/COLUMN` for all columns of these names in files beside metrics.csv, sorted.
  std::vector<std::string> of_columns(const std::vector<std::string>& columns) const;
  /// Returns all existing metrics, for messages: keys of the summary with a number or text, columns of metrics.csv.
  std::vector<std::string> known() const;

 private:
  std::filesystem::path folder_;
  double from_;
};

}  // namespace scree::cli
