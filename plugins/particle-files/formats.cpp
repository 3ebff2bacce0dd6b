#include "formats.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "scree/shape/facets.hpp"

namespace scree::particle_files {

namespace {

const Shape& shape_of(const World& world, std::size_t row) { return *world.shapes()[world.shape[row]].shape; }

/// Place and orientation as scenes give them: of the shape's reference point and axes.
Pose reference_pose(const World& world, std::size_t row) {
  const Shape& shape = shape_of(world, row);
  Quat turn = world.orientation[row];
  const Vec3 place = world.position[row] + world.scale[row] * (turn * shape.reference_point());
  if (const auto* const axes = facet<ReferenceAxes>(shape))
    turn = (turn * axes->body_to_reference().conjugate()).normalized();
  return {place, turn};
}

std::string numbers(const Vec3& v, const char* between) {
  return fmt::format("{}{}{}{}{}", v[0], between, v[1], between, v[2]);
}

/// Of one body: columns behind the id.
std::string state_text(const World& world, std::size_t row) {
  const Pose pose = reference_pose(world, row);
  const Vec3 &v = world.velocity[row], &w = world.angular_velocity[row];
  if (world.dimension() == 2)
    return fmt::format("{},{},{},{},{},{}", pose.position[0], pose.position[1],
                       2 * std::atan2(pose.orientation.z(), pose.orientation.w()), v[0], v[1], w[2]);
  const Quat& q = pose.orientation;
  return fmt::format("{},{},{},{},{},{},{}", numbers(pose.position, ","), q.w(), q.x(), q.y(), q.z(), numbers(v, ","),
                     numbers(w, ","));
}

/// Lines lower upper of the three directions: those of the periodic cell, or of what holds all spheres.
std::string bounds_text(const World& world, Rows rows) {
  std::string kinds, lines;
  for (int k = 0; k < 3; ++k) {
    double lower = 0, upper = 0;
    if (world.cell.periodic(k)) {
      lower = world.cell.lower[k], upper = lower + world.cell.length(k);
    } else if (!rows.empty()) {
      const auto reach = [&](std::size_t i, int sign) {
        return world.position[i][k] + sign * *sphere_radius(world, i);
      };
      lower = reach(rows[0], -1), upper = reach(rows[0], 1);
      for (const std::size_t i : rows) lower = std::min(lower, reach(i, -1)), upper = std::max(upper, reach(i, 1));
    }
    kinds += world.cell.periodic(k) ? " pp" : " ff";
    lines += fmt::format("{} {}\n", lower, upper);
  }
  return "ITEM: BOX BOUNDS" + kinds + "\n" + lines;
}

}  // namespace

std::optional<double> sphere_radius(const World& world, std::size_t row) {
  const auto* const spheres = facet<SphereSet>(shape_of(world, row));
  if (spheres == nullptr || spheres->radii().size() != 1 || !spheres->centres()[0].isZero(0)) return std::nullopt;
  return world.scale[row] * spheres->radii()[0];
}

std::string csv_text(const World& world, Rows rows) {
  const bool spheres = std::ranges::all_of(rows, [&](std::size_t i) { return sphere_radius(world, i).has_value(); });
  const bool mixed = std::ranges::any_of(rows, [&](std::size_t i) { return world.shape[i] != world.shape[rows[0]]; });
  std::string text = world.dimension() == 2 ? "id,x,y,theta,vx,vy,omega" : "id,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
  text += spheres ? ",radius" : ",scale";
  text += mixed ? ",shape\n" : "\n";
  for (const std::size_t i : rows) {
    text += fmt::format("{},{},{}", world.id[i], state_text(world, i),
                        spheres ? *sphere_radius(world, i) : double{world.scale[i]});
    text += mixed ? "," + world.shapes()[world.shape[i]].name + "\n" : "\n";
  }
  return text;
}

std::string dump_text(const World& world, Rows rows, std::uint64_t step) {
  std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", step, rows.size());
  text += bounds_text(world, rows) + "ITEM: ATOMS id type x y z vx vy vz omegax omegay omegaz radius\n";
  for (const std::size_t i : rows)
    text +=
        fmt::format("{} {} {} {} {} {}\n", world.id[i], world.material[i] + 1, numbers(world.position[i], " "),
                    numbers(world.velocity[i], " "), numbers(world.angular_velocity[i], " "), *sphere_radius(world, i));
  return text;
}

std::string xyzr_text(const World& world, Rows rows) {
  std::string text = "#format x_y_z_r\n";
  for (const std::size_t i : rows)
    text += fmt::format("{} {}\n", numbers(world.position[i], " "), *sphere_radius(world, i));
  return text;
}

}  // namespace scree::particle_files
