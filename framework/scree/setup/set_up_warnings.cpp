/// \file Warnings of a scene that can be run, but may not be meant so.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <set>

#include "scree/integrate/integrator.hpp"
#include "scree/law/bond_law.hpp"
#include "scree/setup/detail/set_up.hpp"
#include "scree/setup/fast_bodies.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape_facts.hpp"

namespace scree::detail {

namespace {

bool moves_freely(const BodiesDef& bodies) { return !bodies.fixed && bodies.motions.empty(); }

/// Warns of mixed thickness. In the plane a body's mass is proportional to its shape's option `thickness`, if it has
/// one: two values in one scene are rarely meant.
void warn_of_mixed_thickness(const Scene& scene, Prepared& prepared) {
  if (scene.dimension != 2) return;
  const ShapeDef* first = nullptr;
  for (const ShapeDef& shape : scene.shapes) {
    const auto moves = [&](const BodiesDef& b) { return moves_freely(b) && std::ranges::count(b.shapes, shape.name); };
    if (!shape.object.options.has("thickness") || std::ranges::none_of(scene.bodies, moves)) continue;
    if (!first) first = &shape;
    const double one = first->object.options.number("thickness"), other = shape.object.options.number("thickness");
    if (one == other) continue;
    prepared.warnings.push_back(fmt::format(
        "{}: bodies of shape \"{}\" are {:.6g} m thick, those of shape \"{}\" {:.6g} m, and mass is area times "
        "thickness times density. Give both the same thickness, unless you mean it.",
        scene.where("/shapes/" + shape.name + "/thickness"), shape.name, other, first->name, one));
    return;
  }
}

/// Checks whether the surface is the same after a shift along `axis`, like that of a plane or of a tube without ends.
bool endless_along(const Shape& shape, const Vec3& axis) {
  const auto* const distance = facet<SignedDistance>(shape);
  const Surface surface = shape.surface();
  if (!distance || surface.points.empty() || std::isfinite(shape.bounding_radius())) return false;
  double size = 0;
  for (const Vec3& p : surface.points) size = std::max(size, p.norm());
  std::vector<Vec3> far;
  for (const double way : {-10., 10.})
    for (const Vec3& p : surface.points) far.push_back(p + way * size * axis);
  std::vector<double> d(far.size());
  std::vector<Vec3> gradient(far.size());
  distance->distance(far, d, gradient);
  return std::ranges::all_of(d, [&](double x) { return std::abs(x) < 1e-6 * size; });
}

/// Returns the directions of translations.
std::vector<Vec3> ways_of(const std::vector<Motion>& motions) {
  std::vector<Vec3> ways;
  for (const Motion& m : motions) {
    ways.push_back(m.velocity + 2 * std::numbers::pi * m.frequency * m.amplitude);
    for (const auto* rows : {&m.velocities, &m.displacements})
      for (const MotionRow& row : *rows) ways.push_back(row.value);
  }
  std::erase_if(ways, [](const Vec3& way) { return way.isZero(0); });
  return ways;
}

/// Warns of endless walls. A user who moves a wall along itself expects it to end somewhere, as in pictures.
void warn_of_endless_walls(const Scene& scene, Prepared& prepared) {
  const World& world = *prepared.world;
  std::set<std::uint32_t> told;
  for (const auto& [id, entry] : world.prescribed()) {
    const std::size_t row = *world.row(id);
    const ShapeEntry& shape = world.shapes()[world.shape.read()[row]];
    if (std::ranges::none_of(ways_of(entry.motions), [&](const Vec3& way) {
          return endless_along(*shape.shape, entry.initial.orientation.conjugate() * way.normalized());
        }))
      continue;
    const std::uint32_t group = world.group.read()[row];
    if (!told.insert(group).second) continue;
    prepared.warnings.push_back(fmt::format(
        "{}: \"{}\" moves along its shape \"{}\", which has no end there: it rubs, but never comes off what it "
        "holds, though pictures draw an end. Give the shape a length, or, for a belt, the body a "
        "surface_velocity.",
        scene.where("/bodies"), world.group_names[group], shape.name));
  }
}

void warn_of_no_steps(const Scene& scene, Prepared& prepared) {
  const double dt = prepared.clock.dt;
  if (scene.duration == 0 || std::llround(scene.duration / dt) > 0) return;
  prepared.warnings.push_back(
      fmt::format("{}: {:.6g} s is less than half a step of {:.6g} s (/integrator/dt): no step is made.",
                  scene.where("/run/duration"), scene.duration, dt));
}

/// Warns of walls from files that are smaller than all bodies that move: the file's units are others.
void warn_of_small_walls(const Scene& scene, Prepared& prepared) {
  const World& world = *prepared.world;
  for (std::uint32_t s = 0; s < world.shapes().size(); ++s) {
    const Shape& shape = *world.shapes()[s].shape;
    if (!facet<ShapeFacts>(shape)) continue;
    double wall = 0, smallest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < world.size(); ++i) {
      const bool moves = world.kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic);
      if (world.shape[i] == s && !moves) wall = std::max(wall, world.radius[i]);
      if (moves) smallest = std::min(smallest, world.radius[i]);
    }
    if (wall == 0 || !std::isfinite(smallest) || smallest <= wall) continue;
    prepared.warnings.push_back(fmt::format(
        "{}: the whole wall fits into a sphere of radius {:.3g} m, and the smallest body that moves has one of {:.3g} "
        "m. The units of one of them are wrong, unless you mean it: \"scale\" is a factor on the file's places.",
        scene.where("/shapes/" + world.shapes()[s].name), wall, smallest));
  }
}

}  // namespace

void warn_of_scene(const Scene& scene, Prepared& prepared) {
  warn_of_endless_walls(scene, prepared);
  warn_of_small_walls(scene, prepared);
  warn_of_mixed_thickness(scene, prepared);
  warn_of_no_steps(scene, prepared);
}

/// Warns of fast bodies. Integrators that look ahead find the contacts on a body's path.
void warn_of_fast_bodies(const Scene& scene, Prepared& prepared) {
  if (prepared.methods.integrator->traits().looks_ahead) return;
  const World& world = *prepared.world;
  const auto fast = find_fast_body(world, prepared.clock.dt);
  if (!fast) return;
  prepared.warnings.push_back(
      fmt::format("{}: a body of \"{}\" goes {:.3g} m in each step, farther than its diameter of {:.3g} m: it can pass "
                  "through walls and others between two steps. Lower /integrator/dt to {:.2g} s or less.",
                  scene.where("/bodies"), world.group_names[world.group.read()[*world.row(fast->id)]], fast->way,
                  fast->diameter, step_for(*fast, prepared.clock.dt)));
}

void warn_by_integrator(const Scene& scene, Prepared& prepared) {
  const std::string place = scene.integrator.options.pointer();
  const auto warnings = made(scene, scene.integrator, [&] {
    return prepared.methods.integrator->warnings(*prepared.world, gravity_at(prepared.methods.environment, 0),
                                                 prepared.clock.dt);
  });
  for (const SceneWarning& warning : warnings)
    prepared.warnings.push_back(scene.where(place + warning.pointer) + ": " + warning.text);
}

bool bonds_limit_step(const Prepared& prepared) {
  return prepared.methods.integrator->traits().face != PotentialFace::kName &&
         std::ranges::any_of(prepared.methods.bonds, [](const BondGroup& bonds) { return bonds.acts && bonds.forces; });
}

/// Warns of stiff bonds: explicit integration is stable up to a step that is known before the run.
void warn_of_stiff_bonds(const Scene& scene, Prepared& prepared) {
  if (!bonds_limit_step(prepared)) return;
  const double stable = prepared.engine->stable_time_step(), dt = prepared.clock.dt;
  if (dt <= stable) return;
  prepared.warnings.push_back(
      fmt::format("{}: dt = {:.3g} s, and bonds are surely stable up to {:.3g} s only; beyond {:.3g} s or so they blow "
                  "up. Lower dt to {:.2g} s or less, soften the bonds, or choose an implicit integrator.",
                  scene.where("/integrator"), dt, stable, stable / 0.7, 0.8 * stable));
}

namespace {

/// Number of times that a wave may cross an element in a step, beyond which cracks lag behind. A crack advances by
/// about a row of elements whenever bonds are checked, and runs at about a third of the speed of waves.
constexpr double kCrackSteps = 3;

/// Solid of bonds of one entry.
struct BondedSolid {
  double mass = 0, volume = 0;  ///< [kg], [m^3]
  double speed = 0;             ///< largest [m/s]
  std::size_t bodies = 0;       ///< one for each end of a bond

  double density() const { return mass / volume; }
  /// Returns the size of an element [m], a cube of the mean volume.
  double element() const { return std::cbrt(volume / static_cast<double>(bodies)); }
};

BondedSolid solid_of(const World& world, std::size_t entry) {
  const Bonds& bonds = world.bonds();
  BondedSolid solid;
  for (std::size_t k = 0; k < bonds.size(); ++k) {
    if (bonds.entry[k] != entry || !bonds.whole(k)) continue;
    for (const Id id : {bonds.a[k], bonds.b[k]}) {
      const std::size_t i = *world.row(id);
      if (world.inverse_mass.read()[i] == 0) continue;
      const double mass = world.mass.read()[i];
      solid.mass += mass;
      solid.volume += mass / world.materials()[world.material.read()[i]].density;
      solid.speed = std::max(solid.speed, world.velocity.read()[i].norm());
      ++solid.bodies;
    }
  }
  return solid;
}

}  // namespace

/// Warns of steps that are too long for cracks, if bonds are integrated implicitly. It gives the effect, and the step
/// at which the number of broken bonds is right within some 10 %.
void warn_of_fracture_steps(const Scene& scene, Prepared& prepared) {
  const IntegratorTraits traits = prepared.methods.integrator->traits();
  const double step = traits.fracture_dt > 0 ? std::min(traits.fracture_dt, prepared.clock.dt) : prepared.clock.dt;
  const bool minimises = traits.face == PotentialFace::kName;
  for (std::size_t k = 0; k < prepared.methods.bonds.size(); ++k) {
    const BondGroup& group = prepared.methods.bonds[k];
    const BondTraits& bond = group.traits;
    if (bond.modulus == 0 || !bond.can_break || (group.acts && !minimises)) continue;
    const BondedSolid solid = solid_of(*prepared.world, k);
    if (solid.bodies == 0) continue;
    const double speed = std::sqrt(bond.modulus / solid.density()), wave = solid.element() / speed;
    const std::string where = scene.where(fmt::format("/bonds/{}/law", k));
    if (step > kCrackSteps * wave)
      prepared.warnings.push_back(fmt::format(
          "{}: bonds may break at the end of steps of {:.2g} s, {:.2g} times what a wave takes through an element, "
          "{:.2g} s. From {:g} times on cracks lag behind their load, and the number of bonds that break means "
          "nothing; "
          "under slow loads the load at fracture and the largest pieces still do. Lower {} to {:.2g} s or less.",
          where, step, step / wave, wave, kCrackSteps,
          traits.fracture_dt > 0 ? traits.fracture_option : "/integrator/dt", kCrackSteps * wave));
    const double shock = solid.density() * speed * solid.speed;
    if (shock > bond.strength)
      prepared.warnings.push_back(
          fmt::format("{}: at {:.3g} m/s an impact sends a wave of up to {:.2g} Pa (density times speed of waves times "
                      "speed) through "
                      "bonds that break at {:.2g} Pa. Such a wave breaks them before anything else happens, and "
                      "implicit steps damp "
                      "it. Choose an explicit integrator, such as \"velocity-verlet\".",
                      where, solid.speed, shock, bond.strength));
  }
}

}  // namespace scree::detail
