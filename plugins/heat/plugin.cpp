#include "scree/plugin/plugin.hpp"

#include "heat.hpp"

SCREE_PLUGIN(heat, "1.0.0") {
  registrar.modifier("heat",
                     [](const scree::Options& options) { return std::make_unique<scree::heat::Heat>(options); });
}
