// A shape for scree. radius() is all the geometry there is: mass, outline, boundary nodes and signed distance follow
// from it. This one is an ellipse; put your own outline in its place.

#include "@name@.hpp"

#include <scree/plugin/plugin.hpp>

#include <cmath>

namespace @name@ {

Outline::Outline(double a, double b, double thickness) : a_(a), b_(b) {
  scree::RadialSettings settings;
  settings.thickness = thickness;
  derive(settings);
}

double Outline::radius(double theta) const { return a_ * b_ / std::hypot(b_ * std::cos(theta), a_ * std::sin(theta)); }

}  // namespace @name@

SCREE_PLUGIN(@name@, "0.1.0") {
  registrar.shape("@name@", [](const scree::Options& o) {
    return std::make_shared<@name@::Outline>(o.number("a"), o.number("b"), o.number("thickness"));
  });
}
