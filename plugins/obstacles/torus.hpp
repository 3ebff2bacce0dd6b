#pragma once
/// \file The shape "torus": a ring about the body's z axis.

#include "solid.hpp"

namespace scree::obstacles {

struct TorusOptions {
  double radius = 0;       ///< radius of the circle in the middle of the ring [m]
  double tube_radius = 0;  ///< radius of the ring's section [m], below `radius`
};

/// Faces: the ring on the side of the sphere, and across the axis: a sphere in the ring's hole touches both.
class Torus final : public Solid {
 public:
  /// \throws OptionError for a section that closes the hole
  explicit Torus(const TorusOptions& options);
  MassProperties mass(double density) const override;
  double bounding_radius() const noexcept override { return radius_ + tube_; }
  Surface surface() const override;
  void distance(std::span<const Vec3> points, std::span<double> distance, std::span<Vec3> gradient) const override;
  int face_count() const noexcept override { return 2; }
  void face(int face, std::span<const Vec3> points, std::span<FacePoint> seen) const override;

 private:
  double radius_, tube_;
};

}  // namespace scree::obstacles
