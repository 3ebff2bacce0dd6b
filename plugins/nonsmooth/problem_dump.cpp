#include "problem_dump.hpp"

#include <fmt/format.h>

#include "coulomb/assemble.hpp"
#include "fclib/write.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::nonsmooth {

void check_dump(const DumpOptions& options, const World& world) {
  if (options.folder.empty() || world.bonds().size() == 0) return;
  throw OptionError("/dump", fmt::format("files of FCLib hold contacts alone, and the scene has joints ({}). Remove the "
                                         "dump, or the bonds of law \"ball-joint\".",
                                         world.bonds().size()));
}

template <int D>
void dump_if_due(const DumpOptions& options, const World& world, double dt, const StepProblem<D>& step) {
  if (options.folder.empty()) return;
  if (step.problem.size() == 0 || !options.schedule.due(world.step, dt)) return;
  fclib::Problem<D> problem;
  problem.contacts = coulomb::assemble(step.problem);
  problem.info = {"contacts of one time step",
                  fmt::format("time {:.9g} s, dt {:.9g} s, {} bodies", world.time, dt, world.size()),
                  "u = W r + q; per contact the normal, then tangents; impulses [N s], velocities [m/s]"};
  fclib::Iterate start;
  for (const coulomb::Vec<D>& r : step.impulses) start.r.insert(start.r.end(), r.begin(), r.end());
  start.u.assign(start.r.size(), 0);
  problem.guesses.push_back(std::move(start));
  prepare_folder(options.folder);
  try {
    fclib::write(options.folder / fmt::format("step_{:09}-nc-{}.hdf5", world.step + 1, step.problem.size()), problem);
  } catch (const fclib::Error& e) {
    throw IoError(e.what());
  }
}

template void dump_if_due<2>(const DumpOptions&, const World&, double, const StepProblem<2>&);
template void dump_if_due<3>(const DumpOptions&, const World&, double, const StepProblem<3>&);

}  // namespace scree::nonsmooth
