#pragma once
/// \file The figures of a run: the columns of metrics.csv and the fields of summary.json.

#include <cstdint>
#include <optional>
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
  /// The name of the mean net force on free bodies over the mean contact force [-].
  static constexpr const char* kUnbalanced = "unbalanced_force_ratio";
  struct Choice {
    bool stage = false;       ///< a column with the number of the stage, from 1
    bool unbalanced = false;  ///< a column kUnbalanced: needs Wanted::contacts
  };
  explicit Figures(const Prepared& prepared) : Figures(prepared, Choice{}) {}
  Figures(const Prepared& prepared, Choice choice) : choice_(choice) { note(prepared); }
  /// \return whether there are more columns than before
  bool note(const Prepared& prepared);
  /// Columns of an earlier part of the run, whose walls may be free or gone by now: they stay.
  void note_earlier(const std::vector<std::string>& columns);
  std::vector<std::string> columns() const;
  /// With a value for each column noted. \param stage  from 0
  const std::vector<double>& row(const Prepared& prepared, std::uint64_t stage = 0);
  /// That of one column, if it is noted.
  std::optional<double> value(const std::string& column, const Prepared& prepared);
  bool needs_contacts() const { return choice_.unbalanced; }

 private:
  void add_walls(const World& world);
  void add_powers(const World& world);

  Choice choice_;
  std::vector<std::string> group_names_;
  bool bonds_ = false;
  std::set<std::string> names_;     ///< of World::figures()
  std::set<std::uint32_t> walls_;   ///< groups that hold fixed or prescribed bodies, or held some
  std::set<std::uint32_t> driven_;  ///< of these, those that hold prescribed ones, or held some
  std::vector<double> row_;
};

}  // namespace scree
