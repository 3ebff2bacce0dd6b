#include "scree/plugin/plugin.hpp"

#include "law_options.hpp"
#include "liquid_films.hpp"

SCREE_PLUGIN(compliant, "1.0.0") {
  registrar.law("linear", scree::compliant::make_linear);
  registrar.law("power-law", scree::compliant::make_power_law);
  registrar.law("lennard-jones", scree::compliant::make_lennard_jones);
  registrar.law("hertz-mindlin", scree::compliant::make_hertz_mindlin);
  registrar.modifier("liquid-films", [](const scree::Options& options) {
    return std::make_unique<scree::compliant::LiquidFilms>(options);
  });
}
