/// \file Conditions on bodies for the scene's integrator, domain and periodic cell.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "scree/setup/detail/set_up.hpp"
#include "scree/setup/detail/species.hpp"
#include "scree/shape/facets.hpp"

namespace scree::detail {

namespace {

/// Largest number of cells in an image: images of pairs are distinct up to it (see packed() in
/// world/periodic_cell.hpp).
constexpr double kMostCells = 510;

/// Checks masses of bodies that move freely. The scene's own bodies were checked when they were placed, with a place in
/// the scene.
/// \throws InputError naming a body without mass
void check_mobile(const Prepared& prepared) {
  const World& world = *prepared.world;
  const auto movable = world.inverse_mass.read();
  const auto kind = world.kind.read();
  const auto id = world.id.read(), owner = world.owner.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (kind[i] == static_cast<std::uint32_t>(BodyKind::dynamic) && owner[i] == id[i] && movable[i] == 0)
      throw InputError(fmt::format(
          "body {} is to move freely, but its shape \"{}\" of material \"{}\" has no mass. Give the material a "
          "density, choose a shape with bound, or add the body as a fixed or prescribed one.",
          id[i], world.shapes()[world.shape.read()[i]].name, world.materials()[world.material.read()[i]].name));
}

/// Checks moments, for integrators of spheres only. \throws InputError naming the shape of a body with different
/// moments
void check_inertia(const Scene& scene, const Prepared& prepared) {
  if (!prepared.methods.integrator->traits().isotropic_inertia_only || scene.dimension == 2) return;
  const World& world = *prepared.world;
  const auto moments = world.inertia.read();
  const auto free = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    if (free[i] > 0 && moments[i].maxCoeff() > moments[i].minCoeff() * (1 + 1e-9))
      throw InputError(fmt::format(
          "{}: integrator \"{}\" moves bodies with three equal moments of inertia; those of shape \"{}\" are {:.4g}, "
          "{:.4g} and {:.4g} kg m^2. Choose another shape or integrator.",
          scene.where("/integrator"), scene.integrator.type, world.shapes()[world.shape.read()[i]].name, moments[i][0],
          moments[i][1], moments[i][2]));
}

/// Checks images. Bodies that move freely come back into the cell. Others stay where they are, and may be larger than
/// it.
/// \throws InputError naming one that reaches too many cells away
void check_images(const Scene& scene, const World& world) {
  const auto x = world.position.read();
  const auto radius = world.radius.read(), movable = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i)
    for (int k = 0; k < 3; ++k) {
      const double length = world.cell.length(k);
      if (length == 0 || movable[i] > 0 || !std::isfinite(radius[i])) continue;
      const double cells = (std::abs(x[i][k] - scene.periodic_lower[k] - length / 2) + radius[i]) / length;
      if (cells <= kMostCells) continue;
      throw InputError(fmt::format(
          "{}: the cell is {:.6g} m long, and body {} of radius {:.6g} m at {:.6g} m reaches {:.3g} cells away from "
          "it; "
          "{:g} are possible. Put the body into the cell, and give it a shape without bound, such as a half-space, "
          "where it is to go on without end.",
          scene.where(fmt::format("/periodic/{}", "xyz"[k])), length, world.id.read()[i], radius[i], x[i][k], cells,
          kMostCells));
    }
}

}  // namespace

Extremes extremes(const World& world, const Methods& methods) {
  Extremes e;
  const auto x = world.position.read();
  const auto r = world.radius.read(), m = world.mass.read(), im = world.inverse_mass.read();
  const auto material = world.material.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (!std::isfinite(r[i])) continue;
    e.lower = e.lower.cwiseMin(x[i] - Vec3::Constant(r[i]));
    e.upper = e.upper.cwiseMax(x[i] + Vec3::Constant(r[i]));
    if (im[i] == 0) continue;
    e.moves = true;
    e.largest_radius = std::max(e.largest_radius, r[i]);
    if (methods.meets_nobody(material[i])) continue;
    e.smallest_radius = std::min(e.smallest_radius, r[i]);
    e.smallest_mass = std::min(e.smallest_mass, m[i]);
  }
  return e;
}

void check_driven(const Scene& scene, const Prepared& prepared) {
  const World& world = *prepared.world;
  const auto shape = world.shape.read(), material = world.material.read();
  const auto free = world.inverse_mass.read();
  std::vector<std::uint8_t> seen(world.shapes().size());
  for (std::size_t i = 0; i < world.size(); ++i) {
    const ShapeTraits driven = world.shapes()[shape[i]].shape->traits();
    if (driven.driven_by.empty() || free[i] == 0) continue;
    const bool first = std::exchange(seen[shape[i]], std::uint8_t{1}) == 0;
    if (first && !prepared.methods.integrator->face(driven.driven_by))
      throw InputError(
          fmt::format("{}: integrator \"{}\" cannot move bodies of shape {}, which need one with the face "
                      "{}. {}",
                      scene.where("/integrator"), scene.integrator.type, named(scene, world, shape[i]),
                      driven.driven_by, driven.driven_by_advice));
    if (!prepared.methods.meets_nobody(material[i]))
      throw InputError(fmt::format(
          "{}: bodies of shape {} meet nobody by contacts: their integrator takes care of walls. Say {{\"between\": "
          "[\"{}\", \"*\"], \"law\": \"none\"}}, and no other law for material \"{}\".",
          scene.where("/interactions"), named(scene, world, shape[i]), world.materials()[material[i]].name,
          world.materials()[material[i]].name));
  }
}

void check_bodies(const Scene& scene, const Prepared& prepared) {
  check_mobile(prepared);
  check_inertia(scene, prepared);
  check_driven(scene, prepared);
}

void check_cell(const Scene& scene, const Prepared& prepared) {
  const World& world = *prepared.world;
  if (!world.cell.any()) return;
  check_images(scene, world);
  const Methods& methods = prepared.methods;
  const auto radius = world.radius.read(), movable = world.inverse_mass.read();
  const auto shape = world.shape.read(), material = world.material.read();
  double needed = 0, of_radius = 0;
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (movable[i] == 0 || !std::isfinite(radius[i]) || methods.meets_nobody(material[i])) continue;
    const std::int32_t itself = methods.channel(shape[i], material[i], shape[i], material[i]);
    const double margin =
        itself == Methods::kNoChannel ? methods.margin : methods.channels[static_cast<std::size_t>(itself)].margin;
    const double wide = 2 * radius[i] + methods.skin + margin;
    if (wide > needed) needed = wide, of_radius = radius[i];
  }
  for (int k = 0; k < 3; ++k) {
    const double length = world.cell.length(k);
    if (length == 0 || length > needed) continue;
    throw InputError(fmt::format(
        "{}: the cell is {:.6g} m long, and a body of radius {:.6g} m would touch itself around it. It must be longer "
        "than {:.6g} m, the largest moving body's diameter and the reach of the neighbour list.",
        scene.where(fmt::format("/periodic/{}", "xyz"[k])), length, of_radius, needed));
  }
}

/// Checks the domain: otherwise a run would end in its first step.
void check_domain(const Scene& scene, const Prepared& prepared) {
  const World& world = *prepared.world;
  const DomainBox& domain = prepared.methods.domain;
  const auto x = world.position.read();
  const auto free = world.inverse_mass.read();
  for (std::size_t i = 0; i < world.size(); ++i) {
    if (free[i] == 0 || ((x[i].array() >= domain.lower.array()).all() && (x[i].array() <= domain.upper.array()).all()))
      continue;
    throw InputError(
        fmt::format("{}: body {} of \"{}\" starts outside, at ({:.6g}, {:.6g}, {:.6g}) m. Enlarge the domain, "
                    "or move the body into it.",
                    scene.where("/domain"), world.id.read()[i], world.group_names[world.group.read()[i]], x[i][0],
                    x[i][1], x[i][2]));
  }
}

}  // namespace scree::detail
