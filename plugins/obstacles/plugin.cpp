#include "scree/plugin/plugin.hpp"

#include "box.hpp"
#include "circle.hpp"
#include "cuboid.hpp"
#include "cylinder.hpp"
#include "half_space.hpp"
#include "sphere_wall.hpp"

#include <fmt/format.h>

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

}  // namespace

SCREE_PLUGIN(obstacles, "1.0.0") {
  registrar.shape("half-plane", make_half_plane);
  registrar.shape("box", make_box);
  registrar.shape("circle", make_circle);
  registrar.shape("half-space", make_half_space);
  registrar.shape("cylinder", make_cylinder);
  registrar.shape("sphere-wall", make_sphere_wall);
}
