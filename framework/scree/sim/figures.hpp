#pragma once
/// \file The figures of a run: the columns of metrics.csv and the fields of summary.json.

#include <string>
#include <vector>

#include "scree/sim/checkpoint.hpp"
#include "scree/sim/setup.hpp"

namespace scree {

/// One row of metrics.csv per call; columns are fixed when the run begins.
class Figures {
 public:
  explicit Figures(const Prepared& prepared);
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& row(const Prepared& prepared);

 private:
  std::vector<std::string> columns_;
  std::vector<std::uint32_t> walls_;  ///< groups that hold fixed or prescribed bodies
  std::vector<double> row_;
};

}  // namespace scree
