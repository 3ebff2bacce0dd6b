#include "scree/plugin/plugin.hpp"

#include "box.hpp"
#include "circle.hpp"
#include "cuboid.hpp"
#include "cylinder.hpp"
#include "half_space.hpp"
#include "helicoid.hpp"
#include "plate.hpp"
#include "polyline.hpp"
#include "revolved.hpp"
#include "sphere_wall.hpp"
#include "torus.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <limits>

namespace {

using namespace scree;
using namespace scree::obstacles;

std::shared_ptr<const Shape> make_half_plane(const Options& options) {
  return std::make_shared<HalfPlane>(HalfPlane::Options{options.vector("normal").head<2>(), options.number("extent")});
}

std::shared_ptr<const Shape> make_half_space(const Options& options) {
  return std::make_shared<HalfSpace>(HalfSpace::Options{options.vector("normal"), options.number("extent")});
}

std::shared_ptr<const Shape> make_box(const Options& options, const ShapeContext& context) {
  const std::size_t count = options.numbers("half_sizes").size();
  if (count != static_cast<std::size_t>(context.dimension))
    throw OptionError("/half_sizes", fmt::format("has {} numbers; the scene has dimension {}. Give {}.", count,
                                                 context.dimension, context.dimension == 2 ? "[x, y]" : "[x, y, z]"));
  if (context.dimension == 3)
    return std::make_shared<Cuboid>(CuboidOptions{options.vector("half_sizes"), options.boolean("inside")});
  return std::make_shared<Box>(BoxOptions{options.vector("half_sizes").head<2>(), options.boolean("inside"),
                                          options.number("thickness"), options.number_or("node_spacing", 0)});
}

std::shared_ptr<const Shape> make_circle(const Options& options) {
  return std::make_shared<Circle>(CircleOptions{options.number("radius"), options.boolean("inside"),
                                                options.number("thickness"),
                                                static_cast<int>(options.integer("nodes"))});
}

std::shared_ptr<const Shape> make_cylinder(const Options& options) {
  const double endless = std::numeric_limits<double>::infinity();
  return std::make_shared<Cylinder>(CylinderOptions{options.number("radius"), options.number_or("length", endless) / 2,
                                                    options.boolean("inside"), options.number("extent")});
}

std::shared_ptr<const Shape> make_sphere_wall(const Options& options) {
  return std::make_shared<SphereWall>(SphereWallOptions{options.number("radius"), options.boolean("inside")});
}

std::shared_ptr<const Shape> make_cone(const Options& options) {
  return std::make_shared<Revolved>(RevolvedOptions{
      frustum_section(options.number("radius"), 0, options.number("length")), options.boolean("inside")});
}

std::shared_ptr<const Shape> make_frustum(const Options& options) {
  const double lower = options.number("lower_radius"), upper = options.number("upper_radius"),
               length = options.number("length");
  if (!(lower > 0 || upper > 0))
    throw OptionError("/upper_radius", "both radii are 0. Give at least one of them above 0.");
  if (!options.has("wall"))
    return std::make_shared<Revolved>(
        RevolvedOptions{frustum_section(lower, upper, length), options.boolean("inside")});
  if (options.boolean("inside"))
    throw OptionError("/wall",
                      "an open wall has no ends, and a container (\"inside\": true) has no thickness. Give one "
                      "of the two.");
  if (!(lower > 0 && upper > 0))
    throw OptionError(lower > 0 ? "/upper_radius" : "/lower_radius",
                      "is 0; an open funnel needs a hole at both ends. Give a radius above 0, or leave out \"wall\".");
  return std::make_shared<Revolved>(RevolvedOptions{open_section(lower, upper, length, options.number("wall")), false});
}

std::shared_ptr<const Shape> make_tube(const Options& options) {
  const double radius = options.number("radius");
  return std::make_shared<Revolved>(
      RevolvedOptions{open_section(radius, radius, options.number("length"), options.number("wall")), false});
}

std::shared_ptr<const Shape> make_plate(const Options& options) {
  const double hole = options.number("hole"), thickness = options.number("thickness");
  if (options.has("radius") == options.has("half_sizes"))
    throw OptionError("",
                      "a plate is round, with a \"radius\", or has straight sides, with \"half_sizes\". Give one "
                      "of the two.");
  const Vec3 half = options.has("radius") ? Vec3::Constant(options.number("radius")) : options.vector("half_sizes");
  const double room = std::min(half[0], half[1]);
  if (!(hole < room))
    throw OptionError("/hole",
                      fmt::format("is {} m, and the plate reaches {} m from its middle. Give a smaller hole or "
                                  "a larger plate.",
                                  hole, room));
  if (options.has("radius"))
    return std::make_shared<Revolved>(RevolvedOptions{open_section(hole, hole, thickness, room - hole), false});
  return std::make_shared<Plate>(PlateOptions{{half[0], half[1], thickness / 2}, hole});
}

std::shared_ptr<const Shape> make_torus(const Options& options) {
  return std::make_shared<Torus>(TorusOptions{options.number("radius"), options.number("tube_radius")});
}

std::shared_ptr<const Shape> make_helicoid(const Options& options) {
  return std::make_shared<HelicoidBlade>(HelicoidOptions{options.number("inner_radius"), options.number("outer_radius"),
                                                         options.number("pitch"), options.number("turns"),
                                                         options.number("thickness"), options.text("hand") == "left"});
}

std::shared_ptr<const Shape> make_polyline(const Options& options) {
  PolylineOptions o;
  for (const Options& point : options.objects("points")) {
    const std::vector<double> xy = point.as_numbers();
    o.points.emplace_back(xy[0], xy[1]);
  }
  o.closed = options.boolean("closed");
  if (o.closed && o.points.size() < 3)
    throw OptionError("/points", "a closed line needs 3 points or more. Add one, or leave out \"closed\".");
  o.inside = options.boolean("inside");
  o.wall = options.number_or("wall", 0);
  const std::string side = options.text("side");
  o.side = side == "left" ? WallSide::left : side == "right" ? WallSide::right : WallSide::both;
  o.thickness = options.number("thickness");
  o.node_spacing = options.number_or("node_spacing", 0);
  return std::make_shared<Polyline>(o);
}

}  // namespace

SCREE_PLUGIN(obstacles, "1.0.0") {
  registrar.shape("half-plane", make_half_plane);
  registrar.shape("box", make_box);
  registrar.shape("circle", make_circle);
  registrar.shape("half-space", make_half_space);
  registrar.shape("cylinder", make_cylinder);
  registrar.shape("sphere-wall", make_sphere_wall);
  registrar.shape("cone", make_cone);
  registrar.shape("frustum", make_frustum);
  registrar.shape("tube", make_tube);
  registrar.shape("plate", make_plate);
  registrar.shape("torus", make_torus);
  registrar.shape("helicoid", make_helicoid);
  registrar.shape("polyline", make_polyline);
}
