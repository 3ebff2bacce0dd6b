#pragma once
/// \file Problems of a run as FCLib files, for other solvers to check ours by.

#include <filesystem>

#include "contact_problem.hpp"
#include "scree/hooks/hook.hpp"

namespace scree::nonsmooth {

struct DumpOptions {
  std::filesystem::path folder;  ///< empty: nothing is written
  Schedule schedule;
};

/// \throws OptionError where there are joints, which the format has no place for
void check_dump(const DumpOptions& options, const World& world);

/// Writes the problem of the step that follows world.step, if it is due: step_000001000-nc-57.hdf5, named after the
/// step and the number of contacts. The impulses at the start are its guess. \throws IoError
template <int D>
void dump_if_due(const DumpOptions& options, const World& world, double dt, const StepProblem<D>& step);

}  // namespace scree::nonsmooth
