#include "law_options.hpp"

#include <fmt/format.h>

#include <cmath>
#include <numbers>
#include <utility>

#include "elastic_law.hpp"
#include "hertz_mindlin_law.hpp"
#include "restitution.hpp"
#include "termed_law.hpp"

namespace scree::compliant {

namespace {

RollingParameters rolling_of(const Options& law, int dimension) {
  RollingParameters p;
  if (!law.has("rolling")) return p;
  const Options options = law.object("rolling");
  const bool constant = options.text("model") == "constant";
  if (constant)
    for (const char* const key : {"stiffness", "damping"})
      if (options.has(key))
        throw OptionError(fmt::format("/rolling/{}", key),
                          fmt::format("the model \"constant\" has no spring, so no {}. Drop it, or choose \"model\": "
                                      "\"elastic-plastic\".",
                                      key));
  p.model = constant ? RollingParameters::Model::constant : RollingParameters::Model::elastic_plastic;
  p.friction = options.number("friction");
  p.stiffness_factor = options.number_or("stiffness", dimension == 2 ? 3 : 2.25);  // Ai et al. 2011, section 2.3
  p.damping_ratio = options.number_or("damping", 0.3);
  return p;
}

struct Cohesion {
  PullParameters pull;
  double jkr = 0;       ///< work of adhesion [J/m^2]
  double crossing = 0;  ///< energy density of "sjkr" [J/m^3]
};

Cohesion cohesion_of(const Options& law) {
  Cohesion c;
  if (!law.has("cohesion")) return c;
  const Options options = law.object("cohesion");
  const std::string model = options.text("model");
  const std::pair<const char*, const char*> strengths[] = {
      {"force", "[N]"}, {"energy_density", "[J/m^3]"}, {"work_of_adhesion", "[J/m^2]"}};
  const auto& [needed, unit] = strengths[model == "constant" ? 0 : model == "sjkr" ? 1 : 2];
  if (!options.has(needed))
    throw OptionError("/cohesion", fmt::format("the model \"{}\" needs \"{}\" {}. Add it.", model, needed, unit));
  for (const auto& [other, of_other] : strengths)
    if (other != needed && options.has(other))
      throw OptionError(fmt::format("/cohesion/{}", other),
                        fmt::format("the model \"{}\" takes \"{}\" instead. Drop \"{}\".", model, needed, other));
  const double strength = options.number(needed);
  if (model == "constant") c.pull.constant = strength;
  if (model == "dmt") c.pull.per_radius = dmt_pull_off(strength, 1);
  if (model == "jkr") c.jkr = strength;
  if (model == "sjkr") c.crossing = strength;
  return c;
}

/// \param ratio  k2/k1 that the law's own option gives
Plasticity plasticity_of(const Options& options, double ratio, const std::string& option) {
  if (!(ratio > 1))
    throw OptionError("/plasticity/" + option,
                      fmt::format("unloading is {:g} times as stiff as loading. It must be stiffer: give more than {}.",
                                  ratio, option == "unloading_ratio" ? "1" : "normal_stiffness"));
  if (options.has("adhesion_exponent") && !options.has("adhesion_stiffness"))
    throw OptionError("/plasticity/adhesion_exponent",
                      "without \"adhesion_stiffness\" nothing sticks. Add that, or drop the exponent.");
  return {ratio, options.number_or("adhesion_stiffness", 0), options.number_or("adhesion_exponent", 1)};
}

Liquid liquid_of(const Options& law) {
  Liquid l;
  if (!law.has("liquid")) return l;
  const Options options = law.object("liquid");
  l.tension = options.number("surface_tension");
  l.angle = options.number_or("contact_angle", 0) * std::numbers::pi / 180;
  l.volume = options.number("volume");
  l.films = options.has("supply") && options.text("supply") == "films";
  if (l.films) l.volume = largest_bridge(l.volume);
  l.viscosity = options.number_or("viscosity", 0);
  l.roughness = options.number_or("roughness", 0);
  if (l.viscosity > 0 && !(l.roughness > 0))
    throw OptionError("/liquid",
                      "viscous forces grow without bound as surfaces meet. Add \"roughness\" [m], the gap below "
                      "which they grow no more: some 1e-3 of a radius.");
  if (options.has("roughness") && l.viscosity == 0)
    throw OptionError("/liquid/roughness", "only viscous forces depend on it. Add \"viscosity\" [Pa s], or drop it.");
  return l;
}

double twisting_of(const Options& law, int dimension) {
  if (!law.has("twisting")) return 0;
  if (dimension == 2)
    throw OptionError("/twisting", "bodies in the plane do not turn about the normal of a contact. Drop it.");
  return law.object("twisting").number("friction");
}

/// All terms but plasticity.
Terms terms_of(const Options& law, const Cohesion& cohesion, int dimension) {
  Terms terms;
  terms.crossing_pull = cohesion.crossing;
  terms.liquid = liquid_of(law);
  terms.twisting_friction = twisting_of(law, dimension);
  return terms;
}

/// A material's property, or the law's own for both sides.
/// \param missing  value that says that the material has none
double elastic(const Options& law, const char* key, const MaterialEntry& material, double value, double missing) {
  if (law.has(key)) return law.number(key);
  if (value != missing) return value;
  const bool stiffness = std::string_view(key) == "youngs_modulus";
  throw OptionError("",
                    fmt::format("material \"{}\" has no {}, which law \"hertz-mindlin\" needs. Add it in "
                                "/materials/{}{}, or give \"{}\" in this law for both sides.",
                                material.name, key, material.name,
                                stiffness ? " (a wall that does not deform: \"youngs_modulus\": \"rigid\")" : "", key));
}

Elasticity<double> elasticity_of(const Options& law, const LawContext& context) {
  double young[2], poisson[2];
  for (const int side : {0, 1}) {
    const MaterialEntry& material = side == 0 ? context.a : context.b;
    young[side] = elastic(law, "youngs_modulus", material, material.youngs_modulus, 0);
    poisson[side] = std::isinf(young[side]) ? 0 : elastic(law, "poisson_ratio", material, material.poisson_ratio, -1);
  }
  if (std::isinf(young[0]) && std::isinf(young[1]))
    throw OptionError("", fmt::format("materials \"{}\" and \"{}\" are both rigid, so that their contact has no "
                                      "stiffness. Give one of them a youngs_modulus [Pa] in /materials, or give "
                                      "\"youngs_modulus\" and \"poisson_ratio\" in this law for both sides.",
                                      context.a.name, context.b.name));
  return elasticity(young[0], poisson[0], young[1], poisson[1]);
}

/// \param stiffness  k_t where the scene gives none [N/m]
TangentialParameters tangential_of(const Options& law, double stiffness) {
  using Model = TangentialParameters::Model;
  TangentialParameters p;
  const std::string name = law.text("tangential");
  p.model = name == "none" ? Model::none : name == "viscous" ? Model::viscous : Model::spring;
  p.stiffness = law.number_or("tangential_stiffness", stiffness);
  p.damping = law.number("tangential_damping");
  p.friction = law.number("friction");
  return p;
}

}  // namespace

std::unique_ptr<ContactLaw> make_linear(const Options& options, const LawContext& context) {
  LinearSpring spring;
  spring.stiffness = options.number("normal_stiffness");
  if (options.has("restitution") && options.has("normal_damping"))
    throw OptionError("/restitution",
                      "normal_damping is given too, and either decides the other. Keep one of the two.");
  spring.damping = options.number_or("normal_damping", 0);
  if (options.has("restitution")) spring.damping_ratio = clipped_damping_ratio(options.number("restitution"));
  const Cohesion cohesion = cohesion_of(options);
  Terms terms = terms_of(options, cohesion, context.dimension);
  if (options.has("plasticity")) {
    const Options plastic = options.object("plasticity");
    terms.plasticity =
        plasticity_of(plastic, plastic.number("unloading_stiffness") / spring.stiffness, "unloading_stiffness");
  }
  return with_terms(LinearLaw(spring, tangential_of(options, spring.stiffness / 2), context.dimension,
                              rolling_of(options, context.dimension), cohesion.pull),
                    terms);
}

std::unique_ptr<ContactLaw> make_power_law(const Options& options, const LawContext& context) {
  PowerSpring spring;
  spring.stiffness = options.number("stiffness");
  spring.exponent = options.number("exponent");
  spring.damping = options.number("normal_damping");
  spring.typical_speed = options.number("typical_speed");
  const TangentialParameters tangential = tangential_of(options, 0);
  using Model = TangentialParameters::Model;
  if (tangential.model != Model::none && tangential.friction > 0 && tangential.stiffness == 0)
    throw OptionError(
        "/friction",
        "friction needs \"tangential_stiffness\" [N/m], which this law cannot guess: the normal stiffness "
        "changes with the overlap. Add it, or drop the friction.");
  return std::make_unique<PowerLaw>(spring, tangential, context.dimension);
}

std::unique_ptr<ContactLaw> make_lennard_jones(const Options& options, const LawContext& context) {
  LennardJonesSpring spring;
  LennardJones<double>& p = spring.potential;
  p.depth = options.number("well_depth");
  p.distance = options.number("distance");
  p.range = options.number_or("range", 1.5 * p.distance);
  spring.typical_speed = options.number("typical_speed");
  return std::make_unique<LennardJonesLaw>(spring, tangential_of(options, p.stiffness() / 2), context.dimension);
}

std::unique_ptr<ContactLaw> make_hertz_mindlin(const Options& options, const LawContext& context) {
  const Cohesion cohesion = cohesion_of(options);
  HertzMindlinParameters p;
  p.elasticity = elasticity_of(options, context);
  p.damping_ratio = clipped_damping_ratio(options.number("restitution"));
  p.friction = options.number("friction");
  p.tangential_damping = options.number("tangential_damping");
  p.typical_speed = options.number("typical_speed");
  p.adhesion = cohesion.jkr;
  p.largest_radius = context.largest_radius;
  if (options.has("youngs_modulus")) p.youngs_modulus = options.number("youngs_modulus");
  if (options.has("poisson_ratio")) p.poisson_ratio = options.number("poisson_ratio");
  Terms terms = terms_of(options, cohesion, context.dimension);
  if (options.has("plasticity")) {
    const Options plastic = options.object("plasticity");
    terms.plasticity = plasticity_of(plastic, plastic.number("unloading_ratio"), "unloading_ratio");
  }
  if (cohesion.jkr > 0 && terms.any())
    throw OptionError("/cohesion/model",
                      "\"jkr\" has a force of its own for the whole contact, which plasticity, liquid and twisting do "
                      "not fit. Take \"dmt\" or \"sjkr\", or drop those.");
  return with_terms(HertzMindlinLaw(p, context.dimension, rolling_of(options, context.dimension), cohesion.pull),
                    terms);
}

}  // namespace scree::compliant
