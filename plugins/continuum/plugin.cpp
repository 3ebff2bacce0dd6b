#include "scree/plugin/plugin.hpp"

#include <fmt/format.h>

#include "granular_continuum.hpp"
#include "material_point.hpp"
#include "scree/base/error.hpp"

namespace scree::continuum {
namespace {

std::unique_ptr<Shape> make_point(const scree::Options& options, const ShapeContext& context) {
  return std::make_unique<MaterialPoint>(context.dimension, options.number("spacing"), options.number("fraction"));
}

/// Returns the friction of a boundary. A sticking one has friction that nothing overcomes; it still lets go.
double friction_of(const scree::Options& boundary) {
  constexpr double kSticks = 1e3;
  const scree::Options friction = boundary.object("friction");
  if (friction.is_number()) return friction.as_number();
  return friction.as_text() == "stick" ? kSticks : 0;
}

FrictionLaw friction_law(const scree::Options& friction) {
  if (friction.is_number()) return {friction.as_number(), friction.as_number()};
  const FrictionLaw law{friction.number("static"), friction.number("dynamic"), friction.number("I0"),
                        friction.number("diameter")};
  if (law.fast < law.at_rest)
    throw OptionError(
        "/friction/dynamic",
        fmt::format("{:.6g} is less than static, {:.6g}: flow would run away from rest. Give at least that.", law.fast,
                    law.at_rest));
  return law;
}

FluidLaw fluid_law(const scree::Options& fluid) {
  return {fluid.number("density"), fluid.number("viscosity"), fluid.number("diameter")};
}

std::unique_ptr<Integrator> make_granular_continuum(const scree::Options& options) {
  ContinuumOptions o;
  o.cell = options.number("cell");
  o.step.friction = friction_law(options.object("friction"));
  o.step.cohesion = options.number("cohesion");
  if (o.step.cohesion > 0 && o.step.friction.at_rest == 0)
    throw OptionError("/cohesion",
                      "there is no cohesion without friction: tension is held up to cohesion / friction. "
                      "Give friction a value above 0.");
  o.step.viscosity = options.number("viscosity");
  if (options.has("fluid")) o.step.fluid = fluid_law(options.object("fluid"));
  o.step.max_fraction = options.number("max_fraction");
  o.step.volume_rate = options.number("volume_rate");
  if (options.has("tolerance")) o.step.solver.tolerance = o.step.tolerance_with_bodies = options.number("tolerance");
  o.step.solver.max_sweeps = static_cast<int>(options.integer("max_sweeps"));
  for (const scree::Options& boundary : options.objects("boundaries"))
    o.boundaries.push_back({boundary.text("material"), friction_of(boundary)});
  o.most_unconverged = static_cast<int>(options.integer("max_unconverged_steps"));
  o.grains = static_cast<int>(options.integer("grains"));
  return std::make_unique<GranularContinuum>(o);
}

}  // namespace
}  // namespace scree::continuum

SCREE_PLUGIN(continuum, "1.0.0") {
  registrar.shape("material-point", scree::continuum::make_point);
  registrar.integrator("granular-continuum", scree::continuum::make_granular_continuum);
}
