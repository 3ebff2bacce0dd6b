#include "problem_dump.hpp"

#include <fmt/format.h>

#include <utility>

#include "solvers/fclib/write.hpp"
#include "scree/base/error.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::nonsmooth {

void check_dump(const DumpOptions& options, const World& world) {
  if (options.folder.empty() || options.bonds || world.bonds().size() == 0) return;
  throw OptionError(
      "/dump", fmt::format("files of FCLib hold contacts alone, and the scene has joints ({}). Remove the dump, or "
                           "the bonds of law \"ball-joint\". Implicit bonds, as of elastic-rod, may be part of W: set "
                           "\"bonds\": true in it.",
                           world.bonds().size()));
}

void check_dump(const DumpOptions& options, std::size_t joints) {
  if (!options.folder.empty() && joints > 0)
    throw NumericalError("/integrator/dump: files of FCLib hold no joints of law \"ball-joint\". Remove the dump.");
}

bool dump_is_due(const DumpOptions& options, const World& world, double dt, std::size_t contacts) {
  return !options.folder.empty() && contacts > 0 && options.schedule.due(world.step, dt);
}

template <int D>
void dump(const DumpOptions& options, const World& world, double dt, coulomb::DelassusProblem<D> contacts,
          std::span<const coulomb::Vec<D>> impulses) {
  const std::size_t count = contacts.size();
  fclib::Problem<D> problem;
  problem.contacts = std::move(contacts);
  problem.info = {"contacts of one time step",
                  fmt::format("time {:.9g} s, dt {:.9g} s, {} bodies", world.time, dt, world.size()),
                  "u = W r + q; per contact the normal, then tangents; impulses [N s], velocities [m/s]"};
  fclib::Iterate start;
  for (const coulomb::Vec<D>& r : impulses) start.r.insert(start.r.end(), r.begin(), r.end());
  start.u.assign(start.r.size(), 0);
  problem.guesses.push_back(std::move(start));
  prepare_folder(options.folder);
  try {
    fclib::write(options.folder / fmt::format("step_{:09}-nc-{}.hdf5", world.step + 1, count), problem);
  } catch (const fclib::Error& e) {
    throw IoError(e.what());
  }
}

template void dump<2>(const DumpOptions&, const World&, double, coulomb::DelassusProblem<2>,
                      std::span<const coulomb::Vec<2>>);
template void dump<3>(const DumpOptions&, const World&, double, coulomb::DelassusProblem<3>,
                      std::span<const coulomb::Vec<3>>);

}  // namespace scree::nonsmooth
