#pragma once
/// \file Metrics over time as CSV: metrics.csv of the run, and those of observers.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Rows of an earlier part of a run that stay.
enum class KeptRows {
  up_to,   ///< rows of times up to the one at which it resumes
  before,  ///< rows before this time: its own row is written again
};

/// Returns the columns of a table by its header; none if it does not exist.
/// \throws IoError
SCREE_API std::vector<std::string> columns_of_table(const std::filesystem::path& file);

/// Appends rows to a CSV file. The file is readable at any moment, also after kill -9: it appears with its header, and
/// rows are passed to the system whole.
class SCREE_API MetricsWriter {
 public:
  /// Starts a new file, or, with `resume_time` [s], continues the file after the rows selected by `kept`. Later ones,
  /// and a row that was cut, are dropped. A run writes the row of a moment before the checkpoint of the same moment, so
  /// that no row comes twice. Without an earlier file a resumed run starts a new one. An earlier file may lack columns
  /// that the run got later. It may have columns that the run did not have yet, if they are zero in all rows that stay.
  /// \param columns  names with units, e.g. "kinetic_energy_J"; the first one is the time [s]
  /// \throws IoError  also if a file to be continued has other columns
  MetricsWriter(std::filesystem::path file, std::vector<std::string> columns,
                std::optional<double> resume_time = std::nullopt, KeptRows kept = KeptRows::up_to);
  ~MetricsWriter();
  MetricsWriter(const MetricsWriter&) = delete;
  MetricsWriter& operator=(const MetricsWriter&) = delete;

  const std::vector<std::string>& columns() const { return columns_; }
  /// Changes the columns from now on: adds some, or changes their order. Earlier rows have 0 in new ones.
  /// \throws IoError; the file is then unchanged
  void set_columns(std::vector<std::string> columns);

  /// Appends one row or several at once.
  /// \param rows  (rows, columns), times written by time_text(), all else with as many digits as it takes to read back
  ///              the same double
  /// \throws IoError; the file then has no part of the new rows
  /// \throws Error for a number of values that is no whole number of rows
  void append(std::span<const double> rows);

 private:
  void open();

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  int descriptor_ = -1;
};

}  // namespace scree
