#pragma once
/// \file The figures of a batch, a row per run.

#include <filesystem>
#include <string>
#include <vector>

#include "cli/batch.hpp"
#include "cli/plan.hpp"
#include "cli/table.hpp"

namespace scree::cli {

class BatchTable {
 public:
  /// \param from  see RunFigures  \pre the batch is done
  BatchTable(const Plan& plan, const Batch& batch, std::vector<std::string> figures, double from);

  const std::vector<std::string>& figures() const { return figures_; }
  /// "" where the run has no such figure.
  const std::string& value(std::size_t run, std::size_t figure) const { return values_[run][figure]; }
  /// A run, its values, exit code, figures and message per row; the first row has the names.
  std::string csv() const;
  /// The same, short.
  std::string text() const;
  /// A line for each figure that no run has; "" when there is none.
  std::string missing(double from) const;

 private:
  std::vector<std::string> head() const;

  const Plan& plan_;
  const Batch& batch_;
  std::vector<std::string> figures_;
  std::vector<std::vector<std::string>> values_;
};

/// A number with six digits; any other text as it is.
std::string short_number(const std::string& text);

}  // namespace scree::cli
