#pragma once
/// \file Nodes and fields of a shape, as the detector knows them.

#include <vector>

#include "scree/shape/shape.hpp"
#include "surface/field.hpp"
#include "surface/node_mesh.hpp"

namespace scree::star3d {

struct SurfaceShape {
  NodeMesh mesh;              ///< empty where the shape has no nodes, or no smooth field
  std::vector<Field> fields;  ///< at most 65536
  bool has_nodes() const { return !mesh.nodes.empty(); }
};

SurfaceShape make_surface_shape(const Shape& shape);

}  // namespace scree::star3d
