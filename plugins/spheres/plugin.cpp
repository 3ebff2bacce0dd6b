#include <scree/plugin/plugin.hpp>

#include "make_body.hpp"
#include "sphere_sphere.hpp"
#include "sphere_surface.hpp"

SCREE_PLUGIN(spheres, "1.0.0") {
  using namespace scree;
  registrar.shape("sphere", SceneShapeFactory(spheres::make_sphere));
  registrar.shape("clump", SceneShapeFactory(spheres::make_clump));
  registrar.detector("sphere-sphere", [](const Options&) { return std::make_unique<spheres::SphereSphere>(); });
  registrar.detector("sphere-surface", [](const Options&) { return std::make_unique<spheres::SphereSurface>(); });
  registrar.detector("vertex-wall", [](const Options&) {
    return std::make_unique<spheres::SphereSurface>(spheres::Pairing::vertices_with_walls);
  });
}
