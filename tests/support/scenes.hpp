#pragma once
/// \file Scenes written in a test, run in its own process with the built plugins.

#include <cstdlib>
#include <string>
#include <vector>

#include "mechanics_of.hpp"
#include "scree/base/error.hpp"
#include "scree/plugin/registry.hpp"
#include "scree/setup/setup.hpp"

namespace scree::test {

/// All plugins of the build (the environment of the tests names their folder).
inline const Registry& plugins() {
  static const Registry& registry = *[] {
    auto* r = new Registry;
    r->load(default_plugin_search());
    for (const PluginFailure& failure : r->failures()) throw Error(failure.message);
    return r;
  }();
  return registry;
}

/// A scene and what was made from it.
struct Running {
  Scene scene;
  std::unique_ptr<Prepared> made;
  Prepared& prepared = *made;

  /// \param sets  values changed as by --set: "/integrator/dt=1e-6"
  explicit Running(const std::string& json, const std::vector<std::string>& sets = {})
      : scene(parse_scene("test.json", json, SceneInputs{plugins().scene_schema(), sets, {}, {"/"}, "/"})),
        made(prepare(scene, plugins())) {
    mechanics_of(prepared).refresh();
    world().take_edits();
  }
  World& world() { return *prepared.world; }
  double dt() const { return prepared.clock.dt; }  ///< [s]
  void steps(std::uint64_t n) {
    World& w = world();
    for (std::uint64_t s = 0; s < n; ++s) {
      modify();
      prepared.methods.integrator->step(mechanics_of(prepared), dt());
      w.time = static_cast<double>(++w.step) * dt();
    }
  }

 private:
  /// Modifiers that are due, such as gates that vanish. They see no contacts.
  void modify() {
    bool any = false;
    for (auto& m : prepared.modifiers) {
      if (!m.schedule.due(world().step, dt())) continue;
      m.modifier->apply(world(), nullptr, mechanics_of(prepared));
      any = true;
    }
    if (!any) return;
    prepared.methods.integrator->edited(world(), world().take_edits());
    mechanics_of(prepared).refresh();
  }
};

}  // namespace scree::test
