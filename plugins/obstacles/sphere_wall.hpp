#pragma once
/// \file The shape "sphere-wall": a ball, or the inside of one, as an obstacle.

#include "solid.hpp"

namespace scree::obstacles {

struct SphereWallOptions {
  double radius = 0;    ///< [m], > 0
  bool inside = false;  ///< a container: matter is outside the sphere
};

class SphereWall final : public Solid {
 public:
  explicit SphereWall(const SphereWallOptions& options)
      : Solid({ObstacleFaces::Kind::ball, options.inside, {options.radius}}),
        radius_(options.radius),
        inside_(options.inside) {}
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  /// 0: a sphere that turns about its centre stays where it is.
  double rotation_reach() const noexcept override { return 0; }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  double radius_;
  bool inside_;
};

}  // namespace scree::obstacles
