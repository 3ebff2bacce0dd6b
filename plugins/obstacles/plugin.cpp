#include "scree/plugin/plugin.hpp"

#include "box.hpp"
#include "circle.hpp"
#include "half_plane.hpp"

namespace {

using namespace scree;
using namespace scree::obstacles;

std::shared_ptr<const Shape> make_half_plane(const Options& options) {
  return std::make_shared<HalfPlane>(HalfPlaneOptions{options.vector("normal").head<2>(), options.number("extent")});
}

std::shared_ptr<const Shape> make_box(const Options& options) {
  return std::make_shared<Box>(BoxOptions{options.vector("half_sizes").head<2>(), options.boolean("inside"),
                                          options.number("thickness"), options.number_or("node_spacing", 0)});
}

std::shared_ptr<const Shape> make_circle(const Options& options) {
  return std::make_shared<Circle>(CircleOptions{options.number("radius"), options.boolean("inside"),
                                                options.number("thickness"),
                                                static_cast<int>(options.integer("nodes"))});
}

}  // namespace

SCREE_PLUGIN(obstacles, "1.0.0") {
  registrar.shape("half-plane", make_half_plane);
  registrar.shape("box", make_box);
  registrar.shape("circle", make_circle);
}
