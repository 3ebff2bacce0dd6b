#pragma once
/// \file Figures of a run by name, from the files that it left.

#include <filesystem>
#include <map>
#include <string>
#include <vector>

namespace scree::cli {

/// What a figure is called by:
///   KEY               of summary.json: `steps`, `figures.solver_sweeps`, `momentum.0`
///   COLUMN            of metrics.csv, the last row
///   FILE/COLUMN       of another file of the run, without its .csv: `bed/coordination`, of a meter
///   wall_seconds_per_second   seconds of computing per simulated second
/// Behind a column, `:mean`, `:min` and `:max` look at all rows from a time on.
constexpr const char* kFigureNames =
    "a key of summary.json (steps, figures.NAME), a column of metrics.csv, the last row, or FILE/COLUMN of another "
    ".csv "
    "file of the run; :mean, :min or :max behind a column looks at all rows";

class RunFigures {
 public:
  /// \param folder  the output folder of a run  \param from  first time that :mean, :min and :max look at [s]
  explicit RunFigures(std::filesystem::path folder, double from = 0) : folder_(std::move(folder)), from_(from) {}

  /// As written in CSV files; "" where the run has no such figure.
  std::string text(const std::string& name) const;
  /// `FILE/COLUMN` for all columns of these names in files beside metrics.csv, sorted.
  std::vector<std::string> of_columns(const std::vector<std::string>& columns) const;
  /// All figures there are, for messages: keys of the summary with a number or text, columns of metrics.csv.
  std::vector<std::string> known() const;

 private:
  std::filesystem::path folder_;
  double from_;
};

}  // namespace scree::cli
