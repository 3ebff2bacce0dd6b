#include <fmt/format.h>

#include <cmath>

#include "bond/elastic_rod.hpp"
#include "scree/plugin/plugin.hpp"

namespace scree::rods {

namespace {

/// Returns the value of the two materials, if they agree or one has none. \param unset  value of a material that has
/// none
double common(double a, double b, double unset, const char* option, const std::string& name) {
  if (a == unset || a == b) return b;
  if (b == unset) return a;
  throw OptionError(
      "", fmt::format("the materials joined differ in {}: {:g} and {:g}. Say \"{}\" here.", name, a, b, option));
}

Section section_of(const Options& given) {
  const std::vector<double> bend = given.numbers("EI");
  return {given.number("EA"), {bend[0], bend.size() > 1 ? bend[1] : bend[0]}, given.number("GJ")};
}

void read_moduli(const Options& options, const BondLawContext& context, ElasticRodOptions& o) {
  const double young = options.number_or(
      "youngs_modulus", options.has("youngs_modulus") ? 0
                                                      : common(context.a.youngs_modulus, context.b.youngs_modulus, 0,
                                                               "youngs_modulus", "Young's modulus"));
  if (!(young > 0) || !std::isfinite(young))
    throw OptionError("",
                      "needs Young's modulus. Give \"youngs_modulus\" [Pa] here or in the material, or \"stiffness\".");
  o.youngs_modulus = young;
  if (options.has("shear_modulus")) {
    o.shear_modulus = options.number("shear_modulus");
    return;
  }
  const double ratio = common(context.a.poisson_ratio, context.b.poisson_ratio, -1, "shear_modulus", "Poisson's ratio");
  if (!(ratio > -1))
    throw OptionError(
        "", "needs the shear modulus. Give \"shear_modulus\" [Pa] here, or \"poisson_ratio\" in the material.");
  o.shear_modulus = young / (2 * (1 + ratio));
}

/// "as-placed", "sag-free", "straight", or {curvature, twist}.
void read_rest(const Options& rest, int dimension, ElasticRodOptions& o) {
  if (rest.is_string()) {
    o.sag_free = rest.as_text() == "sag-free";
    o.as_placed = o.sag_free || rest.as_text() == "as-placed";
    return;
  }
  o.as_placed = false;
  const std::vector<double> curvature = rest.numbers("curvature");
  if (dimension == 2 && curvature.size() != 1)
    throw OptionError("/rest/curvature", fmt::format("has {} numbers; a 2D scene takes one.", curvature.size()));
  o.curvature = {curvature[0], curvature.size() > 1 ? curvature[1] : 0, rest.number("twist")};
  if (dimension == 2 && o.curvature.z() != 0)
    throw OptionError("/rest/twist", "is not 0; in the plane nothing twists.");
}

}  // namespace

std::unique_ptr<BondLaw> make_elastic_rod(const Options& options, const BondLawContext& context) {
  ElasticRodOptions o;
  o.dimension = context.dimension;
  if (options.has("stiffness"))
    o.section = section_of(options.object("stiffness"));
  else
    read_moduli(options, context, o);
  read_rest(options.object("rest"), context.dimension, o);
  o.viscosity_time = options.number("viscosity_time");
  o.yield.bending = options.number_or("yield_moment", o.yield.bending);
  o.yield.twist = options.number_or("yield_torque", o.yield.twist);
  if (context.dimension == 2 && options.has("yield_torque"))
    throw OptionError("/yield_torque", "is given; in the plane nothing twists. Leave it out.");
  o.tensile_strength = options.number_or("tensile_strength", o.tensile_strength);
  o.shear_strength = options.number_or("shear_strength", o.shear_strength);
  return std::make_unique<ElasticRod>(o);
}

}  // namespace scree::rods
