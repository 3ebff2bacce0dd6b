#include "scree/plugin/plugin.hpp"
#include "deforming_cell.hpp"

SCREE_PLUGIN(deforming_cell, "1.0.0") {
  using namespace scree;
  registrar.modifier("deforming-cell", [](const Options& options) {
    return std::make_unique<deforming_cell::DeformingCell>(deforming_cell::read_settings(options));
  });
}
