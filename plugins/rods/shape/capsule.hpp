#pragma once
/// \file The shape "capsule": a straight segment swept by a sphere, in 2D scenes by a disc.

#include <array>
#include <memory>
#include <vector>

#include "scree/plugin/factories.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/segment.hpp"

namespace scree::rods {

struct CapsuleOptions {
  double half_length = 0;  ///< half length of the segment [m]
  double radius = 0;       ///< [m]
  int dimension = 3;
  double thickness = 1;    ///< out of the plane, in 2D [m]
  bool caps_weigh = true;  ///< false: mass is that of the cylinder; segments of a rod share their caps
};

/// Facets: Segment/1, RoundVertices/1, ExactDistance/1, SignedDistance/1; in 2D also SweptPolygon/1, BoundaryNodes/1.
class Capsule final : public Shape,
                      public Segment,
                      public ExactDistance,
                      public SweptPolygon,
                      public RoundVertices,
                      public BoundaryNodes {
 public:
  explicit Capsule(const CapsuleOptions& options);

  int dimension() const noexcept override { return options_.dimension; }
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return options_.half_length + options_.radius; }
  double rotation_reach() const noexcept override { return options_.half_length; }
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  double half_length() const noexcept override { return options_.half_length; }
  double radius() const noexcept override { return options_.radius; }
  /// To the segment, less the radius.
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  std::span<const Vec2> vertices() const override { return vertices_; }
  bool closed() const noexcept override { return false; }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }
  std::span<const Vec3> nodes() const override { return nodes_; }

 private:
  Vec3 axis() const { return options_.dimension == 2 ? Vec3::UnitX() : Vec3::UnitZ(); }

  CapsuleOptions options_;
  std::array<Vec2, 2> vertices_;
  std::array<Vec3, 2> centres_;
  std::array<double, 2> radii_;
  std::vector<Vec3> nodes_;  ///< in 2D
};

std::shared_ptr<const Shape> make_capsule(const Options& options, const ShapeContext& context);

}  // namespace scree::rods
