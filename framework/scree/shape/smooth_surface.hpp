#pragma once
/// \file Facets of smooth solids: nodes on the surface, and the depth below it.

#include <cstdint>
#include <span>
#include <string_view>

#include "scree/base/api.hpp"
#include "scree/base/types.hpp"
#include "scree/shape/facets.hpp"

namespace scree {

/// Points spread over the whole surface of a solid and joined to a mesh of triangles. Shapes that offer it offer the
/// same object as BoundaryNodes/1 too.
class SCREE_API SurfaceNodes : public BoundaryNodes {
 public:
  static constexpr std::string_view kName = "SurfaceNodes/1";
  ~SurfaceNodes() override;
  /// (n + 1) where the neighbours of each node begin, and their total number.
  virtual std::span<const std::uint32_t> first_neighbour() const = 0;
  /// Nodes, those of node i from first_neighbour()[i] on, counter-clockwise as seen from outside.
  virtual std::span<const std::uint32_t> neighbours() const = 0;
  /// The largest distance of neighbouring nodes [m].
  virtual double spacing() const noexcept = 0;
};

/// A depth [m], its gradient [-] and its second derivatives [1/m] at one point.
struct DepthCurvature {
  double depth;
  Vec3 gradient;
  Mat3 second;
};

/// Depth below the surface of a smooth body, with its own gradient, so that forces along the gradient conserve the
/// energy of the depth. On the surface the gradient is the inward unit normal; elsewhere its length may differ from 1.
class SCREE_API SmoothField {
 public:
  static constexpr std::string_view kName = "SmoothField/1";
  virtual ~SmoothField();
  /// \param points    (n) body frame [m]
  /// \param depth     (n) out [m], > 0 inside, < 0 outside; to first order the distance
  /// \param gradient  (n) out, of the depth, continuous [-]; or empty where nobody asks
  virtual void depth(std::span<const Vec3> points, std::span<double> depth, std::span<Vec3> gradient) const = 0;
  /// Depth and derivatives at a point, body frame [m]. Detectors find the deepest point of a contact with them by
  /// Newton's method. Default: differences of gradients over 1e-6 of greatest_depth().
  virtual DepthCurvature curvature(const Vec3& point) const;
  /// A bound of the gradient's length outside the surface, within three bounding radii [-].
  virtual double steepest() const noexcept = 0;
  /// The depth up to which the field tells depths well [m], > 0.
  virtual double greatest_depth() const noexcept = 0;
  /// A radius of curvature for laws that need one [m], where that of the surface is none of the body's own: that of
  /// edges which the field rounds. Default: 0, the surface's own.
  virtual double nominal_radius() const noexcept { return 0; }
};

}  // namespace scree
