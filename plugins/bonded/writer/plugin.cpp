#include "scree/plugin/plugin.hpp"

#include "writer/fracture_surface.hpp"

SCREE_PLUGIN(fracture_surface, "1.0.0") {
  registrar.observer("fracture-surface", [](const scree::Options& options) {
    using namespace scree::bonded;
    FractureSurfaceOptions o;
    o.watertight = options.boolean("watertight");
    o.tetrahedra = options.boolean("tetrahedra");
    o.cracks = options.text("cracks") == "broken" ? CrackFaces::broken : CrackFaces::fragments;
    return std::make_unique<FractureSurface>(o);
  });
}
