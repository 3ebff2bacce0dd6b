#pragma once
/// \file How far the figures of variants are from those of the first one.

#include <optional>
#include <string>
#include <vector>

#include "cli/seed_spread.hpp"

namespace scree::cli {

/// A limit of `--within`.
struct Bound {
  std::string figure;             ///< empty: all but seconds of computing, where both variants have them
  std::optional<double> percent;  ///< nothing: what the spread of seeds explains
};

/// "5", "contacts=5", "seeds" or "contacts=seeds". \throws InputError
Bound read_bound(const std::string& text);

/// (value - reference) / |reference| in percent: 0 for two zeros, infinite for a reference of 0.
double deviation(double value, double reference);

/// A table with a row per figure and a column per variant, with deviations from the first one behind the values. Means
/// of several runs have their standard deviation, and a star where they differ by more than chance explains.
std::string side_by_side(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants);

/// A line for each figure of a variant that is beyond its limit. \pre all runs are completed
std::string disagreements(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants,
                          const std::vector<Bound>& bounds);

}  // namespace scree::cli
