#pragma once
/// \file The shape "half-plane": matter on one side of a line, without end.

#include "obstacle.hpp"

namespace scree::obstacles {

struct HalfPlaneOptions {
  Vec2 normal{0, 1};  ///< out of the matter, any length > 0
  double extent = 1;  ///< length of the line in pictures [m]
};

class HalfPlane final : public Obstacle {
 public:
  /// \throws OptionError when the normal has no direction
  explicit HalfPlane(const HalfPlaneOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  Vec2 normal_;
  double extent_;
};

}  // namespace scree::obstacles
