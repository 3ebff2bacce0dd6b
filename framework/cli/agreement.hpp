#pragma once
/// \file How far the figures of runs are from those of the first one.

#include <optional>
#include <string>
#include <vector>

#include "cli/batch_table.hpp"

namespace scree::cli {

/// A limit of `--within`.
struct Bound {
  std::string figure;  ///< empty: all but seconds of computing, where both runs have them
  double percent;
};

/// "5" or "contacts=5". \throws InputError
Bound read_bound(const std::string& text);

/// (value - reference) / |reference| in percent: 0 for two zeros, infinite for a reference of 0; nothing where one of
/// the two is no number.
std::optional<double> deviation(const std::string& value, const std::string& reference);

/// A table with a row per figure and a column per run, with deviations from the first run behind the values.
/// \param names  of the runs
std::string side_by_side(const BatchTable& table, const Batch& batch, const std::vector<std::string>& names);

/// A line for each figure of a completed run that is beyond its limit. \pre the first run is completed
std::string disagreements(const BatchTable& table, const Batch& batch, const std::vector<std::string>& names,
                          const std::vector<Bound>& bounds);

}  // namespace scree::cli
