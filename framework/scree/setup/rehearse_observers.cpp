/// \file What observers have against a scene is heard before a run begins.

#include <stdlib.h>

#include <filesystem>
#include <string>

#include "scree/setup/detail/set_up.hpp"

namespace scree {

void rehearse_observers(const Scene& scene, const Registry& registry, const Prepared& prepared) {
  if (scene.observers.empty()) return;
  std::string folder = (std::filesystem::temp_directory_path() / "scree_rehearsal_XXXXXX").string();
  if (::mkdtemp(folder.data()) == nullptr) return;  // what is wrong will be told when the run begins
  const struct Removal {
    const std::string& folder;
    ~Removal() {
      std::error_code ignored;
      std::filesystem::remove_all(folder, ignored);
    }
  } removal{folder};
  for (const HookDef& def : scene.observers) {
    try {
      detail::made(scene, def.object, [&] {
        registry.observer(def.object.type)(def.object.options)->begin(*prepared.world, folder);
        return true;
      });
    } catch (const InputError& e) {
      const std::string place = scene.where(def.object.options.pointer());
      throw InputError(std::string(e.what()).starts_with(place) ? e.what() : place + ": " + e.what());
    }
  }
}

}  // namespace scree
