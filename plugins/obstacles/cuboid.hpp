#pragma once
/// \file The shape "box" of three-dimensional scenes: a cuboid, solid or as a container.

#include "solid.hpp"

namespace scree::obstacles {

struct CuboidOptions {
  Vec3 half_sizes{0, 0, 0};  ///< along the body's axes [m], > 0
  bool inside = false;       ///< a container: matter is outside
};

/// Faces: of a solid one (it is convex), of a container its six walls, each without end.
class Cuboid final : public Solid {
 public:
  explicit Cuboid(const CuboidOptions& options)
      : Solid({ObstacleFaces::Kind::cuboid,
               options.inside,
               {options.half_sizes[0], options.half_sizes[1], options.half_sizes[2]}}),
        half_(options.half_sizes),
        inside_(options.inside) {}
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override;
  double rotation_reach() const noexcept override { return half_.norm(); }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return inside_ ? 6 : 1; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  Vec3 half_;
  bool inside_;
};

}  // namespace scree::obstacles
