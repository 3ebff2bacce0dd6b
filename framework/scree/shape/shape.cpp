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
SphereSet::~SphereSet() = default;
RoundVertices::~RoundVertices() = default;
SweptPolygon::~SweptPolygon() = default;
Faces::~Faces() = default;
WallFaces::~WallFaces() = default;
Segment::~Segment() = default;
ShapeFacts::~ShapeFacts() = default;
SweptPolyhedron::~SweptPolyhedron() = default;

}  // namespace scree
