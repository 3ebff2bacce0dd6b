#include <scree/plugin/plugin.hpp>

#include "make_shape.hpp"
#include "vertex_edge.hpp"

SCREE_PLUGIN(spheropolygon, "1.0.0") {
  using namespace scree;
  registrar.shape("spheropolygon", spheropolygon::make_spheropolygon);
  registrar.shape("chain", spheropolygon::make_chain);
  registrar.detector("vertex-edge", [](const Options& o) {
    return std::make_unique<spheropolygon::VertexEdge>(spheropolygon::VertexEdgeOptions{
        static_cast<int>(o.integer("corner_weight")), o.number_or("delta_allow", 0), o.number_or("alpha", 0)});
  });
}
