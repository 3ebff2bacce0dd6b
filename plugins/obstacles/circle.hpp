#pragma once
/// \file The shape "circle": a disc, or a round container (a drum).

#include "obstacle.hpp"

namespace scree::obstacles {

struct CircleOptions {
  double radius = 0;     ///< [m], > 0
  bool inside = false;   ///< a container: matter is outside the circle
  double thickness = 1;  ///< out of the plane, for the mass of solids [m]
  int nodes = 100;       ///< boundary nodes of a solid
};

class Circle final : public Obstacle {
 public:
  explicit Circle(const CircleOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  /// 0: a circle that turns about its centre stays where it is.
  double rotation_reach() const noexcept override { return 0; }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  double radius_;
  bool inside_;
  double thickness_;
};

}  // namespace scree::obstacles
