#include "scree/scene/scene.hpp"

namespace scree {

std::vector<NamedMethod> named_methods(const Scene& scene) {
  std::vector<NamedMethod> named;
  for (const ShapeDef& shape : scene.shapes) named.push_back({"shape", &shape.object});
  for (const BodiesDef& bodies : scene.bodies)
    if (bodies.packing) named.push_back({"packing", &*bodies.packing});
  for (const InteractionDef& interaction : scene.interactions) {
    named.push_back({"detector", &interaction.detector});
    named.push_back({"law", &interaction.law});
  }
  for (const BondsDef& bonds : scene.bonds) named.push_back({"bond-law", &bonds.law});
  named.push_back({"integrator", &scene.integrator});
  for (const HookDef& hook : scene.modifiers) named.push_back({"modifier", &hook.object});
  for (const HookDef& hook : scene.observers) named.push_back({"observer", &hook.object});
  return named;
}

}  // namespace scree
