#pragma once
/// \file The figures of a run: the columns of metrics.csv and the fields of summary.json.

#include <set>
#include <string>
#include <vector>

#include "scree/run/checkpoint.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// One row of metrics.csv per call. Columns of walls, bonds and figures of methods join when there are any first, in an
/// order that does not tell when that was, and stay.
class Figures {
 public:
  explicit Figures(const Prepared& prepared) { note(prepared); }
  /// \return whether there are more columns than before
  bool note(const Prepared& prepared);
  std::vector<std::string> columns() const;
  /// With a value for each column noted.
  const std::vector<double>& row(const Prepared& prepared);

 private:
  void add_walls(const World& world);

  std::vector<std::string> group_names_;
  bool bonds_ = false;
  std::set<std::string> names_;    ///< of World::figures()
  std::set<std::uint32_t> walls_;  ///< groups that hold fixed or prescribed bodies, or held some
  std::vector<double> row_;
};

}  // namespace scree
