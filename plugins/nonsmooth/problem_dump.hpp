#pragma once
/// \file Problems of a run as FCLib files, for other solvers to check ours by.

#include <filesystem>

#include "contact_problem.hpp"
#include "scree/hooks/hook.hpp"

namespace scree::nonsmooth {

struct DumpOptions {
  std::filesystem::path folder;  ///< empty: nothing is written
  Schedule schedule;
  bool bonds = false;  ///< true if bonds with an energy are part of W
};

/// \throws OptionError where there are bonds that may be joints, which the format has no place for
void check_dump(const DumpOptions& options, const World& world);
/// Checks the options in a step with joints. \throws NumericalError
void check_dump(const DumpOptions& options, std::size_t joints);

/// Checks whether the problem of the step that follows world.step is wanted.
bool dump_is_due(const DumpOptions& options, const World& world, double dt, std::size_t contacts);

/// Writes the problem of the step that follows world.step: step_000001000-nc-57.hdf5, named after the step and the
/// number of contacts. \param impulses  at the start: its guess \throws IoError
template <int D>
void dump(const DumpOptions& options, const World& world, double dt, coulomb::DelassusProblem<D> contacts,
          std::span<const coulomb::Vec<D>> impulses);

}  // namespace scree::nonsmooth
