#include <scree/plugin/plugin.hpp>

#include "make_shape.hpp"
#include "vertex_face.hpp"

SCREE_PLUGIN(spheropolyhedron, "1.0.0") {
  using namespace scree;
  using namespace scree::spheropolyhedron;
  registrar.shape("spheropolyhedron", make_spheropolyhedron);
  registrar.detector("vertex-face", [](const Options& options) {
    return std::make_unique<VertexFace>(Partner::polyhedra, options.number_or("alpha", 0));
  });
  registrar.detector("sphere-face", [](const Options& options) {
    return std::make_unique<VertexFace>(Partner::round, options.number_or("alpha", 0));
  });
}
