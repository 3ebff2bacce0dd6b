#pragma once
/// \file Figures over time as CSV: the run's own, metrics.csv, and those of observers.

#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "scree/base/api.hpp"

namespace scree {

/// Which rows of an earlier part of a run stay.
enum class KeptRows {
  up_to,   ///< those of times up to the one at which it resumes
  before,  ///< those before this time: its own row is written again
};

/// Columns of a table that is there, by its header; none where it is not.
/// \throws IoError
SCREE_API std::vector<std::string> columns_of_table(const std::filesystem::path& file);

/// Appends rows to a CSV file. The file is readable at any moment, also after kill -9: it appears with its header, and
/// rows are handed to the system whole.
class SCREE_API MetricsWriter {
 public:
  /// Starts a new file, or, with `resume_time` [s], continues the file after the rows that `kept` says: later ones, and
  /// a row that was cut, are dropped. A run writes the row of a moment before the checkpoint of
  /// the same moment, so that no row comes twice. Without an earlier file a resumed run starts a new one. An earlier
  /// file may lack columns that the run came to have, or have those that it had not yet: zeros alone in the rows that
  /// stay.
  /// \param columns  names with units, e.g. "kinetic_energy_J"; the first one is the time [s]
  /// \throws IoError  also when a file to be continued has other columns
  MetricsWriter(std::filesystem::path file, std::vector<std::string> columns,
                std::optional<double> resume_time = std::nullopt, KeptRows kept = KeptRows::up_to);
  ~MetricsWriter();
  MetricsWriter(const MetricsWriter&) = delete;
  MetricsWriter& operator=(const MetricsWriter&) = delete;

  const std::vector<std::string>& columns() const { return columns_; }
  /// More columns from now on, or others in their order; earlier rows have 0 in those that are new.
  /// \throws IoError; the file then is as before
  void set_columns(std::vector<std::string> columns);

  /// Appends one row or several at once.
  /// \param rows  (rows, columns), times written as by time_text(), all else with as many digits as it takes to read
  /// back the same double
  /// \throws IoError; the file then ends with what was there before.
  /// \throws Error for a number of values that is no whole number of rows
  void append(std::span<const double> rows);

 private:
  void open();

  std::filesystem::path file_;
  std::vector<std::string> columns_;
  int descriptor_ = -1;
};

}  // namespace scree
