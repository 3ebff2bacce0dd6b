#pragma once
/// \file The shape "polyline" of plane scenes: straight segments, closed around matter or around free space, or an open
/// wall.

#include <vector>

#include "scree/shape/facets.hpp"
#include "scree/shape/shape.hpp"

namespace scree::obstacles {

/// Side of the matter of an open polyline, along its points.
enum class WallSide { both, left, right };

struct PolylineOptions {
  std::vector<Vec2> points;  ///< [m], at least 2; 3 where closed
  bool closed = false;
  bool inside = false;             ///< closed: a container, matter is outside
  double wall = 0;                 ///< open: thickness of the wall in the plane [m], > 0
  WallSide side = WallSide::both;  ///< open
  double thickness = 1;            ///< out of the plane, for the mass of solids [m]
  double node_spacing = 0;         ///< largest spacing of boundary nodes [m]; 0: a quarter of the shortest segment
};

/// Faces: one per segment, with the corner it begins at where this stands out to the sphere. An open wall is a chain of
/// segments swept by a disc. Facets: ExactDistance/1, SignedDistance/1, Faces/1, and BoundaryNodes/1 but of containers.
class Polyline final : public Shape, public ExactDistance, public Faces, public BoundaryNodes {
 public:
  /// \throws OptionError for points that coincide, segments that cross, and sides that a wall cannot have
  explicit Polyline(const PolylineOptions& options);
  int dimension() const noexcept override { return 2; }
  const void* facet(std::string_view name) const noexcept override;
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  double rotation_reach() const noexcept override;
  Vec3 reference_point() const noexcept override { return {-centre_[0], -centre_[1], 0}; }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return static_cast<int>(segments()); }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;
  std::span<const Vec3> nodes() const override { return nodes_; }

 private:
  struct Foot {
    double distance, along;  ///< to the segment [m]; 0 and 1 at its ends
    Vec2 off;                ///< from the foot to the point [m]
  };
  struct Nearest {
    std::size_t segment = 0;
    Foot foot{};
  };

  std::size_t segments() const { return closed_ ? points_.size() : points_.size() - 1; }
  const Vec2& begin_of(std::size_t k) const { return points_[k]; }
  const Vec2& end_of(std::size_t k) const { return points_[(k + 1) % points_.size()]; }
  Vec2 outward(std::size_t segment) const;
  Foot foot_on(std::size_t segment, const Vec2& p) const;
  Nearest nearest(const Vec2& p) const;
  bool encloses(const Vec2& p) const;
  bool in_matter(const Vec2& p) const { return closed_ && encloses(p) != inside_; }
  FacePoint seen_from(std::size_t segment, const Foot& foot, bool in_matter) const;
  bool faces(std::size_t segment, const Vec2& p, const Foot& foot) const;
  void check(const PolylineOptions& options) const;
  void shift(WallSide side);
  void centre();
  void place_nodes(double spacing);
  void place_wall_nodes(double spacing);

  std::vector<Vec2> points_;  ///< body frame; counter-clockwise where closed
  bool closed_, inside_;
  double half_wall_, thickness_;
  Vec2 centre_ = Vec2::Zero();   ///< centre of mass, in the user's coordinates [m]
  double area_ = 0;              ///< area of solids [m^2]
  Vec2 moments_ = Vec2::Zero();  ///< integrals of x^2 and y^2 about the centre [m^4]
  std::vector<Vec3> nodes_;
};

}  // namespace scree::obstacles
