#pragma once
/// \file The scenes of examples/, run with culling and as full DEM.

#include "one_thread.hpp"
#include "scenes_of_granules.hpp"
#include "scree/output/atomic_file.hpp"

namespace scree::culling::test {

using scree::test::OneThread;

/// A scene of examples/ with its inside stored, or all of it computed.
inline Running example(const std::string& name, bool culled, std::vector<std::string> sets = {}) {
  sets.insert(sets.end(), {"/output/writers=[]", culled ? "/run/duration=100" : "/hooks=[]"});
  return Running(read_file(std::string(SCREE_EXAMPLES "/") + name + "/scene.json"), sets);
}

/// Rows of the granules that are not stored: those of the first entry of bodies, without the bodies that aggregates
/// are.
inline std::vector<std::size_t> granule_rows(const World& world) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < world.size(); ++i)
    if (world.group.read()[i] == 0 && world.radius.read()[i] > 0) rows.push_back(i);
  return rows;
}

/// 0 where there is no culling.
inline double share_stored(Running& run, std::size_t granules) {
  const auto& figures = run.world().metrics();
  const auto stored = figures.find("culling_stored");
  return stored == figures.end() ? 0 : stored->second / static_cast<double>(granules);
}

/// Takes bodies out of the run.
inline void remove(Running& run, const std::vector<Id>& ids) {
  if (ids.empty()) return;
  run.world().remove(ids);
  run.prepared.methods.integrator->edited(run.world(), run.world().take_edits());
  mechanics_of(run.prepared).refresh();
}

}  // namespace scree::culling::test
