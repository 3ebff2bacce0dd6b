/// \file Dry run of observers, which finds their faults before a run begins.

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "scree/setup/detail/set_up.hpp"

namespace scree {

namespace {

/// Returns the folder of the environment if it exists, else the system's.
std::filesystem::path folder_of_temporary_files() {
  std::error_code error;
  const std::filesystem::path folder = std::filesystem::temp_directory_path(error);
  return error ? std::filesystem::path("/tmp") : folder;
}

}  // namespace

double dry_run_observers(const Scene& scene, const Registry& registry, const Prepared& prepared, double duration,
                         std::span<const std::vector<std::byte>* const> states) {
  if (scene.observers.empty()) return 0;
  std::string folder = (folder_of_temporary_files() / "scree_dry_run_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return 0;  // the fault is reported when the run begins
  const struct Removal {
    const std::string& folder;
    ~Removal() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  } removal{folder};
  double bytes = 0;
  for (std::size_t k = 0; k < scene.observers.size(); ++k) {
    const HookDef& def = scene.observers[k];
    try {
      detail::made(scene, def.object, [&] {
        const auto observer = registry.observer(def.object.type)(def.object.options);
        observer->begin(*prepared.world, folder);
        bytes += observer->plan(*prepared.world, prepared.observers[k].frames_until(duration, prepared.clock.dt));
        if (k >= states.size()) return true;
        observer->resume(0);
        if (states[k]) observer->load(*states[k]);
        return true;
      });
    } catch (const InputError& e) {
      const std::string place = scene.where(def.object.options.pointer());
      throw InputError(std::string(e.what()).starts_with(place) ? e.what() : place + ": " + e.what());
    }
  }
  return bytes;
}

}  // namespace scree
