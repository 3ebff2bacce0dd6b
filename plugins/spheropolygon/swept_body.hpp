#pragma once
/// \file The shapes "spheropolygon" and "chain": straight edges swept by a disc.

#include <string>
#include <vector>

#include "edge_tree.hpp"
#include "rounded_outline.hpp"
#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"
#include "skeleton.hpp"

namespace scree::spheropolygon {

struct SweptBodyOptions {
  double radius = 0;        ///< radius of the disc [m], >= 0
  double thickness = 1;     ///< out of the plane [m]
  double node_spacing = 0;  ///< largest distance of boundary nodes [m]; 0: see default_spacing()
  std::string pointer;      ///< pointer to the option with the vertices, for messages
  bool placed_by_centre_of_mass =
      false;  ///< meaning of `position`: true for the centre of mass, else the origin of the vertices
};

/// A simple polygon, which need not be convex, or an open chain. The body frame has its origin in the centre of mass of
/// the swept polygon, or in the middle of the chain's bounding box, and the axes of the vertices.
///
/// Facets: SweptPolygon/1; with a radius > 0 RoundVertices/1; where there is an inside ExactDistance/1 and
/// SignedDistance/1; polygons BoundaryNodes/1.
class SweptBody final : public Shape,
                        public SweptPolygon,
                        public RoundVertices,
                        public ExactDistance,
                        public BoundaryNodes {
 public:
  /// \throws OptionError, see check_and_orient()
  SweptBody(Skeleton skeleton, const SweptBodyOptions& options);

  int dimension() const noexcept override { return 2; }
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return bounding_radius_; }
  Vec3 reference_point() const noexcept override {
    return options_.placed_by_centre_of_mass ? Vec3::Zero() : Vec3(-origin_.x(), -origin_.y(), 0);
  }
  Surface surface() const override;
  const void* facet(std::string_view name) const noexcept override;

  std::span<const Vec2> vertices() const override { return skeleton_.vertices; }
  bool closed() const noexcept override { return skeleton_.closed; }
  double radius() const noexcept override { return options_.radius; }
  std::span<const Vec3> centres() const override { return centres_; }
  std::span<const double> radii() const override { return radii_; }
  std::span<const Vec3> nodes() const override { return nodes_; }
  /// To the skeleton, less the radius: exact outside; within, never larger in size than the distance.
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  ShapeTraits traits() const override;

  /// Moments of the area about its centroid; the chain has none.
  const AreaMoments& area() const { return area_; }

 private:
  std::string_view immobile() const;
  std::vector<OutlinePiece> boundary() const;
  void place_nodes();

  Skeleton skeleton_;
  SweptBodyOptions options_;
  Vec2 origin_ = Vec2::Zero();  ///< origin of the body frame, in the axes of the given vertices [m]
  AreaMoments area_;
  double bounding_radius_ = 0;
  EdgeTree tree_;
  std::vector<Vec3> centres_, nodes_;
  std::vector<double> radii_;
  std::vector<std::string> notes_;
};

}  // namespace scree::spheropolygon
