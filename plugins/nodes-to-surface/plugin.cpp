#include "scree/plugin/plugin.hpp"

#include "nodes_to_surface.hpp"

SCREE_PLUGIN(nodes_to_surface, "1.0.0") {
  registrar.detector("nodes-to-surface",
                     [](const scree::Options&) { return std::make_unique<scree::nodes_to_surface::NodesToSurface>(); });
}
