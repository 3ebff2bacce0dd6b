#pragma once
/// \file Table of a batch's metrics, a row per run.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/batch.hpp"
#include "cli/plan.hpp"
#include "cli/table.hpp"

namespace scree::cli {

class BatchTable {
 public:
  /// Makes the table. \param from  see RunMetrics  \pre the batch is done
  BatchTable(const Plan& plan, const Batch& batch, std::vector<std::string> figures, double from);

  const std::vector<std::string>& metrics() const { return figures_; }
  /// Returns the value of a metric; "" if the run has no such metric.
  const std::string& value(std::size_t run, std::size_t figure) const { return values_[run][figure]; }
  /// Returns the table as CSV: a run, its values, exit code, metrics and message per row; the first row has the names.
  std::string csv() const;
  /// Returns the table as short text.
  std::string text() const;
  /// Returns a line for each metric that no run has; "" if there is none.
  std::string missing(double from) const;

 private:
  std::vector<std::string> head() const;

  const Plan& plan_;
  const Batch& batch_;
  std::vector<std::string> figures_;
  std::vector<std::vector<std::string>> values_;
};

/// Returns a number with six digits; any other text unchanged.
std::string short_number(const std::string& text);

}  // namespace scree::cli
