#include "check_scene.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "material_point.hpp"
#include "scree/base/error.hpp"

namespace scree::continuum {

namespace {

/// Bodies that move freely are at least twice so many cells thick.
constexpr double kLeastDepth = 1.5;

std::string name_of(const World& world, std::size_t row) {
  const std::uint32_t group = world.group[row];
  return group < world.group_names.size() ? world.group_names[group] : "";
}

void check_boundaries(const World& world, const ContinuumOptions& options) {
  std::vector<std::string> known;
  for (const MaterialEntry& material : world.materials()) known.push_back(material.name);
  for (std::size_t k = 0; k < options.boundaries.size(); ++k) {
    const std::string& name = options.boundaries[k].material;
    if (std::ranges::count(known, name) == 0)
      throw OptionError(fmt::format("/boundaries/{}/material", k),
                        fmt::format("unknown material \"{}\". The scene has {}.", name, fmt::join(known, ", ")));
    for (std::size_t l = 0; l < k; ++l)
      if (options.boundaries[l].material == name)
        throw OptionError(fmt::format("/boundaries/{}/material", k),
                          fmt::format("material \"{}\" has an entry already. Keep one of the two.", name));
  }
}

void check_density(const World& world, std::size_t row, const ContinuumOptions& options) {
  const MaterialEntry& material = world.materials()[world.material[row]];
  if (material.density >= options.step.fluid.density) return;
  throw OptionError("/fluid/density",
                    fmt::format("{:.6g} kg/m^3 is more than the {:.6g} kg/m^3 of material \"{}\" of \"{}\": grains "
                                "would float. Give them more, or the fluid less.",
                                options.step.fluid.density, material.density, material.name, name_of(world, row)));
}

void check_cell(const World& world, double h) {
  for (int k = 0; k < world.dimension(); ++k) {
    const double length = world.cell.length(k), cells = length / h;
    if (length == 0) continue;
    if (std::abs(cells - std::round(cells)) > 1e-9 * cells || cells < 2.5)
      throw OptionError("/cell",
                        fmt::format("the periodic cell is {:.6g} m long in {}, which is {:.6g} cells of {:.6g} m; "
                                    "it must be a whole number of them, at least 3. {:.6g} m would fit.",
                                    length, "xyz"[k], cells, h, length / std::max(3.0, std::round(cells))));
  }
}

void check_spacing(const World& world, std::size_t row, const MaterialPoint& point, double h) {
  const double spacing = point.spacing() * world.scale[row];
  constexpr double kRounding = 1e-9;
  if (spacing >= h / 4 * (1 - kRounding) && spacing <= h / 2 * (1 + kRounding)) return;
  throw OptionError(
      "/cell",
      fmt::format("points of \"{}\" have a spacing of {:.6g} m, {:.3g} to a cell of {:.6g} m along each axis; 2 to 4 "
                  "are possible, and 3 are good in the plane. A cell of {:.6g} m would fit.",
                  name_of(world, row), spacing, h / spacing, h, 3 * spacing));
}

void check_fraction(const World& world, std::size_t row, const MaterialPoint& point, double most) {
  if (point.fraction() <= most) return;
  throw OptionError("/max_fraction",
                    fmt::format("points of \"{}\" have a fraction of {:.6g}, more than the largest, {:.6g}: they would "
                                "push each other apart from the first step on. Lower the shape's fraction, or raise "
                                "this one.",
                                name_of(world, row), point.fraction(), most));
}

/// Keys reach so far from the lattice's origin, which lies at a wall or at 0: half of it is enough for both.
void check_reach(const World& world, std::size_t row, double h) {
  const double reach = 0.5 * kKeyBias * h;
  const Vec3& x = world.position[row];
  if (x.cwiseAbs().maxCoeff() < reach) return;
  throw OptionError("/cell",
                    fmt::format("a point of \"{}\" is at ({:.6g}, {:.6g}, {:.6g}) m, and a grid of cells of {:.6g} m "
                                "reaches {:.6g} m from the origin. Move the scene to the origin, or make cells larger.",
                                name_of(world, row), x[0], x[1], x[2], h, reach));
}

/// Middles of edges, and of cells in space: places of a surface where it has one normal.
std::vector<Vec3> middles(const Surface& surface, int dimension) {
  std::vector<Vec3> places;
  for (const auto& cell : surface.cells) {
    Vec3 sum = Vec3::Zero();
    for (std::size_t k = 0; k < cell.size(); ++k) {
      const Vec3 &from = surface.points[cell[k]], &to = surface.points[cell[(k + 1) % cell.size()]];
      if (k + 1 < cell.size() || surface.closed) places.push_back(0.5 * (from + to));
      sum += from;
    }
    if (dimension == 3) places.push_back(sum / static_cast<double>(cell.size()));
  }
  return places;
}

/// Returns the matter of a body of this shape: one piece if it moves freely.
Wall matter_of(const Shape& shape, bool free) {
  Wall wall;
  wall.faces = free ? nullptr : facet<Faces>(shape);
  wall.distance = facet<SignedDistance>(shape);
  return wall;
}

/// Returns the depth of that matter below its surface [m]; not searched beyond `enough`.
double depth_of(const Shape& shape, bool free, double enough) {
  const Wall wall = matter_of(shape, free);
  if (wall.face_count() > 1) return enough;  // the walls of a container go on without end
  const std::vector<Vec3> surface = middles(shape.surface(), shape.dimension());
  const std::size_t n = surface.size();
  std::vector<double> distance(n);
  std::vector<Vec3> normal(n), inside(n), unused(n);
  wall.see(0, surface, distance, normal);
  double deepest = 0;
  constexpr int kParts = 16;
  for (int part = 1; part <= 2 * kParts && deepest < enough; ++part) {
    for (std::size_t i = 0; i < n; ++i) inside[i] = surface[i] - part * enough / kParts * normal[i];
    wall.see(0, inside, distance, unused);
    for (const double d : distance) deepest = std::max(deepest, -d);
  }
  return deepest;
}

void check_wall(const World& world, std::size_t row, double h) {
  const ShapeEntry& entry = world.shapes()[world.shape[row]];
  if (!facet<Faces>(*entry.shape) && !facet<SignedDistance>(*entry.shape))
    throw OptionError("",
                      fmt::format("shape \"{}\" of wall \"{}\" offers neither Faces/1 nor SignedDistance/1, by which "
                                  "the grid would see it. Choose another shape for walls.",
                                  entry.name, name_of(world, row)));
  const double scale = world.scale[row], depth = scale * depth_of(*entry.shape, false, h / scale);
  if (depth < h * (1 - 1e-6))
    throw OptionError("/cell",
                      fmt::format("wall \"{}\" is {:.3g} m thick, and nodes within a cell of it on both sides would "
                                  "feel each other. Walls must be at least two cells thick: {:.6g} m. Make it "
                                  "thicker, or cells smaller.",
                                  name_of(world, row), 2 * depth, 2 * h));
}

/// Checks a body that moves freely.
void check_body(const World& world, std::size_t row, double h, bool shape_is_known) {
  const ShapeEntry& entry = world.shapes()[world.shape[row]];
  if (!facet<SignedDistance>(*entry.shape))
    throw OptionError("", fmt::format("\"{}\" moves freely, and its shape \"{}\" offers no SignedDistance/1, by which "
                                      "the grid would see it. Choose another shape, fix it, or remove it.",
                                      name_of(world, row), entry.name));
  for (int k = 0; k < world.dimension(); ++k) {
    const double length = world.cell.length(k), across = 2 * world.radius[row] + 4 * h;
    if (length > 0 && across > length)
      throw OptionError("/cell", fmt::format("\"{}\" and two cells on either side of it take {:.6g} m, more than the "
                                             "periodic cell has in {}, {:.6g} m: it would meet itself. Make that "
                                             "larger, or the body smaller.",
                                             name_of(world, row), across, "xyz"[k], length));
  }
  if (shape_is_known) return;
  const double least = kLeastDepth * h, scale = world.scale[row],
               depth = scale * depth_of(*entry.shape, true, least / scale);
  if (depth < least * (1 - 1e-6))
    throw OptionError(
        "/cell",
        fmt::format("\"{}\" moves freely and is about {:.2g} m thick where it is thickest, {:.2g} cells. Nodes do not "
                    "resolve a body of less than three: {:.6g} m. Make it larger, or cells smaller; six cells "
                    "are good.",
                    name_of(world, row), 2 * depth, 2 * depth / h, 2 * least));
}

/// Checks the friction of grains around a body that moves freely.
void check_friction(const World& world, std::size_t row, const ContinuumOptions& options) {
  constexpr double kLeast = 0.05;
  if (options.step.friction.at_rest >= kLeast) return;
  throw OptionError("/friction", fmt::format("{:.6g} is less than {:.6g}, and \"{}\" moves freely: it would sink too "
                                             "deep in grains without friction. Give at least that, or fix the body.",
                                             options.step.friction.at_rest, kLeast, name_of(world, row)));
}

/// Checks a body that is neither point nor wall: a frame, or a member of a body that is made of others.
void check_rider(const World& world, std::size_t row) {
  const auto owner = world.row(world.owner[row]);
  if (!owner || !(world.inverse_mass[*owner] > 0)) return;
  throw OptionError("", fmt::format("\"{}\" moves freely as part of a body that is made of several. Such bodies cannot "
                                    "take part yet: make it one shape, fix it, or remove it.",
                                    name_of(world, row)));
}

void check_bonds(const World& world) {
  if (world.bonds().size() == 0) return;
  throw OptionError("",
                    "bonds cannot take part yet: bodies beside the continuum move one by one. Remove /bonds, or "
                    "choose another integrator.");
}

/// \throws OptionError for the first of the points that lies deeper in the wall than `most` [m]
void check_outside(const World& world, const Wall& wall, std::span<const std::uint32_t> rows,
                   std::span<const Vec3> points, double most) {
  std::vector<double> distance(points.size());
  std::vector<Vec3> normal(points.size());
  for (int face = 0; face < wall.face_count(); ++face) {
    wall.see(face, points, distance, normal);
    const auto inside = std::ranges::find_if(distance, [&](double d) { return d < -most; });
    if (inside == distance.end()) continue;
    const std::size_t k = static_cast<std::size_t>(inside - distance.begin());
    throw OptionError("", fmt::format("a point of \"{}\" at ({:.6g}, {:.6g}, {:.6g}) m lies {:.3g} m deep in wall "
                                      "\"{}\". Move one of them; half a cell, {:.3g} m, would be let pass.",
                                      name_of(world, rows[k]), points[k][0], points[k][1], points[k][2], -*inside,
                                      name_of(world, wall.row), most));
  }
}

}  // namespace

bool is_point(const World& world, std::size_t row) {
  return world.inverse_mass[row] > 0 && material_point(*world.shapes()[world.shape[row]].shape);
}

bool is_wall(const World& world, std::size_t row) {
  return world.owner[row] == world.id[row] && world.radius[row] > 0 && !is_point(world, row);
}

Wall wall_of(const World& world, std::uint32_t row) {
  const Shape& shape = *world.shapes()[world.shape[row]].shape;
  Wall wall = matter_of(shape, world.inverse_mass[row] > 0);
  wall.body = world.id[row];
  wall.row = row;
  wall.scale = world.scale[row];
  wall.fixed = world.kind[row] == static_cast<std::uint32_t>(BodyKind::fixed);
  wall.radius = world.radius[row];
  for (int k = 0; k < world.dimension(); ++k) wall.period[k] = world.cell.length(k);
  wall.freedom.inverse_mass = world.inverse_mass[row];
  wall.freedom.moments = world.inertia[row];
  wall.freedom.inverse_moments = world.inverse_inertia[row];
  place(world, wall);
  return wall;
}

void place(const World& world, Wall& wall) {
  wall.centre = world.position[wall.row];
  wall.orientation = world.orientation[wall.row];
  wall.velocity = world.velocity[wall.row];
  wall.angular_velocity = world.angular_velocity[wall.row];
}

void check_start(const World& world, const ContinuumOptions& options) {
  std::vector<std::uint32_t> rows;
  std::vector<Vec3> points;
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (is_point(world, i)) {
      rows.push_back(i);
      points.push_back(world.position[i]);
    }
  for (std::uint32_t i = 0; i < world.size(); ++i)
    if (is_wall(world, i)) check_outside(world, wall_of(world, i), rows, points, 0.5 * options.cell);
}

void check_scene(const World& world, const ContinuumOptions& options) {
  check_boundaries(world, options);
  check_cell(world, options.cell);
  check_bonds(world);
  std::vector<std::uint8_t> seen(world.shapes().size());
  for (std::size_t i = 0; i < world.size(); ++i) {
    const bool looked_at = seen[world.shape[i]] != 0 && !world.scaled();
    if (is_wall(world, i)) {
      if (!(world.inverse_mass[i] > 0)) {
        check_wall(world, i, options.cell);
        continue;
      }
      check_body(world, i, options.cell, looked_at);
      check_friction(world, i, options);
      seen[world.shape[i]] = 1;
      continue;
    }
    if (!is_point(world, i)) {
      check_rider(world, i);
      continue;
    }
    const MaterialPoint& point = *material_point(*world.shapes()[world.shape[i]].shape);
    check_reach(world, i, options.cell);
    check_density(world, i, options);
    if (!looked_at) check_spacing(world, i, point, options.cell);
    if (!looked_at) check_fraction(world, i, point, options.step.max_fraction);
    seen[world.shape[i]] = 1;
  }
}

}  // namespace scree::continuum
