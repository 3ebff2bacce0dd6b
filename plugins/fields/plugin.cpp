#include "scree/plugin/plugin.hpp"

#include "fields.hpp"

SCREE_PLUGIN(fields, "1.0.0") {
  registrar.observer("fields",
                     [](const scree::Options& options) { return std::make_unique<scree::fields::Fields>(options); });
}
