#pragma once
/// \file Dry run: all stages of a scene are prepared before the first step.

#include <string>
#include <vector>

#include "scree/run/stage_sequence.hpp"

namespace scree {

/// Result of a dry run of one stage.
struct DryRunStage {
  std::string name;  ///< "" for a scene without stages
  double dt = 0;     ///< [s]
  std::vector<StepLimit> limits;
  std::vector<std::string> warnings, changes;
  std::vector<std::string> files;  ///< files that its observers write
  double bytes = 0;                ///< size of these files in the whole run, as far as observers report it
};

/// Prepares each stage as a scene of its own, from the bodies of the start, and returns what it found.
///
/// A run may last for days, and an error in a later stage must not end it then. Each stage is a complete scene (see
/// StageSequence), so it is prepared like one: prepare() checks its options, finds its methods, makes its bodies and
/// chooses its time step. It throws the same errors, with the same text, as if that scene were run.
///
///   scene       --> checks of the first stage: already prepared by the caller
///   stage 2     --> prepare() --> metric of its end exists? --> observers: names, bytes --> dropped
///   stage 3     --> prepare() --> ...
///
/// In addition each stage reports the changes from its predecessor, its time step and limits, and its warnings.
/// Observers report the names and sizes of their files, and open none.
///
/// Bodies of a later stage will not lie as they do here: they have moved, some are gone, others have come. So anything
/// that depends on the state is not covered: overlaps, stable steps of contacts that form later, or bodies that leave
/// the domain.
///
/// Alternatives:
/// - Validate each stage against the schema only: misses faults that factories find, such as a shape without detector.
/// - Run each stage for one step: takes longer, calls plugins with states that never occur, and writes files.
/// - Keep the prepared stages for later: their bodies would have to be replaced anyway, and memory would be held for
///   all.
/// \param first  the prepared first stage, or scene without stages
/// \throws InputError
std::vector<DryRunStage> dry_run_stages(const Scene& scene, const Registry& registry, const std::string& device,
                                        Prepared& first);

}  // namespace scree
