#pragma once
/// \file The facets the core knows. A third party may define more: a facet is any class with a kName and a stable
/// layout.
///
/// Places kept for later methods, under these names: `SphereSet/1` (spheres, clumps), `SweptPolygon/1`
/// (spheropolygons), `PartTree/1` (bounding-volume tree of a large body).

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

}  // namespace scree
