#include "formats.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>

#include "scree/shape/facets.hpp"

namespace scree::particle_files {

namespace {

const Shape& shape_of(const World& world, const BodyState& body) { return *world.shapes()[body.shape].shape; }

/// Place and orientation as scenes give them: of the shape's reference point and axes.
Pose reference_pose(const World& world, const BodyState& body) {
  const Shape& shape = shape_of(world, body);
  Quat turn = body.rigid.frame.orientation;
  const Vec3 place = body.rigid.frame.position + body.scale * (turn * shape.reference_point());
  if (const Quat axes = shape.traits().body_to_reference; !axes.vec().isZero(0))
    turn = (turn * axes.conjugate()).normalized();
  return {place, turn};
}

std::string numbers(const Vec3& v, const char* between) {
  return fmt::format("{}{}{}{}{}", v[0], between, v[1], between, v[2]);
}

/// Returns the state of one body: columns behind the id.
std::string state_text(const World& world, const BodyState& body) {
  const Pose pose = reference_pose(world, body);
  const Vec3 &v = body.rigid.twist.velocity, &w = body.rigid.twist.angular_velocity;
  if (world.dimension() == 2)
    return fmt::format("{},{},{},{},{},{}", pose.position[0], pose.position[1],
                       2 * std::atan2(pose.orientation.z(), pose.orientation.w()), v[0], v[1], w[2]);
  const Quat& q = pose.orientation;
  return fmt::format("{},{},{},{},{},{},{}", numbers(pose.position, ","), q.w(), q.x(), q.y(), q.z(), numbers(v, ","),
                     numbers(w, ","));
}

/// Lines lower upper of the three directions: those of the periodic cell, or of what holds all spheres.
std::string bounds_text(const World& world, Bodies bodies) {
  std::string kinds, lines;
  for (int k = 0; k < 3; ++k) {
    double lower = 0, upper = 0;
    if (world.cell.periodic(k)) {
      lower = world.cell.lower[k], upper = lower + world.cell.length(k);
    } else if (!bodies.empty()) {
      const auto reach = [&](const BodyState& body, int sign) {
        return body.rigid.frame.position[k] + sign * *sphere_radius(world, body);
      };
      lower = reach(bodies[0], -1), upper = reach(bodies[0], 1);
      for (const BodyState& b : bodies) lower = std::min(lower, reach(b, -1)), upper = std::max(upper, reach(b, 1));
    }
    kinds += world.cell.periodic(k) ? " pp" : " ff";
    lines += fmt::format("{} {}\n", lower, upper);
  }
  return "ITEM: BOX BOUNDS" + kinds + "\n" + lines;
}

/// Returns what a dump says of a body in this column. \pre the schema knows the column
std::string dump_value(const std::string& column, const World& world, const BodyState& body, TypesOf types) {
  const auto number = [](double value) { return fmt::format("{}", value); };
  const auto axis = static_cast<Eigen::Index>(column.back() - 'x');  // of the columns that end with x, y or z
  if (column == "id") return fmt::format("{}", body.id + 1);
  if (column == "type") return fmt::format("{}", (types == TypesOf::materials ? body.material : body.group) + 1);
  if (column == "radius") return number(*sphere_radius(world, body));
  if (column == "diameter") return number(2 * *sphere_radius(world, body));
  if (column == "mass") return number(body.rigid.mass);
  if (column.starts_with("omega")) return number(body.rigid.twist.angular_velocity[axis]);
  if (column.starts_with("v")) return number(body.rigid.twist.velocity[axis]);
  return number(body.rigid.frame.position[axis]);
}

}  // namespace

std::optional<double> sphere_radius(const World& world, const BodyState& body) {
  const auto* const spheres = facet<SphereSet>(shape_of(world, body));
  if (spheres == nullptr || spheres->radii().size() != 1 || !spheres->centres()[0].isZero(0)) return std::nullopt;
  return body.scale * spheres->radii()[0];
}

std::string csv_text(const World& world, Bodies bodies) {
  const bool spheres =
      std::ranges::all_of(bodies, [&](const BodyState& b) { return sphere_radius(world, b).has_value(); });
  const bool mixed = std::ranges::any_of(bodies, [&](const BodyState& b) { return b.shape != bodies[0].shape; });
  std::string text = world.dimension() == 2 ? "id,x,y,theta,vx,vy,omega" : "id,x,y,z,qw,qx,qy,qz,vx,vy,vz,wx,wy,wz";
  text += spheres ? ",radius" : ",scale";
  text += mixed ? ",shape\n" : "\n";
  for (const BodyState& b : bodies) {
    text += fmt::format("{},{},{}", b.id, state_text(world, b), spheres ? *sphere_radius(world, b) : b.scale);
    text += mixed ? "," + world.shapes()[b.shape].name + "\n" : "\n";
  }
  return text;
}

std::string dump_text(const World& world, Bodies bodies, std::uint64_t step, const DumpOptions& options) {
  std::string text = fmt::format("ITEM: TIMESTEP\n{}\nITEM: NUMBER OF ATOMS\n{}\n", step, bodies.size());
  text += fmt::format("{}ITEM: ATOMS {}\n", bounds_text(world, bodies), fmt::join(options.columns, " "));
  for (const BodyState& b : bodies) {
    std::vector<std::string> values;
    for (const std::string& column : options.columns) values.push_back(dump_value(column, world, b, options.types));
    text += fmt::format("{}\n", fmt::join(values, " "));
  }
  return text;
}

std::string xyzr_text(const World& world, Bodies bodies) {
  std::string text = "#format x_y_z_r\n";
  for (const BodyState& b : bodies)
    text += fmt::format("{} {}\n", numbers(b.rigid.frame.position, " "), *sphere_radius(world, b));
  return text;
}

}  // namespace scree::particle_files
