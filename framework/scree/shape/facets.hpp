#pragma once
/// \file The facets the core knows. A third party may define more: a facet is any class with a kName and a stable
/// layout.
///
/// A place kept for later methods, under this name: `PartTree/1` (bounding-volume tree of a large body).

#include <cstddef>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"

namespace scree {

/// A 2D outline given by its radius about a centre: r(theta) > 0, periodic, differentiable almost everywhere.
class SCREE_API RadialFunction {
 public:
  static constexpr std::string_view kName = "RadialFunction/1";
  virtual ~RadialFunction();
  /// r(theta) [m], theta [rad] about centre() in the body frame.
  virtual double radius(double theta) const = 0;
  /// dr/dtheta [m/rad].
  virtual double slope(double theta) const = 0;
  /// The centre of the outline in the body frame [m]; not the origin unless the shape is symmetric.
  virtual Vec2 centre() const = 0;
  /// max over theta of r [m].
  virtual double max_radius() const = 0;
  /// min over theta of r [m].
  virtual double min_radius() const = 0;
  /// Number of boundary nodes, equally spaced in theta, that contact detection samples.
  virtual int node_count() const = 0;
  /// Number of samples of the lookup table for r and r'; 0 evaluates the function itself each time.
  virtual int table_size() const = 0;
};

/// Points on the boundary in the body frame. In 2D they run counter-clockwise around one closed outline.
class SCREE_API BoundaryNodes {
 public:
  static constexpr std::string_view kName = "BoundaryNodes/1";
  virtual ~BoundaryNodes();
  /// (n) positions [m]; the span lives as long as the shape.
  virtual std::span<const Vec3> nodes() const = 0;
};

/// Distance to the boundary, negative inside, at points of the body frame; exact or to first order near the boundary.
class SCREE_API SignedDistance {
 public:
  static constexpr std::string_view kName = "SignedDistance/1";
  virtual ~SignedDistance();
  /// \param points    (n) body frame [m]
  /// \param distance  (n) out [m]
  /// \param gradient  (n) out, unit, pointing outward
  virtual void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const = 0;
};

/// A SignedDistance that is the distance everywhere, not only near the boundary, or smaller in size: it changes by at
/// most the way a point goes. A detector may then skip all points within r of one whose distance exceeds r. Shapes that
/// offer it offer the same object as SignedDistance/1 too.
class SCREE_API ExactDistance : public SignedDistance {
 public:
  static constexpr std::string_view kName = "ExactDistance/1";
  ~ExactDistance() override;
};

/// A body made of spheres that ride on it rigidly; in 2D of discs. They may overlap each other.
class SCREE_API SphereSet {
 public:
  static constexpr std::string_view kName = "SphereSet/1";
  virtual ~SphereSet();
  /// (n) in the body frame [m]; in 2D z = 0. The spans live as long as the shape.
  virtual std::span<const Vec3> centres() const = 0;
  /// (n) [m], > 0
  virtual std::span<const double> radii() const = 0;
};

/// The discs (in 3D: spheres) at the vertices of a body. The rest of the body is their hull, edge by edge. So nothing
/// else of it can touch a wall that has no edges of its own (WallFaces). A body of discs is its own set of them. It is
/// not a SphereSet/1: other bodies may touch it between its vertices. At least one, all radii > 0.
class SCREE_API RoundVertices : public SphereSet {
 public:
  static constexpr std::string_view kName = "RoundVertices/1";
  ~RoundVertices() override;
};

/// A planar body made of straight edges, each swept by a disc: a simple polygon with all it encloses, or an open chain.
class SCREE_API SweptPolygon {
 public:
  static constexpr std::string_view kName = "SweptPolygon/1";
  virtual ~SweptPolygon();
  /// (n) in the body frame [m], counter-clockwise where closed. Edge k leads from vertex k to vertex k + 1, modulo n;
  /// an open chain has no edge n - 1. The span lives as long as the shape.
  virtual std::span<const Vec2> vertices() const = 0;
  virtual bool closed() const noexcept = 0;
  /// Radius of the disc [m], >= 0.
  virtual double radius() const noexcept = 0;
};

/// One face as it is seen from a point: where its nearest point lies, and how it is curved there.
struct FacePoint {
  double distance = 0;         ///< to the face [m], < 0 within the matter behind it; exact
  Vec3 normal = Vec3::Zero();  ///< unit, out of the matter: the gradient of the distance
  /// Principal curvatures at the nearest point [1/m]: 0 on planes, edges and corners, 1/R on the outside of a sphere,
  /// -1/R on the inside of one, (1/R, 0) on the outside of a cylinder. In 2D the second one is 0.
  double curvature[2] = {0, 0};
};

/// An obstacle as the union of pieces of matter that a sphere touches in one point each, at the foot of its centre. A
/// convex solid is one piece, a half-space too; a container is one piece per wall. A sphere in the corner of a box
/// container is near three of its faces, and touches all three.
class SCREE_API Faces {
 public:
  static constexpr std::string_view kName = "Faces/1";
  virtual ~Faces();
  /// Number of faces: the largest number of points in which one sphere can touch.
  virtual int face_count() const noexcept = 0;
  /// \param face    0 .. face_count() - 1
  /// \param points  (n) body frame [m]
  /// \param seen    (n) out
  virtual void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const = 0;
  /// Checks whether a face is a plane without end: a convex body touches it in one place. Default: no.
  virtual bool flat(int face) const noexcept;
};

/// Faces that are each flat or hollow and meet in no edge or corner that stands out: half-planes, containers. Against
/// them the vertices of a body are enough.
class SCREE_API WallFaces : public Faces {
 public:
  static constexpr std::string_view kName = "WallFaces/1";
  ~WallFaces() override;
};

}  // namespace scree
