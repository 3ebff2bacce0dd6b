#include "scree/plugin/plugin.hpp"

#include "gear.hpp"
#include "rk4.hpp"

SCREE_PLUGIN(higher_order, "1.0.0") {
  using namespace scree::higher_order;
  registrar.integrator(
      "rk4", [](const scree::Options& options) { return std::make_unique<Rk4>(options.boolean("exact_springs")); });
  registrar.integrator("gear", [](const scree::Options& options) {
    return std::make_unique<Gear>(static_cast<int>(options.integer("values")), options.boolean("velocity_forces"));
  });
}
