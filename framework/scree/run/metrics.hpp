#pragma once
/// \file Metrics of a run: the columns of metrics.csv and the fields of summary.json.

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "scree/run/checkpoint.hpp"
#include "scree/setup/setup.hpp"

namespace scree {

/// Metrics of a run: one row of metrics.csv per call. Columns of walls, bonds and methods join when the first of them
/// exists, and stay. Their order does not depend on when that was.
class Metrics {
 public:
  /// Name of the mean net force on free bodies over the mean contact force [-].
  static constexpr const char* kUnbalanced = "unbalanced_force_ratio";
  /// Optional columns.
  struct Choice {
    bool stage = false;       ///< column with the number of the stage, from 1
    bool unbalanced = false;  ///< column kUnbalanced: needs Wanted::contacts
  };
  explicit Metrics(const Prepared& prepared) : Metrics(prepared, Choice{}) {}
  Metrics(const Prepared& prepared, Choice choice) : choice_(choice) { note(prepared); }
  /// Adds columns that are new. \return true if there are more columns than before
  bool note(const Prepared& prepared);
  /// Adds columns of an earlier part of the run, whose walls may be free or removed by now: they stay.
  void note_earlier(const std::vector<std::string>& columns);
  std::vector<std::string> columns() const;
  /// Returns a row with a value for each column. \param stage  number of the stage, from 0
  const std::vector<double>& row(const Prepared& prepared, std::uint64_t stage = 0);
  /// Returns the value of one column, if it exists.
  std::optional<double> value(const std::string& column, const Prepared& prepared);
  bool needs_contacts() const { return choice_.unbalanced; }

 private:
  void add_walls(const World& world);
  void add_powers(const World& world);

  Choice choice_;
  std::vector<std::string> group_names_;
  bool bonds_ = false;
  std::set<std::string> names_;     ///< names in World::metrics()
  std::set<std::uint32_t> walls_;   ///< groups that hold fixed or prescribed bodies, or held some
  std::set<std::uint32_t> driven_;  ///< groups among these that hold prescribed bodies, or held some
  std::vector<double> row_;
};

}  // namespace scree
