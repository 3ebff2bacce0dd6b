#pragma once
/// \file The shape "box" of plane scenes: a rectangle, solid or as a container.

#include "obstacle.hpp"

namespace scree::obstacles {

struct BoxOptions {
  Vec2 half_sizes{0, 0};    ///< along the body's x (tangent) and y (normal) axes [m], > 0
  bool inside = false;      ///< a container: matter is outside the rectangle
  double thickness = 1;     ///< out of the plane, for the mass of solids [m]
  double node_spacing = 0;  ///< largest spacing of a solid's boundary nodes [m]; 0: a quarter of the smaller half size
};

/// Faces: of a solid one (it is convex), of a container its four walls, each without end.
class Box final : public Obstacle {
 public:
  /// \throws OptionError when the boundary needs more than kMostNodes nodes
  explicit Box(const BoxOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  double rotation_reach() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return inside_ ? 4 : 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  std::vector<Vec3> corners() const;
  void place_nodes(double spacing);

  Vec2 half_;
  bool inside_;
  double thickness_;
};

}  // namespace scree::obstacles
