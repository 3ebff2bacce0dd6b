#pragma once
/// \file Runs that differ by their seeds alone: mean, spread, and what of a difference chance explains.

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

/// \param seeded  whether the last axis of the plan is that of seeds: its runs belong together
std::vector<Variant> variants_of(const Plan& plan, bool seeded);

/// A figure of the completed runs of a variant.
struct Sample {
  std::size_t count = 0;
  double mean = 0;
  double deviation = 0;  ///< standard deviation, with count - 1; 0 for a single run
};

/// Nothing where a completed run has no number there, or no run is completed.
std::optional<Sample> sample_of(const BatchTable& table, const Batch& batch, const Variant& variant,
                                std::size_t figure);

/// The difference of two means that chance exceeds in one of twenty cases. Nothing where one of the two is a single
/// run. \source B.L. Welch, Biometrika 34 (1947) 28: Student's t with unequal variances
std::optional<double> chance_difference(const Sample& one, const Sample& other);

/// A row per variant: its name, the number of completed runs, then mean and standard deviation of each figure.
std::string spread_csv(const BatchTable& table, const Batch& batch, const std::vector<Variant>& variants);

}  // namespace scree::cli
