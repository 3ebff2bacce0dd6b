#pragma once
/// \file Agreement of variants: deviations of their metrics from those of the first one.

#include <optional>
#include <string>
#include <vector>

#include "cli/seed_spread.hpp"

namespace scree::cli {

/// Limit of `--within`.
struct Bound {
  std::string figure;             ///< empty: all metrics of both variants, except seconds of computing
  std::optional<double> percent;  ///< empty: the spread of seeds
};

/// Reads a limit: "5", "contacts=5", "seeds" or "contacts=seeds". \throws InputError
Bound read_bound(const std::string& text);

/// Returns (value - reference) / |reference| in percent: 0 for two zeros, infinite for a reference of 0.
double deviation(double value, double reference);

/// Returns a table with a row per metric and a column per variant, with deviations from the first one behind the
/// values. Means of several runs have their standard deviation, and a star if they differ by more than chance explains.
std::string side_by_side(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants);

/// Returns a line for each metric of a variant that is beyond its limit. \pre all runs are completed
std::string disagreements(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants,
                          const std::vector<Bound>& bounds);

}  // namespace scree::cli
