#pragma once
/// \file Spread of runs that differ only by their seeds: mean, deviation, and differences that chance explains.

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "cli/batch_table.hpp"

namespace scree::cli {

/// One column of a comparison: a run, or several with other seeds.
struct Variant {
  std::string name;
  std::vector<std::size_t> runs;
};

/// Returns the variants of a plan. \param seeded  true if its last axis is that of seeds: its runs belong together
std::vector<Variant> variants_of(const Plan& plan, bool seeded);

/// Statistics of a metric over the completed runs of a variant.
struct Sample {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation, with count - 1; 0 for a single run
};

/// Returns the sample of a metric; nothing if a completed run has no number there, or if no run is completed.
std::optional<Sample> sample_of(const BatchTable& table, const Batch& batch, const Variant& variant,
                                std::size_t figure);

/// Returns the difference of two means that chance exceeds in one of twenty cases; nothing if one of the two is a
/// single run. \source B.L. Welch, Biometrika 34 (1947) 28: Student's t with unequal variances
std::optional<double> chance_difference(const Sample& one, const Sample& other);

/// Returns a row per variant: its name, the number of completed runs, then mean and standard deviation of each metric.
std::string spread_csv(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants);

}  // namespace scree::cli
