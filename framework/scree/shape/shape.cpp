#include "scree/shape/shape.hpp"

#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"
#include "scree/shape/shape_facts.hpp"
#include "scree/shape/smooth_surface.hpp"
#include "scree/shape/swept_polyhedron.hpp"

namespace scree {

Shape::~Shape() = default;
double Shape::rotation_reach() const noexcept { return bounding_radius(); }
Vec3 Shape::reference_point() const noexcept { return Vec3::Zero(); }
ShapeTraits Shape::traits() const { return {}; }

RadialFunction::~RadialFunction() = default;
BoundaryNodes::~BoundaryNodes() = default;
SignedDistance::~SignedDistance() = default;
ExactDistance::~ExactDistance() = default;
SurfaceNodes::~SurfaceNodes() = default;
SmoothField::~SmoothField() = default;

DepthCurvature SmoothField::curvature(const Vec3& point) const {
  const double h = 1e-6 * greatest_depth();
  const Vec3 points[4] = {point, point + h * Vec3::UnitX(), point + h * Vec3::UnitY(), point + h * Vec3::UnitZ()};
  double depths[4];
  Vec3 gradients[4];
  depth(points, depths, gradients);
  DepthCurvature found{depths[0], gradients[0], Mat3()};
  for (int k = 0; k < 3; ++k) found.second.col(k) = (gradients[k + 1] - gradients[0]) / h;
  found.second = (0.5 * (found.second + found.second.transpose())).eval();
  return found;
}

SphereSet::~SphereSet() = default;
RoundVertices::~RoundVertices() = default;
SweptPolygon::~SweptPolygon() = default;
Faces::~Faces() = default;
bool Faces::flat(int) const noexcept { return false; }
WallFaces::~WallFaces() = default;
Segment::~Segment() = default;
ShapeFacts::~ShapeFacts() = default;
SweptPolyhedron::~SweptPolyhedron() = default;

}  // namespace scree
