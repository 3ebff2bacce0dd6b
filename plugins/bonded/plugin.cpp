#include "scree/plugin/plugin.hpp"

#include <fmt/format.h>

#include "law/bonded_beam.hpp"
#include "packing/tetrahedra.hpp"
#include "scree/shape/facets.hpp"
#include "step/variational.hpp"

namespace scree::bonded {
namespace {

void set_stiffness(const Options& options, BondedBeamOptions& o) {
  o.per_area = options.has("normal_stiffness");
  if (o.per_area == options.has("youngs_modulus"))
    throw OptionError("",
                      std::string(o.per_area ? "has both" : "has neither") +
                          " \"youngs_modulus\" [Pa] and \"normal_stiffness\" [Pa/m]. Give one of the two: the first "
                          "of a beam, the second of a parallel bond, whose stiffness does not depend on its length.");
  if (options.has("shear_stiffness") && !o.per_area)
    throw OptionError("/shear_stiffness",
                      "goes with \"normal_stiffness\". Remove it, and say \"shear_ratio\" beside \"youngs_modulus\".");
  o.youngs_modulus = options.number(o.per_area ? "normal_stiffness" : "youngs_modulus");
  o.shear_modulus = options.number_or("shear_stiffness", options.number("shear_ratio") * o.youngs_modulus);
}

std::unique_ptr<BondLaw> make_bonded_beam(const Options& options, const BondLawContext& context) {
  BondedBeamOptions o;
  set_stiffness(options, o);
  if (context.dimension == 2) o.thickness = options.number("thickness");
  o.scatter = options.number("strength_scatter");
  o.seed = static_cast<std::uint64_t>(options.integer("seed"));
  o.tensile_strength = options.number_or("tensile_strength", o.tensile_strength);
  o.shear_strength = options.number_or("shear_strength", o.shear_strength);
  if (options.boolean("paper_exact")) o.form = FractureForm::paper_exact;
  return std::make_unique<BondedBeam>(o);
}

Scheme scheme(const std::string& name) {
  if (name == "midpoint") return Scheme::midpoint;
  if (name == "bdf2") return Scheme::bdf2;
  if (name == "sdirk2") return Scheme::sdirk2;
  return Scheme::backward_euler;
}

std::unique_ptr<Integrator> make_variational(const Options& options) {
  VariationalOptions o;
  o.scheme = scheme(options.text("scheme"));
  o.minimise.tolerance = options.number("tolerance");
  o.minimise.max_iterations = static_cast<int>(options.integer("max_iterations"));
  o.linear_solver = options.text("linear_solver");
  if (o.linear_solver == "cholmod" && !cholmod_cholesky())
    throw OptionError("/linear_solver",
                      "this build has no CHOLMOD (its supernodal part is under the GPL). Configure with "
                      "-DSCREE_CHOLMOD=ON, or choose \"auto\".");
  o.resolve_breaks = static_cast<int>(options.integer("resolve_breaks"));
  o.friction_speed = options.number("friction_speed");
  o.fracture_dt = options.number_or("fracture_dt", 0);
  o.energy_tolerance = options.number("energy_tolerance");
  if (o.fracture_dt > 0 && o.scheme != Scheme::sdirk2)
    throw OptionError("/fracture_dt", fmt::format("\"{}\" loses energy in every step, or makes none shorter: only "
                                                  "\"sdirk2\" divides steps. Set \"scheme\" to \"sdirk2\", or leave "
                                                  "fracture_dt out and lower dt.",
                                                  options.text("scheme")));
  return std::make_unique<Variational>(o);
}

/// \throws OptionError unless every shape is a sphere: scaled to an element's volume, it stands for its mass and its
/// contacts.
void check_spheres(const std::vector<ShapeEntry>& shapes) {
  for (const ShapeEntry& entry : shapes) {
    const auto* const spheres = facet<SphereSet>(*entry.shape);
    if (spheres && spheres->radii().size() == 1) continue;
    throw OptionError(
        "", fmt::format("a tetrahedron is a body whose shape is a sphere of its volume; shape \"{}\" {}. Give the "
                        "bodies a shape of type \"sphere\", of any radius.",
                        entry.name,
                        spheres ? fmt::format("is made of {} spheres", spheres->radii().size()) : "is no sphere"));
  }
}

/// A body per element: the entry's sphere, scaled to the element's volume.
Packed pack_tetrahedra(const Options& options, const PackingContext& context) {
  check_spheres(context.shapes);
  PlacedElements placed = read_tetrahedra(options, context.dimension, context.seed);
  Elements& elements = placed.elements;
  Packed packed;
  for (std::size_t i = 0; i < elements.size(); ++i) {
    Placement& place = packed.places.emplace_back();
    place.position = elements.centroid[i];
    place.orientation = Quat::Identity();
    place.scale = radius_of(elements.volume[i]) / context.bounding_radius;
  }
  for (const SharedSide& side : elements.shared) packed.shared_faces.push_back({side.a, side.b, side.area});
  if (!elements.tetrahedron.empty())
    packed.columns.push_back({kTetrahedronColumn, "m", 12, std::move(elements.tetrahedron)});
  packed.notes = std::move(placed.notes);
  return packed;
}

}  // namespace
}  // namespace scree::bonded

SCREE_PLUGIN(bonded, "1.0.0") {
  registrar.bond_law("bonded-beam", scree::bonded::make_bonded_beam);
  registrar.packing("tetrahedra", scree::bonded::pack_tetrahedra);
  registrar.integrator("variational", scree::bonded::make_variational);
}
