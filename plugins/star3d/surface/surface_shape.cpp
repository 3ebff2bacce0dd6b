#include "surface/surface_shape.hpp"

namespace scree::star3d {

SurfaceShape make_surface_shape(const Shape& shape) {
  SurfaceShape made;
  if (shape.dimension() != 3) return made;
  made.fields = fields_of(shape);
  if (const auto* nodes = facet<SurfaceNodes>(shape); nodes && facet<SmoothField>(shape))
    made.mesh = make_node_mesh(*nodes);
  return made;
}

}  // namespace scree::star3d
