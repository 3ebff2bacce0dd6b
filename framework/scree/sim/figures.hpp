#pragma once
/// \file The figures of a run: the columns of metrics.csv and the fields of summary.json.

#include <cstdint>
#include <string>
#include <vector>

#include "scree/sim/checkpoint.hpp"
#include "scree/sim/setup.hpp"

namespace scree {

/// The groups that hold fixed or prescribed bodies.
std::vector<std::uint32_t> wall_groups(const World& world);

/// One row of metrics.csv per call; columns are fixed when the run begins.
class Figures {
 public:
  /// \param walls  groups whose forces are told; of the scene's start, so that a resumed run tells the same
  Figures(const Prepared& prepared, std::vector<std::uint32_t> walls);
  const std::vector<std::string>& columns() const { return columns_; }
  const std::vector<double>& row(const Prepared& prepared);

 private:
  std::vector<std::string> columns_;
  std::vector<std::uint32_t> walls_;
  std::vector<double> row_;
};

}  // namespace scree
